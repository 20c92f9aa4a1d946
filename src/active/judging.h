/* SPDX-License-Identifier: Apache-2.0 */
/* Judging simulated with known judgments. */
#ifndef IV_ACTIVE_JUDGING_H
#define IV_ACTIVE_JUDGING_H

#include "active/judging_state.h"

typedef struct iv_judging_plan {
    double until;          /* confidence that every pair shall reach, in (1/2, 1];
                              from IV_CERTAIN on, or a sign that cannot change,
                              counts as 1; 0: .95 */
    int32_t level;         /* the lowest grade that the oracle calls relevant; 0: 1,
                              IV_ZERO: 0 */
    iv_judging_order order;
    iv_no_answer no_answer;
    size_t most;           /* judgments; 0: no limit */
} iv_judging_plan;

/* One judgment of a simulation. */
typedef struct iv_judging_step {
    size_t topic, document;
    bool relevant;
    double movement;   /* expected; of a pool 0 */
    double confidence; /* the least over the pairs, after it; NaN within a round of a pool */
} iv_judging_step;

typedef struct iv_judging_record {
    iv_judging_step *step; /* freed by iv_judging_record_free() */
    size_t steps, relevant;
    size_t depth;          /* of the pool */
    double start;          /* confidence before the first judgment */
    double confidence;     /* the least over the pairs, at the end */
    bool reached;          /* the confidence asked for, by all pairs */
    size_t sure;           /* pairs that have it */
    bool fixed;            /* every sign is fixed by its limits */
    size_t unanswered;     /* documents the oracle lacks, taken as told */
} iv_judging_record;

/*
 * Judges documents of q as the oracle answers (judgments of the same topics;
 * `name` stands in messages) until the confidence is reached, nothing more can be
 * learnt, or `most` are judged.  plan may be NULL.
 * IV_ENODATA for a document the oracle lacks, if it is to refuse.
 */
IV_MUST_CHECK int iv_judge_until(iv_judging_record *out, iv_judging_state *q,
                                        const iv_judgments *oracle, const char *name,
                                        const iv_judging_plan *plan, const iv_work *work,
                                        iv_err *err);
void iv_judging_record_free(iv_judging_record *r);

#endif
