/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/machine_source.h"

enum { BINS = 10, GROUPS = 20 };

typedef struct groups {
    const iv_judgments *labels;
    size_t *topic; /* of the judgments, among those of the labels */
    int32_t label[GROUPS]; /* rising */
    uint32_t count;
    bool scored;
} groups;

static int32_t label_of(const groups *g, int32_t grade)
{
    return g->scored ? grade * BINS / IV_SCORE_PARTS : grade;
}

static uint32_t group_of(const void *user, size_t topic, iv_str docno)
{
    const groups *g = user;
    const iv_judgment *j = g->topic[topic] == IV_NONE ? NULL
        : iv_judgments_find(g->labels, g->topic[topic], docno);
    uint32_t at = 0;

    if (j == NULL || j->grade < 0)
        return g->count;
    while (at + 1 < g->count && g->label[at] < label_of(g, j->grade))
        at++;
    return at;
}

/* Keeps the labels apart; the rarely many above the last go with it. */
static void note_label(groups *g, int32_t label)
{
    uint32_t at = 0;

    while (at < g->count && g->label[at] < label)
        at++;
    if ((at < g->count && g->label[at] == label) || g->count == GROUPS)
        return;
    for (uint32_t k = g->count++; k > at; k--)
        g->label[k] = g->label[k - 1];
    g->label[at] = label;
}

int iv_machine_source(iv_label_source *out, iv_arena *own, const iv_judgments *judgments,
                      const iv_judgments *labels, bool scored, iv_err *err)
{
    const size_t topics = iv_judgments_topics(judgments);
    groups *g = iv_take(own, 1, sizeof *g);
    size_t *at = iv_take(own, topics + 1, sizeof *at);

    IV_TRY(iv_taken(own, err));
    *g = (groups){ .labels = labels, .topic = at, .scored = scored };
    for (size_t t = 0; t < topics; t++) {
        const iv_judgment *j;
        at[t] = iv_judgments_find_topic(labels, iv_judgments_topic(judgments, t));
        const size_t n = at[t] == IV_NONE ? 0 : iv_judgments_of(&j, labels, at[t]);
        for (size_t i = 0; i < n; i++)
            if (j[i].grade >= 0)
                note_label(g, label_of(g, j[i].grade));
    }
    *out = (iv_label_source){ group_of, g, g->count + 1 };
    return IV_OK;
}
