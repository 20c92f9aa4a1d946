/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of pairs of systems, and corrections for many pairs. */
#ifndef IV_STAT_PAIR_TESTS_H
#define IV_STAT_PAIR_TESTS_H

#include "base/memory.h"
#include "intervale/stat/comparisons.h"
#include "intervale/stat/paired_tests.h"

/* Is it a test of the mean difference?  The others are of signs and ranks. */
bool iv_pair_test_of_mean(iv_pair_test test);

/*
 * The differences of two systems on the topics that both have, as iv_compare()
 * takes them; d has room for `topics`.  Returns how many there are.
 */
size_t iv_pair_differences(double *d, const double *a, const double *b,
                                  size_t topics);

/*
 * differ[iv_pair_index(systems, a, b)] says whether a < b differ; order lists the systems, the best
 * first, so that its letters come first in the alphabet (a to z, then aa, ab, ...).  Gives the
 * letters of each system, in the arena, separated by commas where one has two characters, and the
 * number of groups: 0, and no letters, of more than IV_LETTERS_MOST.
 */
IV_MUST_CHECK int iv_letters_of(const char **text, size_t *groups, const bool *differ,
                                const size_t *order, size_t systems, iv_arena *own, iv_err *err);

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
 * among the tests.  IV_EARG for IV_CORRECT_TUKEY.
 */
IV_MUST_CHECK int iv_adjust(double *adjusted, const double *p, size_t m,
                                   iv_correction correction, iv_err *err);

#endif
