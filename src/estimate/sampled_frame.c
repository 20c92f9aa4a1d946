/* SPDX-License-Identifier: Apache-2.0 */
#include "design/sampling_state.h"
#include "estimate/sampled_frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/ids.h"
#include "base/parallel.h"
#include "trec/trec_private.h"

void iv_known_frame_free(iv_known_frame *f)
{
    if (f == NULL)
        return;
    for (size_t t = 0; f->topics != NULL && t < f->topic_count; t++)
        iv_arena_free(&f->topics[t].memory);
    free(f->topics);
    free(f->rankings);
    free(f);
}

/* Fills a topic from its judgments; false when memory is out. */
static bool fill_topic(iv_known_topic *t, const iv_sampling_topic *s,
                       const iv_judgments *j, size_t judged_topic)
{
    size_t inside = 0, all = 0;

    t->relevant = iv_take(&t->memory, t->count + 1, sizeof *t->relevant);
    t->weight = iv_take(&t->memory, t->count + 1, sizeof *t->weight);
    t->known = iv_take(&t->memory, t->count + 1, sizeof *t->known);
    if (t->memory.failed)
        return false;
    for (size_t i = 0; i < s->count; i++)
        all += s->pi[i] > 0.0 && s->grade[i] > 0;
    for (size_t d = 0; d < t->count; d++) {
        const iv_judgment *found = iv_judgments_find(j, judged_topic, t->documents[d].docno);
        const size_t i = found == NULL ? 0 : (size_t)(found - s->judgments);
        if (found == NULL || !(s->pi[i] > 0.0))
            continue;
        t->weight[d] = 1.0 / s->pi[i];
        t->relevant[d] = s->grade[i] > 0;
        if (!t->relevant[d])
            continue;
        t->known[t->known_count++] = (uint32_t)d;
        t->total += t->weight[d];
        inside++;
    }
    t->outside = all - inside;
    return true;
}

static int fill_topics(iv_known_frame *f, const iv_frame *frame, const iv_sampling *judged,
                       bool without_too, iv_err *err)
{
    const iv_judgments *j = judged->judgments;

    f->topics = calloc(frame->topic_count + 1, sizeof *f->topics);
    if (f->topics == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for a frame");
    for (size_t t = 0; t < frame->topic_count; t++) {
        iv_known_topic *x = &f->topics[f->topic_count];
        const size_t at = iv_judgments_find_topic(j, frame->topics[t].id);
        *x = (iv_known_topic){ .id = frame->topics[t].id };
        x->count = iv_frame_documents(&x->documents, frame, t);
        f->unjudged += at == IV_NONE;
        if (at == IV_NONE)
            continue;
        const iv_sampling_topic s = iv_sampling_topic_at(judged, at);
        f->topic_count++; /* before it can fail: it is freed then */
        if (!fill_topic(x, &s, j, at))
            return iv_fail(err, IV_ENOMEM, "out of memory for a frame");
        f->inside += x->known_count;
        f->outside += x->outside;
        f->without += x->known_count == 0;
        if (x->known_count > 0 || without_too)
            continue;
        f->topic_count--;
        iv_arena_free(&x->memory);
        *x = (iv_known_topic){ .count = 0 };
    }
    return f->inside > 0 ? IV_OK
        : iv_fail(err, IV_ENODATA, "no topic of the runs has a relevant document in the frame");
}

/* One run on one topic; where: the frame's documents by name. */
static bool rank_topic(iv_label_ranking *r, iv_known_topic *t, const iv_ids *where,
                       const iv_run *run, size_t topic, bool relevant_only)
{
    const size_t depth = iv_run_depth(run, topic);
    size_t count = 0;

    r->document = iv_arena_alloc(&t->memory, (depth + 1) * sizeof *r->document);
    r->rank = iv_arena_alloc(&t->memory, (depth + 1) * sizeof *r->rank);
    r->relevant = iv_arena_alloc(&t->memory, (depth + 1) * sizeof *r->relevant);
    if (t->memory.failed)
        return false;
    for (size_t k = 0; k < depth; k++) {
        const uint32_t d = iv_ids_find(where, iv_run_docno(run, topic, k));
        if (d == IV_NO_ID || (relevant_only && !t->relevant[d]))
            continue;
        if (t->relevant[d])
            r->relevant[r->relevant_count++] = (uint32_t)count;
        r->document[count] = d;
        r->rank[count++] = (double)k + 1.0;
    }
    r->count = count;
    return true;
}

static bool rank_all(iv_known_frame *f, size_t topic)
{
    iv_known_topic *t = &f->topics[topic];
    iv_ids where = { 0 };
    bool good = true;

    for (size_t d = 0; d < t->count && good; d++)
        good = iv_ids_add(&where, t->documents[d].docno) != IV_NO_ID;
    for (size_t r = 0; r < f->runs && good; r++) {
        const size_t at = iv_run_find_topic(f->ranked[r], t->id);
        if (at != IV_NONE)
            good = rank_topic(&f->rankings[r * f->topic_count + topic], t, &where,
                              f->ranked[r], at, f->relevant_only);
    }
    iv_ids_free(&where);
    return good;
}

static int rank_item(void *user, void *memory, size_t topic, iv_err *err)
{
    iv_known_frame *f = user;

    (void)memory;
    if (rank_all(f, topic))
        return IV_OK;
    return iv_fail(err, IV_ENOMEM, "out of memory for the rankings of %zu runs", f->runs);
}

int iv_known_frame_new(iv_known_frame **out, const iv_frame *frame,
                       const iv_sampling *judged, const iv_run *const *runs, size_t count,
                       bool without_too, bool relevant_only, const iv_work *work, iv_err *err)
{
    iv_known_frame *f = calloc(1, sizeof *f);

    if (f == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for a frame");
    f->ranked = runs;
    f->relevant_only = relevant_only;
    int rc = fill_topics(f, frame, judged, without_too, err);
    if (rc == IV_OK) {
        f->rankings = calloc(count * f->topic_count + 1, sizeof *f->rankings);
        f->runs = f->rankings != NULL ? count : 0;
        rc = f->rankings != NULL
            ? iv_parallel(&(iv_loop){ .count = f->topic_count, .item = rank_item, .user = f },
                          work, err)
            : iv_fail(err, IV_ENOMEM, "out of memory for the rankings of %zu runs", count);
    }
    if (rc == IV_OK)
        *out = f;
    else
        iv_known_frame_free(f);
    return rc;
}

double iv_known_ap(const iv_known_topic *t, const iv_label_ranking *r)
{
    double sum = 0.0;

    for (size_t k = 0; k < r->relevant_count; k++)
        sum += ((double)k + 1.0) / r->rank[r->relevant[k]];
    return t->known_count > 0 ? sum / (double)t->known_count : 0.0;
}
