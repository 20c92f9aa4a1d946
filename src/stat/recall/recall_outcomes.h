/* SPDX-License-Identifier: Apache-2.0 */
/* The intervals of all methods for many outcomes of one sampling design. */
#ifndef IV_STAT_RECALL_OUTCOMES_H
#define IV_STAT_RECALL_OUTCOMES_H

#include "base/memory.h"
#include "stat/recall/recall_yield.h"

/* What was seen in a sample, and how often. */
typedef struct iv_outcome {
    int64_t n1, r1, n0, r0;
    size_t times;
} iv_outcome;

/* Tables of the posteriors of one side, one an (n, r); memory is kept. */
typedef struct iv_side_tables {
    iv_yield *at;
    iv_stratum *of_sample; /* its n and r */
    size_t count, capacity;
    size_t *of; /* the table of each outcome */
    size_t of_capacity;
} iv_side_tables;

typedef struct iv_outcome_work {
    iv_side_tables side[2]; /* unretrieved, retrieved */
    iv_recall_posterior *posterior; /* for its owner's use */
} iv_outcome_work;

IV_MUST_CHECK int iv_outcome_work_init(iv_outcome_work *w, iv_err *err);
void iv_outcome_work_free(iv_outcome_work *w);

/*
 * The interval of a method for each outcome of segments of N1 and N0 documents.
 * The outcomes are sorted by (n1, r1, n0, r0).
 */
IV_MUST_CHECK int iv_outcome_intervals(iv_limits *out, const iv_outcome *outcomes,
                                       size_t count, int64_t N1, int64_t N0,
                                       const iv_recall_options *o, iv_outcome_work *w,
                                       const iv_work *work, iv_err *err);

/* Whether the lower limit of each is at least `recall`: quicker than the exact limits. */
IV_MUST_CHECK int iv_outcomes_reach(bool *out, double recall, const iv_outcome *outcomes,
                                    size_t count, int64_t N1, int64_t N0,
                                    const iv_recall_options *o, iv_outcome_work *w,
                                    const iv_work *work, iv_err *err);

/* A posterior for a thread of a loop. */
void *iv_recall_memory(iv_arena *own, void *user);

/* Sorts and merges equal outcomes; returns how many are left. */
size_t iv_outcomes_merge(iv_outcome *outcomes, size_t count);

#endif /* IV_STAT_RECALL_OUTCOMES_H */
