/* SPDX-License-Identifier: Apache-2.0 */
/* Joins the ranking of a topic with its judgments. */
#include "base/err.h"
#include "base/memory.h"
#include "intervale/trec/topic_join.h"
#include "trec/chunks.h"
#include "trec/docset.h"
#include "trec/judgments.h"
#include "trec/judgments_records.h"
#include "trec/run_records.h"

#include <stdlib.h>

struct iv_join {
    iv_arena own; /* of the topic at hand */
};

int iv_join_new(iv_join **out, iv_err *err)
{
    iv_join *w = calloc(1, sizeof *w);

    if (w == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    *out = w;
    return IV_OK;
}

IV_FREES(join, own)

/* Neighbours that differ as double and not as float. */
static size_t count_float_ties(const iv_run_doc *docs, size_t n)
{
    size_t ties = 0;

    for (size_t i = 1; i < n; i++)
        ties += docs[i].score != docs[i - 1].score
            && (float)docs[i].score == (float)docs[i - 1].score;
    return ties;
}

/* Ranks a topic as if its scores had been read as float; NULL: no memory. */
static const iv_run_doc *rank_as_float(iv_join *w, const iv_run_doc *docs,
                                       size_t n)
{
    iv_run_doc *ranked = iv_arena_alloc(&w->own, 2 * n * sizeof *ranked);

    for (size_t i = 0; ranked != NULL && i < n; i++) {
        ranked[i] = docs[i];
        ranked[i].score = (double)(float)docs[i].score;
    }
    if (ranked != NULL)
        iv_run_docs_sort(ranked, n, ranked + n);
    return ranked;
}

#if defined(__GNUC__)
#define FETCH_EARLY(address) __builtin_prefetch(address)
#else
#define FETCH_EARLY(address) ((void)(address))
#endif

/*
 * Looks up many documents at a time: a judgment and its name are each a walk
 * to far memory, and walks that are begun together are waited for together.
 */
static void look_up(iv_hit *hits, const iv_run_doc *docs, size_t n, const iv_docset *set)
{
    enum { TOGETHER = 32 };
    size_t slot[TOGETHER];

    for (size_t from = 0; from < n; from += TOGETHER) {
        const size_t many = n - from < TOGETHER ? n - from : TOGETHER;
        for (size_t k = 0; k < many; k++) {
            slot[k] = iv_docset_probe(set, docs[from + k].hash);
            const uint32_t index = set->slots[slot[k]].index;
            if (index != 0) {
                FETCH_EARLY(&set->items[index - 1]);
                FETCH_EARLY(docs[from + k].docno);
            }
        }
        for (size_t k = 0; k < many; k++) {
            const uint32_t index = set->slots[slot[k]].index;
            if (index != 0)
                FETCH_EARLY(set->items[index - 1].docno.ptr);
        }
        for (size_t k = 0; k < many; k++)
            hits[from + k].judgment = iv_docset_find_from(set, hits[from + k].docno,
                                                          docs[from + k].hash, slot[k]);
    }
}

int iv_join_topic(iv_joined *out, iv_join *w, const iv_run *run, size_t run_topic,
                  const iv_judgments *j, size_t judged_topic, iv_precision precision,
                  iv_err *err)
{
    const iv_topic_records *t = &run->grouped.topics[run_topic];
    const iv_run_doc *docs = t->records;
    iv_joined joined = { .topic = t->id, .hit_count = t->count };

    iv_arena_reuse(&w->own);
    iv_hit *hits = iv_arena_alloc(&w->own, (t->count + 1) * sizeof *hits);
    if (precision == IV_SCORES_FLOAT) {
        joined.float_ties = count_float_ties(docs, t->count);
        if (joined.float_ties > 0)
            docs = rank_as_float(w, docs, t->count);
    }
    IV_TRY(iv_taken(&w->own, err));
    joined.hits = hits;
    for (size_t i = 0; i < t->count; i++) {
        const double score = precision == IV_SCORES_FLOAT ? (double)(float)docs[i].score
                                                          : docs[i].score;
        hits[i] = (iv_hit){ iv_run_doc_name(&docs[i]), score, NULL };
    }
    if (judged_topic != IV_NONE) {
        const iv_docset set = iv_judgments_docset(j, judged_topic);
        look_up(hits, docs, t->count, &set);
        joined.judged_count = iv_judgments_of(&joined.judged, j, judged_topic);
    }
    *out = joined;
    return IV_OK;
}
