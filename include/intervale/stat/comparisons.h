/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comparing systems by their scores on topics: each pair (or each system with
 * baselines) by the difference of means with its interval and tests, p-values and
 * intervals adjusted for how many there are, and each system by its place among all.
 *
 * All of it is of the topics that every system has.  Differences that are equal
 * but for rounding are made equal (to 2^-44 of the largest score), so that 0.3
 * - 0.2 ties with 0.2 - 0.1.  doc/methods/comparing.md says what each test
 * assumes and how often it errs.
 */
#ifndef INTERVALE_STAT_COMPARISONS_H
#define INTERVALE_STAT_COMPARISONS_H

#include "intervale/stat/mean_intervals.h"
#include "intervale/stat/paired_tests.h"
#include "intervale/stat/structured_means.h"

IV_BEGIN_C

/* ------------------------------------------------------------- what to do -- */
typedef enum iv_pair_test {
    IV_TEST_SIGN,
    IV_TEST_WILCOXON,
    IV_TEST_T,
    IV_TEST_RANDOMISATION,
    IV_TEST_LARGER_P, /* the larger p of the paired t test and of Hall's t test */
    IV_TEST_HALL,     /* Hall's t test, which corrects for skewness */
    IV_TEST_MCNEMAR, /* of scores of 0 and 1: the score test */
    IV_TEST_BETTING, /* valid for all scores in their range, with `guaranteed` */
    IV_PAIR_TESTS /* how many there are */
} iv_pair_test;

/* Their names in that order, ending with NULL; static. */
IV_API IV_EXPERIMENTAL const char *const *iv_pair_test_names(void);

/* {0}, and NULL where a pointer is taken, are what the command compare does. */
typedef struct iv_compare_options {
    const iv_pair_test *tests; /* to be made of every pair, each once ... */
    size_t test_count;         /* ... 0: larger-p; mcnemar where all scores are 0 or 1 */
    iv_sign_ties ties;
    iv_zeros zeros;
    iv_alternative alternative;
    /*
     * AUTO is Holm's.  Tukey's adjusts tests of means, and is for systems that are alike
     * but for chance; tests of signs and ranks are then adjusted by Holm's method.  A
     * single pair is never corrected.
     */
    iv_correction correction;
    size_t family;               /* adjusted intervals allow for so many pairs, these and others
                                    (of groups, of sets) whose p-values the caller corrects
                                    together; 0: for these */
    const size_t *baselines;     /* systems, from 0, with which each other one is compared ... */
    size_t baseline_count;       /* ... 0: all pairs */
    iv_interval_method interval; /* of a difference: AUTO is that of the test (t for
                                    those that have none), else t, a bootstrap's but not
                                    logit, or none */
    iv_interval_method means;    /* of a system's mean; AUTO: by its scores */
    double margin;               /* 0: none; IV_ZERO: a margin of 0 */
    double low, high;            /* the range of the scores; high not above low: not known, but
                                    for scores that all are 0 or 1 */
    bool guaranteed;             /* decisions about the margin are valid for all scores in range */
    const uint32_t *order;       /* guaranteed: in which topics are taken, which must not depend
                                    on scores; NULL: as they are */
    double confidence;           /* 0: 0.95 */
    size_t resamples;            /* 0: 10,000 */
    size_t permutations;         /* 0: 100,000 */
    /*
     * How the topics hang together; NULL: they do not.  Clusters are then flipped, ranked,
     * counted and resampled as wholes; se and degrees of freedom are those of
     * iv_structured_mean(), the default test is the t test with these, and repeats add to each
     * system's variance: where they do, tests but t and the default are IV_EARG.  So are,
     * always, Hall's test by name and Tukey's correction.
     */
    const iv_structure *structure;
    bool binary; /* filled in: all scores are 0 or 1, or one of two values that may be those two
                    in another unit.  Two paired proportions have the score test and Tango's
                    interval; where topics hang together, with as many as these are worth and
                    their degrees of freedom */
    double unit; /* filled in: what such values differ by */
    bool bounded; /* scores are estimates, which may leave [0, 1], of what cannot */
} iv_compare_options;

/* --------------------------------------------------------- what was found -- */
/*
 * What was done to a limit of an interval so that it says what the test says: the
 * test, not the interval, decides whether there is a difference.
 */
typedef enum iv_limit {
    IV_LIMIT_KEPT,
    IV_LIMIT_CUT,    /* the test finds a difference, the interval held 0: the limit is 0,
                        and 0 itself is excluded */
    IV_LIMIT_WIDENED /* the test finds none, the interval lay on one side: it ends at 0 */
} iv_limit;

/* Items that one of two systems has right and the other not, as an interval counts them. */
typedef struct iv_share_counts {
    double wins, losses, items; /* 0 items: these are not proportions */
    double df;                  /* infinite: normal */
    double unit;                /* the difference of one such item: 1, or as scores are coded */
} iv_share_counts;

typedef struct iv_compared_pair {
    size_t a, b;           /* systems; b is a baseline if there is one */
    size_t only_a, only_b; /* topics that the other one lacks */
    size_t items;          /* topics that all systems have */
    bool same;             /* on each of them, and in each repeat */
    /* Of these, or of the clusters that hold them, whose part in the mean is then one
     * difference; found.n is at least 2, and sd / sqrt(n) the standard error. */
    iv_differences found;
    double df;             /* of the standard error: n - 1 unless topics hang together */
    double superiority;    /* (wins + ties / 2) / n */
    /* Of binary scores; of topics that hang together as many as they are worth. */
    iv_share_counts shares;
    double independent;    /* topics; where they hang together, how many they are worth */
    double range;          /* of the scores, high - low; 0: not known */
    size_t varied;         /* topics whose difference is not the one that more than half of
                              them have; n where there is none such */
    /*
     * Of the mean difference, by itself, in accord with p of the test if that is
     * a test of means; NaN: none, as where all differences are equal.  Of a one-sided comparison
     * one limit is infinite.
     */
    double lower, upper;
    iv_interval_gap gap; /* why not */
    iv_limit limit;      /* what was done to them */
    /*
     * The same in accord with p_adjusted.  Where the correction holds the familywise
     * error, Bonferroni's intervals: simultaneous, for all pairs at once, in a single step.
     * Benjamini and Hochberg's: with the false coverage rate held.  None: lower and upper.
     */
    double lower_adjusted, upper_adjusted;
    iv_limit limit_adjusted;
    /*
     * With a margin D: the posterior probability of a difference above D (t, flat prior), and p
     * of these hypotheses: a difference of -D or less (non-inferiority); of D or more either way
     * (two one-sided tests); of -D or more (a small p: worse by more than D).  By the larger p of
     * the t test and Hall's; of up to 1,000 scores of 0 and 1 no less than the exact unconditional
     * test's; of equal differences by iv_equal_evidence() with the range, NaN without one; if
     * guaranteed by iv_betting_evidence(), of 0 and 1 exactly.  NaN without a margin.
     */
    double p_above, p_noninferior, p_equivalent, p_inferior;
    double margin_lower, margin_upper; /* guaranteed: one-sided limits, corrected for the number of
                                          pairs; else NaN, and iv_pair_limits() has them */
} iv_compared_pair;

typedef struct iv_compared_test {
    iv_pair_test kind;
    iv_test test;
    double p_adjusted;        /* at least p */
    iv_correction correction; /* in use; none for a single pair */
    /*
     * +1: a is the larger one by what this test looks at (the mean, topics won, ranks of
     * the differences), -1: b is, 0: neither.  Whoever says which run of a pair is
     * better asks this.
     */
    int direction;
} iv_compared_test;

/* A system among the others, on the topics that all of them have. */
typedef struct iv_compared_run {
    size_t topics;
    double mean, lower, upper;
    iv_interval_method method;     /* of that interval, whatever the others have:
                                      for AUTO by the system's own scores */
    size_t rank;                   /* 1 + systems with a larger mean */
    size_t rank_lower, rank_upper; /* [1 + better, systems - worse], counting
                                      significant differences of the pairs compared, by
                                      the first test */
    size_t boot_lower, boot_upper; /* range of the rank in resamples; 0: none */
    double p_best;                 /* proportion of resamples it leads; NaN: none */
    const char *letters;           /* systems that share a letter do not differ significantly,
                                      those that share none do (Piepho 2004); NULL: too many
                                      groups, or not all pairs were compared, two-sided */
} iv_compared_run;

/* Letters of up to this many groups are found. */
enum { IV_LETTERS_MOST = 702 };

typedef struct iv_comparison iv_comparison;

/*
 * values[s * topics + t]: the score of system s on topic t, NaN where it has
 * none.  IV_EARG for fewer than two systems, an infinite value, an option
 * outside its domain (a one-sided comparison wants a confidence above 1/2), Tukey's
 * correction of one-sided tests without baseline or with several baselines;
 * IV_ENODATA for a pair with fewer than two topics in common, and for Tukey's
 * correction when all systems together share fewer.
 *
 * Time: pairs x (topics + permutations) for the randomisation test of complete
 * data, x topics where scores are missing; systems x topics x permutations for
 * Tukey's correction.  *out is the caller's: iv_comparison_free().
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_compare(iv_comparison **out, const double *values,
                                    size_t systems, size_t topics,
                                    const iv_compare_options *options,
                                    const iv_work *work, iv_err *err);
IV_API IV_EXPERIMENTAL void iv_comparison_free(iv_comparison *c);

/*
 * The pairs: in the order of iv_pair_index(), or for each baseline in turn those of
 * the other systems with it, but for baselines before it, with the limits of the first test; after
 * them the same with the limits of the second, and so on.  And the tests of one pair, in the order
 * of the options.  Arrays, here and below, are borrowed from c; functions return how long they are,
 * of the pairs once.
 */
IV_API IV_EXPERIMENTAL size_t iv_comparison_pairs(const iv_compared_pair **out,
                                                  const iv_comparison *c);
IV_API IV_EXPERIMENTAL size_t iv_comparison_tests(const iv_compared_test **out,
                                                  const iv_comparison *c,
                                  size_t pair);

IV_END_C

#endif
