/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/stat.h beside what programs do. */
#ifndef IV_STAT_PAIRED_PRIVATE_H
#define IV_STAT_PAIRED_PRIVATE_H

#include "intervale/stat.h"

/* Of n finite differences; O(n). */
iv_differences iv_describe_differences(const double *d, size_t n);

/* The exact sign test; the statistic is the number of wins. */
iv_test iv_sign_test(const double *d, size_t n, iv_sign_ties ties,
                            iv_alternative alternative);

/*
 * Wilcoxon's signed-rank test on midranks; the statistic is the sum of the
 * ranks of the wins.  Exact to IV_WILCOXON_EXACT differences that are not 0,
 * ties or not; beyond that normal, with corrections for ties and continuity.
 * IV_ENOMEM is the only failure.
 */
IV_MUST_CHECK int iv_wilcoxon_test(iv_test *out, const double *d, size_t n,
                                          iv_zeros zeros, iv_alternative alternative,
                                          iv_err *err);

/* Student's paired t test on n - 1 degrees of freedom. */
iv_test iv_t_test(iv_differences k, iv_alternative alternative);

/*
 * The bootstrap test of a mean of 0: topics are resampled from the differences,
 * each with a random sign as if the two systems could have changed places, and
 * the Studentised mean compared with the observed one.
 */
IV_MUST_CHECK int iv_bootstrap_test(iv_test *out, const double *d, size_t n,
                                           size_t resamples, iv_alternative alternative,
                                           const iv_work *work, iv_err *err);

/* How many unordered pairs there are, and the place of a < b among them. */
size_t iv_pair_count(size_t systems);

size_t iv_pair_index(size_t systems, size_t a, size_t b);

/* The pair of a place below iv_pair_count(). */
void iv_pair_at(size_t *a, size_t *b, size_t systems, size_t place);

/*
 * The randomised form of Tukey's test: under the hypothesis that all systems
 * are alike, their scores on a topic may be permuted; how often is the largest
 * difference of two means at least that of the pair?  Adjusted p of every pair
 * (Carterette 2012).
 *
 * With a baseline, Dunnett's question: p[s] for each system, from the largest
 * difference to the baseline; its own p is NaN, for it is no test.  Without
 * one only IV_TWO_SIDED makes sense; anything else is IV_EARG.
 */
IV_MUST_CHECK int iv_tukey_pairs(double *p, const iv_score_grid *x, size_t baseline,
                                        size_t permutations, iv_alternative alternative,
                                        const iv_work *work, iv_err *err);

/*
 * Adjusts m p-values; adjusted may be p.  NaN stays NaN and is not counted
 * among the tests.  IV_EARG for IV_CORRECT_AUTO and IV_CORRECT_TUKEY.
 */
IV_MUST_CHECK int iv_adjust(double *adjusted, const double *p, size_t m,
                                   iv_correction correction, iv_err *err);

#endif /* IV_STAT_PAIRED_PRIVATE_H */
