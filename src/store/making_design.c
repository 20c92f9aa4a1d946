/* SPDX-License-Identifier: Apache-2.0 */
/* What a file of judgments asks for: its documents with a grade below 0.  A sample is judged in
 * the order that it has or, where that is missing, at random; qrels in the order of the file. */
#include <string.h>

#include "base/bytes.h"
#include "design/sampling_state.h"
#include "store/making.h"
#include "store/store_parts.h"
#include "num/num_private.h"
#include "trec/trec_private.h"

/* Another stream than that of the draw. */
static const uint64_t judging_key = UINT64_C(0x6a756467696e6700);

static int add_judgment(iv_making *m, const iv_judgments *j, size_t topic, const iv_judgment *x,
                        iv_err *err)
{
    if (x->grade >= 0)
        return IV_OK;
    return iv_making_add(m, iv_judgments_topic(j, topic), x->docno, 0, 0, err);
}

/* The certain ones first, then the others, both at random. */
static int add_at_random(iv_making *m, const iv_judgments *j, size_t topic, iv_err *err)
{
    const iv_judgment *all;
    const size_t count = iv_judgments_of(&all, j, topic);
    const iv_judgment **order = iv_take(&m->memory, count + 1, sizeof *order);
    const uint64_t seed = m->work == NULL || m->work->seed == 0 ? 1 : m->work->seed;
    iv_stream s = iv_stream_start(seed, IV_FOR_SAMPLING,
                                  iv_topic_key(iv_judgments_topic(j, topic)) ^ judging_key);

    if (order == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < count; i++)
        order[i] = &all[i];
    iv_draw_shuffle(&s, order, count, sizeof *order);
    for (int drawn = 0; drawn < 2; drawn++)
        for (size_t i = 0; i < count; i++)
            if ((order[i]->pi < 1.0) == (drawn == 1))
                IV_TRY(add_judgment(m, j, topic, order[i], err));
    return IV_OK;
}

/* "#: order TOPIC docno...": the order, if the file has it; several lines continue each other. */
static int add_in_order(bool *found, iv_making *m, const iv_judgments *j, size_t topic,
                        iv_err *err)
{
    iv_comment c = { 0 };
    iv_str word, rest;

    *found = false;
    while (iv_judgments_next_comment(&c, j)) {
        if (c.text.len < 8 || memcmp(c.text.ptr, "#: order ", 9) != 0)
            continue;
        rest = (iv_str){ c.text.ptr + 9, c.text.len - 9 };
        if (!iv_next_word(&word, &rest) || !iv_str_eq(word, iv_judgments_topic(j, topic)))
            continue;
        *found = true;
        while (iv_next_word(&word, &rest)) {
            const iv_judgment *x = iv_judgments_find(j, topic, word);
            char quoted[IV_QUOTE_SIZE];
            if (x == NULL)
                return iv_fail_at(err, IV_EPARSE, m->plan->design, c.line, "document %s of the "
                                  "order has no line, expected those of the sample",
                                  iv_quote(quoted, word));
            IV_TRY(add_judgment(m, j, topic, x, err));
        }
    }
    return IV_OK;
}

/* What the order leaves out: nothing may be lost. */
static int add_rest(iv_making *m, const iv_judgments *j, size_t topic, size_t from, iv_err *err)
{
    const iv_judgment *all;
    const size_t count = iv_judgments_of(&all, j, topic);
    size_t open = 0;

    for (size_t i = 0; i < count; i++)
        open += all[i].grade < 0;
    if (m->count - from == open)
        return IV_OK;
    if (m->count == from) /* the sample is judged: documents were put behind it, as next does */
        return add_at_random(m, j, topic, err);
    return iv_fail_at(err, IV_EPARSE, m->plan->design, 0, "the order of topic '%.*s' names %zu "
                      "documents to judge, expected %zu", (int)iv_judgments_topic(j, topic).len,
                      iv_judgments_topic(j, topic).ptr, m->count - from, open);
}

static int add_topic(iv_making *m, const iv_judgments *j, size_t topic, iv_err *err)
{
    const iv_judgment *all;
    const size_t count = iv_judgments_of(&all, j, topic), from = m->count;
    bool found = false;

    for (size_t i = 0; i < count; i++)
        m->judged_before += all[i].grade >= 0;
    if (m->kind == IV_STORE_QUEUE) {
        for (size_t i = 0; i < count; i++)
            IV_TRY(add_judgment(m, j, topic, &all[i], err));
        return IV_OK;
    }
    IV_TRY(add_in_order(&found, m, j, topic, err));
    return found ? add_rest(m, j, topic, from, err) : add_at_random(m, j, topic, err);
}

int iv_making_design(iv_making *m, iv_err *err)
{
    iv_judgments *j = NULL;
    const char *path = m->plan->design;

    IV_TRY(iv_making_text(&m->form, m, path, err));
    IV_TRY(iv_judgments_parse(&j, path, m->form.ptr, m->form.len, IV_JUDGMENTS_ANY, m->work,
                              err));
    if (iv_own(&m->memory, j, (void (*)(void *))iv_judgments_free) == NULL)
        return iv_no_memory(err);
    const iv_judgments_format format = iv_judgments_format_of(j);
    if (format != IV_JUDGMENTS_PRELS && format != IV_JUDGMENTS_QRELS
        && format != IV_JUDGMENTS_BEIR)
        return iv_fail_at(err, IV_EPARSE, path, 0, "is in the format %s, expected prels or qrels "
                          "with grades of -1 to fill in", iv_judgments_format_names()[format]);
    m->kind = format == IV_JUDGMENTS_PRELS ? IV_STORE_SAMPLE : IV_STORE_QUEUE;
    if (m->kind == IV_STORE_SAMPLE)
        IV_TRY(iv_store_design_read(j, path, err));
    for (size_t t = 0; t < iv_judgments_topics(j); t++)
        IV_TRY(add_topic(m, j, t, err));
    if (m->count == 0)
        return iv_fail_at(err, IV_ENODATA, path, 0, "every document is judged, expected grades "
                          "of -1 to fill in");
    return IV_OK;
}
