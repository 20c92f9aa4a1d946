/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures of items that are tried several times: pass@k and pass^k of one item, and intervals of
 * ratios of means and of percentiles.  doc/methods/agents.md has formulas and coverage.
 *
 * Refs: Chen et al. (2021); Yao et al. (2024); Fieller (1954); David and Nagaraja (2003), section
 * 7.1; Woodruff (1952); Korn and Graubard (1998).
 */
#ifndef IV_STAT_INTERVAL_ITEM_MEASURES_H
#define IV_STAT_INTERVAL_ITEM_MEASURES_H

#include "intervale/base.h"

/* Of n attempts, `passed` of which succeeded: the probability that at least one of k attempts
 * succeeds, and that all of them do, without bias.  0 < k <= n, or NaN.  O(k). */
double iv_pass_any(size_t n, size_t passed, size_t k);
double iv_pass_all(size_t n, size_t passed, size_t k);

/* A mean with its variance and covariance, as the ratio of two of them needs them. */
typedef struct iv_two_means {
    double over, under;       /* the two means */
    double vo, vu, covariance; /* of these means */
} iv_two_means;

/* Fieller's limits of over / under at t standard errors; both NaN where `under` is within t
 * standard errors of 0. */
void iv_ratio_limits(double *lower, double *upper, const iv_two_means *m, double t);

/* A value with its weight. */
typedef struct iv_weighted {
    double value, weight;
} iv_weighted;

/* The least value up to which there is at least the proportion p of the weight, and limits by
 * order statistics as of `trials` independent values, `tail` on each side; parts of trials count
 * against a limit.  x is sorted by value; a limit that needs more trials is infinite.  count > 0,
 * 0 < p < 1.  O(count). */
iv_interval iv_percentile_limits(const iv_weighted *x, size_t count, double trials, double p,
                                 double tail);

/* Trials that an upper limit of a percentile needs. */
size_t iv_percentile_trials(double p, double tail);

#endif
