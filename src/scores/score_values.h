/* SPDX-License-Identifier: Apache-2.0 */
/* Scores by measure, system and item, with the design of the items. */
#ifndef IV_SCORES_SCORE_VALUES_H
#define IV_SCORES_SCORE_VALUES_H

#include "base/memory.h"
#include "intervale/scores.h"
#include "intervale/stat/structured_means.h"
#include "trec/score_table.h"

typedef struct iv_scored {
    iv_arena *own;           /* the answer's */
    const iv_score_input *input;
    const iv_score_table *v;
    uint32_t *measures; /* those that were asked for, by their (first) number in v */
    const char **names; /* ... and what they are called */
    struct iv_score_measure *definitions; /* ... and how they are made */
    const struct iv_success *success; /* NULL: scores of 1 are successes */
    size_t measure_count;
    double *values;          /* [(m * systems + s) * items + t], over repeats; NaN: none */
    iv_structure *structure; /* by measure */
    bool structured;         /* items hang together, or repeats bring variance */
    struct iv_set_slice *slices; /* of sets; NULL: there are none */
    bool binary;             /* declared to be 0 or 1 */
    size_t most_repeats;     /* scores of one system on one item, at most */
} iv_scored;

/* The scores of a measure: systems x items. */
static inline const double *iv_scored_values(const iv_scored *scored, size_t measure)
{
    return scored->values + measure * scored->v->system_count * scored->v->item_count;
}

#endif
