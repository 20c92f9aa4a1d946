/* SPDX-License-Identifier: Apache-2.0 */
/* An answer to eval while it is made: what was asked, and what was found. */
#ifndef IV_RETRIEVAL_EVAL_STATE_H
#define IV_RETRIEVAL_EVAL_STATE_H

#include "intervale/retrieval.h"

typedef struct iv_eval {
    const iv_eval_question *asked;
    const iv_evaluation *evaluation;
    const iv_evaluated *v;
    size_t *order; /* of the runs in tables: by the first measure that has a mean */
    iv_result *out;
} iv_eval;

static inline const iv_mean *iv_eval_mean(const iv_eval *e, size_t run, size_t measure)
{
    return &e->v->means[run * e->v->measure_count + measure];
}

/* Does a measure show in tables, for each topic? */
static inline bool iv_eval_by_topic(const iv_eval *e, size_t measure)
{
    return !e->v->measures[measure].text && e->v->measures[measure].per_topic;
}

/* Is it a number of topics or documents, known and not estimated? */
static inline bool iv_eval_counts(const iv_eval *e, size_t measure)
{
    return e->v->measures[measure].count && e->v->sampling == NULL
        && e->asked->how.standards == NULL;
}

#endif
