/* SPDX-License-Identifier: Apache-2.0 */
/* Intervals of recall for all outcomes of a sample, for plans. */
#ifndef IV_STAT_RECALL_RECALL_OUTCOMES_H
#define IV_STAT_RECALL_RECALL_OUTCOMES_H

#include "base/memory.h"
#include "intervale/stat/recall_intervals.h"

/* What was seen in a sample, and how often. */
typedef struct iv_outcome {
    int64_t n1, r1, n0, r0;
    size_t times;
} iv_outcome;

/*
 * The interval of a method for each outcome of segments of N1 and N0 documents.
 * The outcomes are sorted by (n1, r1, n0, r0).
 */
IV_MUST_CHECK int iv_outcome_intervals(iv_limits *out, const iv_outcome *outcomes,
                                       size_t count, int64_t N1, int64_t N0,
                                       const iv_recall_options *o, const iv_work *work,
                                       iv_err *err);

/* Whether the lower limit of each is at least `recall`: quicker than the exact limits. */
IV_MUST_CHECK int iv_outcomes_reach(bool *out, double recall, const iv_outcome *outcomes,
                                    size_t count, int64_t N1, int64_t N0,
                                    const iv_recall_options *o, const iv_work *work,
                                    iv_err *err);

/* A posterior for a thread of a loop. */
void *iv_recall_memory(iv_arena *own, void *user);

/* Sorts and merges equal outcomes; returns how many are left. */
size_t iv_outcomes_merge(iv_outcome *outcomes, size_t count);

#endif
