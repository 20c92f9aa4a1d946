/* SPDX-License-Identifier: Apache-2.0 */
/* Agreement of two rankings, and of a run with its replication. */
#ifndef IV_STAT_RANK_AGREEMENT_H
#define IV_STAT_RANK_AGREEMENT_H

#include "intervale/stat/ranking_agreement.h"

/*
 * Rank-biased overlap of two lists of items below `items`; p in (0, 1) is the
 * persistence, 0: .9.  IV_EARG for another p or an empty list.  Linear.
 */
IV_MUST_CHECK int iv_rbo_of(iv_interval *out, const iv_ranked_items *a,
                                   const iv_ranked_items *b, size_t items, double p,
                                   iv_rbo_ties ties, iv_err *err);

/*
 * tau_AP of scores of n items, the largest first: down the order of x, the share of
 * the items above that truth has above as well; 2 share - 1.  Ties, in either, are
 * averaged over their orders.  NaN when n < 2.  O(n log n); IV_ENOMEM only.
 */
IV_MUST_CHECK int iv_tau_ap(double *out, const double *truth, const double *x, size_t n,
                                   iv_err *err);

/*
 * The symmetric one for two orders of which neither is the truth: the mean of both
 * directions, a tie in either is no agreement, and items tied with the first are no
 * pivots.  NaN where one side is constant.
 */
IV_MUST_CHECK int iv_tau_ap_b(double *out, const double *x, const double *y, size_t n,
                                     iv_err *err);

/*
 * a and b are scores of the same systems on the same topics, [system * topics + topic], all
 * finite.  How similar are the rankings of the systems by their means?  a is the truth of
 * tau_AP; tau-b and tau_AP are NaN where all systems of a ranking are tied.  persistence is
 * that of RBO, 0: 0.9.  There are no intervals: resampling topics shuffles close systems twice.
 * IV_EARG for a value that is not finite, fewer than two systems, no topics.
 */
IV_MUST_CHECK int iv_orders_agree(iv_orders *out, const double *a, const double *b,
                                         size_t systems, size_t topics, double persistence,
                                         iv_err *err);

/* Two runs of an experiment beside each other: how far the second reproduces the first. */

/*
 * The root of the mean squared difference on n topics; limits are roots of those of the mean
 * square by Student's t.  No limits where all differences are as large as each other.
 * Confidence 0: 0.95.
 */
IV_MUST_CHECK int iv_reproduced_rmse(iv_interval *out, const double *original,
                                            const double *replicate, size_t n, double confidence,
                                            iv_err *err);

/*
 * The effect of an advanced run over a baseline, made again.  ratio is mean(advanced -
 * baseline) made again over the original one, limits by Fieller's method: NaN where the
 * original effect cannot be told from 0.  change is the relative improvement of the
 * original less that of the runs made again, limits by t.  NaN where a mean is 0.
 * Allocates nothing.
 */
void iv_reproduced_effect(iv_interval *ratio, iv_interval *change,
                                 const double *baseline, const double *advanced,
                                 const double *baseline_again, const double *advanced_again,
                                 size_t n, double confidence);

#endif
