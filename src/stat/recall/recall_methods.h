/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a recall posterior, and the methods that fill it. */
#ifndef IV_STAT_RECALL_RECALL_METHODS_H
#define IV_STAT_RECALL_RECALL_METHODS_H

#include <math.h>

#include "stat/recall/recall_yield.h"

struct iv_recall_posterior {
    iv_yield side[2]; /* unretrieved, retrieved */
    iv_yield floor[2]; /* the same at its floor, see iv_recall_floor() ... */
    bool floored[2];   /* ... where others have finds, and the method looks at it */
    bool set;
    double both_zero; /* P(R1 = R0 = 0) */
    double mean_yield, prior_yield;
    double tolerance; /* of a quantile from cells, on the logit scale */
    iv_convolver *convolver;
};

/*
 * The strata as a method takes them; room for count.  betabin-weighted takes all
 * that were not sampled for one: nothing tells them apart, and many independent
 * priors would claim to know their sum.
 */
void iv_recall_pool(iv_stratum *out, const iv_stratum *strata, size_t count,
                    iv_recall_method method);

/* The priors of a segment's strata by a method; room for count in each. */
IV_MUST_CHECK int iv_recall_priors(double *a, double *b, const iv_stratum *strata,
                                   size_t count, const iv_recall_options *o,
                                   iv_err *err);

/* The options with every default in its place; IV_EARG for a confidence or prior
 * outside its domain, or an unknown method.  o may be NULL. */
IV_MUST_CHECK int iv_recall_fill(iv_recall_options *out, const iv_recall_options *o,
                                 iv_err *err);

/* beta squared; 0 is 1. */
double iv_beta2(double beta);

/* The quantity with R1 and R0 relevant of N1 retrieved and N0 other documents; recall 0/0 is 0. */
double iv_recall_value(iv_recall_quantity quantity, double beta2, double N1, double N0, double R1,
                       double R0);

/* Intervals of the methods without a posterior. */
IV_MUST_CHECK int iv_recall_by_normal(iv_limits *out, const iv_segments *s,
                                      const iv_recall_options *o, iv_err *err);
IV_MUST_CHECK int iv_recall_by_koopman(iv_limits *out, const iv_segments *s,
                                       const iv_recall_options *o, iv_err *err);

/*
 * Koopman's interval on theta = px / py from x of m and y of n; upper may be
 * +inf, when y = 0.  IV_EARG unless 0 <= x <= m, 0 <= y <= n, m, n > 0.
 * x = y = 0 gives [0, inf].
 */
IV_MUST_CHECK int iv_koopman_ratio(iv_limits *out, int64_t x, int64_t m, int64_t y,
                                   int64_t n, double confidence, iv_err *err);

/* Its chi-square statistic for one theta > 0; NaN outside the domain. */
double iv_koopman_statistic(int64_t x, int64_t m, int64_t y, int64_t n, double theta);

/*
 * The most conservative prior Beta(alpha, alpha) for a sample of n from N: the
 * alpha in [0.1, 1] with the largest expected information gain, N and n cut to
 * 1000 as the paper does when `limited`.  O(N n), about 10 ms at most when
 * limited.  IV_EARG unless 1 <= n <= N, or N n > 4e8.
 */
IV_MUST_CHECK int iv_conservative_prior(double *alpha, int64_t N, int64_t n, bool limited,
                                        iv_err *err);

/*
 * The mean of the plain estimate over all samples of sizes n1 and n0, when the
 * segments of N1 and N0 documents really hold R1 and R0 relevant ones; over
 * the samples that have a relevant document.  NaN outside the domain.
 */
double iv_recall_estimate_mean(int64_t N1, int64_t R1, int64_t n1, int64_t N0, int64_t R0,
                               int64_t n0);

/* Sampled and found relevant in a segment; in the strata together. */
int64_t iv_strata_relevant(const iv_stratum *strata, size_t count);

/* No relevant document was found, and then recall, if there is one, is in *out: 0 where all
 * retrieved documents are judged, 1 where all others are, else anything. */
bool iv_recall_unfound(iv_limits *out, const iv_segments *s);
int64_t iv_strata_sampled(const iv_stratum *strata, size_t count);
int64_t iv_strata_size(const iv_stratum *strata, size_t count);

#endif
