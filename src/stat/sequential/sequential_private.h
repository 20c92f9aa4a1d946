/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of a review while it is being judged: interim analyses, limits that are valid at any
 * time, and rules that say when one may stop.  What is exact and what is approximate is said at
 * each function; doc/methods/stopping.md has the formulas and measured error rates.
 *
 * Refs: Lan and DeMets (1983); Waudby-Smith and Ramdas (2020); Turner, Ly and
 * Gruenwald (2024); Lewis, Yang and Frieder (2021); Callaghan and Mueller-Hansen (2020).
 */
#ifndef IV_STAT_SEQUENTIAL_SEQUENTIAL_PRIVATE_H
#define IV_STAT_SEQUENTIAL_SEQUENTIAL_PRIVATE_H

#include "stat/stat_private.h"

typedef struct iv_look {
    double fraction; /* of the largest sample */
    double z;        /* the bound: stop when the test's z is at least that */
    double error;    /* of a one-sided limit to be shown at this look: P(Z >= z) */
    double spent;    /* of the level, by the end of this look */
} iv_look;

/*
 * The looks of a plan, one-sided, of which at least one reports more than the truth with
 * probability `level` (0 < level < 1/2); for two sides halve it.  fractions are increasing,
 * in (0, 1]; NULL: equal ones.  The first two shapes fix all looks beforehand, the last of
 * which must be at 1; the other two hold for looks at any fractions that do not depend on the
 * results.  Exact for a normal statistic with independent increments, to 1e-6 in error.
 * IV_EARG for other numbers, IV_ENOMEM.
 */
IV_MUST_CHECK int iv_looks_of(iv_look *out, const double *fractions, size_t count,
                                     iv_look_shape shape, double level, iv_err *err);

/* ------------------------------------------------- recall, at any time -- */

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

/* ------------------------------------------- one unknown count -- */

/*
 * The number of relevant documents in one stratum, at any time: those that the ratio of prior
 * to posterior does not exclude, whatever the truth and however one stops.  a and b, above 0,
 * are the prior's and cost width only; both 0: 1/2.  Exact.  IV_EARG for bad data.
 */
IV_MUST_CHECK int iv_anytime_count(int64_t *least, int64_t *most, iv_stratum s, double a,
                                          double b, double confidence, iv_err *err);

/* ------------------------------------------------------ ranked reviews -- */

/* A check of data refuses below this: 1 of 1,000 data sets with nothing wrong. */
#define IV_CHECK_P 0.001

/* The p-value of `count` of n documents in order being a random part of them, from the sum of their
 * ranks (Wilcoxon's test). */
double iv_rank_sum_p(double sum, double count, double n);

/*
 * How many of `known` relevant documents, drawn at random before a ranked review, it must have
 * met for recall of `target` with the confidence (QBCB); 0: no number is enough.  Exact,
 * however often one looks, if the draw does not steer the ranking.
 */
int64_t iv_qbcb_needed(int64_t known, double target, double confidence);

/*
 * The p-value of "recall is below target" after a review found `found` relevant documents and
 * then judged a random sample of what was left (the hypergeometric rule); stop when it is below
 * the level.  Exact for one look; approximate when watched.  NaN for bad data.
 */
double iv_stop_p(int64_t found, iv_stratum left, double target);

#endif
