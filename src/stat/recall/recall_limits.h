/* SPDX-License-Identifier: Apache-2.0 */
/* Posterior and limits of recall from sampled strata. */
#ifndef IV_STAT_RECALL_RECALL_LIMITS_H
#define IV_STAT_RECALL_RECALL_LIMITS_H

#include "intervale/stat/recall_intervals.h"

/*
 * IV_EARG, with the reason, unless every stratum is as above, no segment is
 * empty, and the population is at most IV_STRATUM_MAX.  Strata with nothing
 * sampled pass: what they mean depends on the method.
 */
IV_MUST_CHECK int iv_segments_check(const iv_segments *s, iv_err *err);

/*
 * Computes the posterior that a method (one that has one) gives.  o's
 * confidence and side are not looked at.  Errors as iv_recall_interval_of();
 * p then holds no posterior and answers NaN.
 */
IV_MUST_CHECK int iv_recall_posterior_set(iv_recall_posterior *p,
                                                 const iv_segments *s,
                                                 const iv_recall_options *o,
                                                 iv_err *err);

double iv_recall_cdf(const iv_recall_posterior *p,
                            iv_recall_quantity quantity, double beta, double x);
double iv_recall_below(const iv_recall_posterior *p,
                              iv_recall_quantity quantity, double beta, double x);

/* The least x with P(quantity <= x) >= q, 0 < q < 1: an attainable value
 * where the posterior is exact. */
double iv_recall_quantile(const iv_recall_posterior *p,
                                 iv_recall_quantity quantity, double beta, double q);

/*
 * The plain estimate of a quantity, from N r / n; NaN when it is 0/0, or
 * depends on a segment of which nothing was sampled.
 */
double iv_recall_plain(const iv_segments *s, iv_recall_quantity quantity,
                              double beta);

/*
 * Share of the posterior mean yield that the prior brings in:
 * sum (N-n) a / (a+b+n) over sum r + (N-n)(a+r) / (a+b+n).
 */
double iv_recall_prior_share(const iv_recall_posterior *p);

/*
 * Limits of a quantity that hold with at least the confidence whatever the truth;
 * the others' confidence is an average over truths.  What is fully judged is
 * known, what was not sampled may be anything.  With one sampled stratum that is
 * not fully judged the limits are hypergeometric, with two Buehler's bound (never
 * wider than splitting the error between them, which large samples do), with more from Chernoff's
 * inequality.  Recall without a relevant document in the sample: [0, 1].  For
 * recall the method IV_RECALL_EXACT gives the same.  A second at most for 64 strata.
 * IV_EARG for bad data or confidence.
 */
IV_MUST_CHECK int iv_recall_guaranteed(iv_limits *out, const iv_segments *s,
                                              iv_recall_quantity quantity, double beta,
                                              double confidence, bool one_sided,
                                              iv_err *err);

/* Whether the guaranteed lower limit of recall is at least `recall`; quicker than the limit. */
IV_MUST_CHECK int iv_recall_guarantees(bool *out, const iv_segments *s, double recall,
                                       double confidence, bool one_sided, iv_err *err);

#endif
