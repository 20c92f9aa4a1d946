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
#ifndef INTERVALE_STAT_PAIRED_TESTS_H
#define INTERVALE_STAT_PAIRED_TESTS_H

#include "intervale/base.h"

IV_BEGIN_C

/* What the test is to find: a and b differ, a is larger, a is smaller. */
typedef enum iv_alternative { IV_TWO_SIDED, IV_GREATER, IV_LESS } iv_alternative;

/* Their names in that order, ending with NULL; so below. */
IV_API IV_EXPERIMENTAL const char *const *iv_alternative_names(void);

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

/* ------------------------------------------------------ tests of one pair -- */
/* What the sign test does with topics on which neither wins. */
typedef enum iv_sign_ties {
    IV_TIES_DISCARD,
    IV_TIES_SPLIT /* half to each side; of an odd number one is discarded */
} iv_sign_ties;
IV_API IV_EXPERIMENTAL const char *const *iv_sign_ties_names(void);

/* What the signed-rank test does with differences of 0. */
typedef enum iv_zeros {
    IV_ZEROS_DROP, /* they leave before ranks are given (Wilcoxon) */
    IV_ZEROS_RANK  /* they are ranked, then leave (Pratt 1959) */
} iv_zeros;
IV_API IV_EXPERIMENTAL const char *const *iv_zeros_names(void);

/* Memory for the exact distribution, up to this many topics. */
enum { IV_WILCOXON_EXACT = 50 };

/* -------------------------------------------------- tests of many systems -- */
/*
 * Scores of systems on the same topics, a system after the other; all finite.
 */
typedef struct iv_score_grid {
    const double *values; /* values[s * topics + t] */
    size_t systems, topics;
} iv_score_grid;

/* A baseline is the number of a system, counted from 1, so that 0 is none. */
#define IV_NO_BASELINE 0

typedef enum iv_correction {
    IV_CORRECT_AUTO, /* the one that fits; see iv_compare_options */
    IV_CORRECT_NONE,
    IV_CORRECT_BONFERRONI,
    IV_CORRECT_HOLM, /* Holm 1979 */
    IV_CORRECT_BH,   /* Benjamini and Hochberg 1995: false discovery rate */
    IV_CORRECT_TUKEY /* iv_tukey_pairs(); not of p-values alone */
} iv_correction;

/* The corrections' names in that order, ending with NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_correction_names(void);

IV_END_C

#endif
