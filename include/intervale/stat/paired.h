/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is A better than B?  Tests on the differences of two systems over the same
 * topics, many pairs at once, and corrections for having tested many.
 *
 * A difference is always a - b, and wins are a's.  Every p-value is in [0, 1];
 * where a test has nothing to say, p is NaN and `why` names the reason, a
 * static string.  Tests by simulation count the observed arrangement among the
 * simulated ones, so that p is never 0 (Phipson and Smyth 2010).
 */
#ifndef INTERVALE_STAT_PAIRED_H
#define INTERVALE_STAT_PAIRED_H

#include "intervale/base.h"

IV_BEGIN_C

/* What the test is to find: a and b differ, a is larger, a is smaller. */
typedef enum iv_alternative { IV_TWO_SIDED, IV_GREATER, IV_LESS } iv_alternative;

/* Their names in that order, ending with NULL; so below. */
IV_API const char *const *iv_alternative_names(void);

typedef struct iv_test {
    double p;
    double statistic; /* NaN where the test has none */
    size_t used;      /* topics that entered */
    bool exact;       /* the distribution was computed, not approximated */
    const char *why;  /* NULL, or why there is no p */
} iv_test;

/* What the differences look like.  n >= 1; sd is NaN when n is 1. */
typedef struct iv_differences {
    size_t n, wins, ties, losses;
    double mean, sd;
    double effect;   /* mean / sd (Cohen's d for pairs); NaN when sd is 0, and so ... */
    double skewness; /* third central moment over the second to 3/2 */
} iv_differences;

/* Of n finite differences; O(n). */
IV_API iv_differences iv_describe_differences(const double *d, size_t n);

/* ------------------------------------------------------ tests of one pair -- */

/* What the sign test does with topics on which neither wins. */
typedef enum iv_sign_ties {
    IV_TIES_DISCARD,
    IV_TIES_SPLIT /* half to each side; of an odd number one is discarded */
} iv_sign_ties;
IV_API const char *const *iv_sign_ties_names(void);

/* The exact sign test; the statistic is the number of wins. */
IV_API iv_test iv_sign_test(const double *d, size_t n, iv_sign_ties ties,
                            iv_alternative alternative);

/* What the signed-rank test does with differences of 0. */
typedef enum iv_zeros {
    IV_ZEROS_DROP, /* they leave before ranks are given (Wilcoxon) */
    IV_ZEROS_RANK  /* they are ranked, then leave (Pratt 1959) */
} iv_zeros;
IV_API const char *const *iv_zeros_names(void);

/* Memory for the exact distribution, up to this many topics. */
enum { IV_WILCOXON_EXACT = 50 };

/*
 * Wilcoxon's signed-rank test on midranks; the statistic is the sum of the
 * ranks of the wins.  Exact to IV_WILCOXON_EXACT differences that are not 0,
 * ties or not; beyond that normal, with corrections for ties and continuity.
 * IV_ENOMEM is the only failure.
 */
IV_API IV_MUST_CHECK int iv_wilcoxon_test(iv_test *out, const double *d, size_t n,
                                          iv_zeros zeros, iv_alternative alternative,
                                          iv_err *err);

/* Student's paired t test on n - 1 degrees of freedom. */
IV_API iv_test iv_t_test(const double *d, size_t n, iv_alternative alternative);

/*
 * Fisher's randomisation test: how many of the ways to flip the signs of the
 * differences make their sum as extreme as it is?  The statistic is the mean.
 * Counted, not drawn: exact with up to 20 that are not 0 and for scores that are few
 * multiples of one number, else to 0.3 % of p (up to 100 differences that are not
 * 0) or 2 % (more).
 */
IV_API IV_MUST_CHECK int iv_randomisation_test(iv_test *out, const double *d, size_t n,
                                               iv_alternative alternative, iv_err *err);

/*
 * The bootstrap test of a mean of 0: topics are resampled from the differences,
 * each with a random sign as if the two systems could have changed places, and
 * the Studentised mean compared with the observed one.
 */
IV_API IV_MUST_CHECK int iv_bootstrap_test(iv_test *out, const double *d, size_t n,
                                           size_t resamples, iv_alternative alternative,
                                           const iv_work *work, iv_err *err);

/*
 * The interval of a difference of two shares of the same n topics, of which one side alone
 * won `wins` and the other alone `losses`: Tango's (1998), the differences that a score test
 * does not reject.  doc/methods/binary.md has what it covers.  IV_EARG unless
 * wins + losses <= n, n > 0 and the confidence is in (0, 1).
 */
IV_API IV_MUST_CHECK int iv_paired_shares(double *lower, double *upper, size_t wins,
                                          size_t losses, size_t n, double confidence,
                                          iv_err *err);

/* -------------------------------------------------- tests of many systems -- */

/*
 * Scores of systems on the same topics, a system after the other; all finite.
 */
typedef struct iv_score_grid {
    const double *values; /* values[s * topics + t] */
    size_t systems, topics;
} iv_score_grid;

/* How many unordered pairs there are, and the place of a < b among them. */
IV_API size_t iv_pair_count(size_t systems);
IV_API size_t iv_pair_index(size_t systems, size_t a, size_t b);
/* The pair of a place below iv_pair_count(). */
IV_API void iv_pair_at(size_t *a, size_t *b, size_t systems, size_t place);

/* A baseline is the number of a system, counted from 1, so that 0 is none. */
#define IV_NO_BASELINE 0

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
IV_API IV_MUST_CHECK int iv_tukey_pairs(double *p, const iv_score_grid *x, size_t baseline,
                                        size_t permutations, iv_alternative alternative,
                                        const iv_work *work, iv_err *err);

/* -------------------------------------------------------------- groups -- */

/*
 * Do the differences differ between groups of topics?  The F statistic of a
 * one-way analysis of variance of d, with topic t in group[t] < groups, and its
 * p by `permutations` random assignments of topics to groups, from 20,000 topics on
 * by the limit of infinitely many where groups are large enough.  `used` is the
 * number of groups that hold a topic; fewer than two, or no more topics than
 * groups, give no p.
 */
IV_API IV_MUST_CHECK int iv_interaction_test(iv_test *out, const double *d,
                                             const uint32_t *group, size_t n,
                                             size_t groups, size_t permutations,
                                             const iv_work *work, iv_err *err);

/* ---------------------------------------------------------- corrections -- */

typedef enum iv_correction {
    IV_CORRECT_AUTO, /* the one that fits; see iv_compare_options */
    IV_CORRECT_NONE,
    IV_CORRECT_BONFERRONI,
    IV_CORRECT_HOLM, /* Holm 1979 */
    IV_CORRECT_BH,   /* Benjamini and Hochberg 1995: false discovery rate */
    IV_CORRECT_TUKEY /* iv_tukey_pairs(); not of p-values alone */
} iv_correction;

/* The corrections' names in that order, ending with NULL. */
IV_API const char *const *iv_correction_names(void);

/*
 * Adjusts m p-values; adjusted may be p.  NaN stays NaN and is not counted
 * among the tests.  IV_EARG for IV_CORRECT_AUTO and IV_CORRECT_TUKEY.
 */
IV_API IV_MUST_CHECK int iv_adjust(double *adjusted, const double *p, size_t m,
                                   iv_correction correction, iv_err *err);

IV_END_C

#endif /* INTERVALE_STAT_PAIRED_H */
