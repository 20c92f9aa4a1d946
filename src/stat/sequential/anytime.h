/* SPDX-License-Identifier: Apache-2.0 */
/* Recall and counts with confidence at every interim analysis. */
#ifndef IV_STAT_SEQUENTIAL_ANYTIME_H
#define IV_STAT_SEQUENTIAL_ANYTIME_H

#include "intervale/stat/recall_intervals.h"

/*
 * The judgments in blocks, in the order of judging.  Every block takes at least one document
 * at random from each stratum that is not finished; drawn and found have a row of
 * stratum_count numbers a block.  Borrowed.
 */
typedef struct iv_review_blocks {
    const int64_t *size;   /* N of strata, each at most IV_STRATUM_MAX */
    const bool *retrieved; /* are they? */
    const int64_t *drawn, *found;
    size_t stratum_count, count;
} iv_review_blocks;

/* IV_EARG, with the reason, unless the blocks are as above. */
IV_MUST_CHECK int iv_review_blocks_check(const iv_review_blocks *b, iv_err *err);

/*
 * The logarithm of the largest e-value that the blocks have given against "recall is at most
 * target" (upper: at least), 0 <= target <= 1; HUGE_VAL when it is impossible.  Whatever the
 * truth and however one stops, it reaches log(1 / alpha) against a true statement with
 * probability at most alpha.  Exact: strata of any number and size, without replacement, no
 * prior assumed.  IV_EARG for a bad target or as the check, IV_ENOMEM.
 */
IV_MUST_CHECK int iv_recall_evidence(double *log_e, const iv_review_blocks *b,
                                            double target, bool upper, iv_err *err);

enum { IV_ANYTIME_STEPS = 1000 };

/*
 * Limits of recall that hold for all blocks at once: what the evidence does not exclude, in
 * steps of 1 / IV_ANYTIME_STEPS, to the safe side.  one_sided: each limit by itself.
 * IV_EARG as the check, or for a confidence that is not in (0, 1).
 */
IV_MUST_CHECK int iv_recall_anytime(iv_limits *out, const iv_review_blocks *b,
                                           double confidence, bool one_sided, iv_err *err);

/*
 * The number of relevant documents in one stratum, at any time: those that the ratio of prior
 * to posterior does not exclude, whatever the truth and however one stops.  a and b, above 0,
 * are the prior's and cost width only; both 0: 1/2.  Exact.  IV_EARG for bad data.
 */
IV_MUST_CHECK int iv_anytime_count(int64_t *least, int64_t *most, iv_stratum s, double a,
                                          double b, double confidence, iv_err *err);

#endif
