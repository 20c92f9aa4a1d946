/* SPDX-License-Identifier: Apache-2.0 */
/* One-sided evidence on values: what decisions rest on. */
#ifndef IV_STAT_EVIDENCE_H
#define IV_STAT_EVIDENCE_H

#include "intervale/stat/paired_tests.h"

/*
 * One-sided evidence on a value: p of the hypotheses that it is not above a bound (a small p_above:
 * it is) and not below, and limits, each with the error `level`.  The limits hold what the tests
 * do not reject.  NaN where a method has no answer.
 */
typedef struct iv_evidence {
    double estimate, p_above, p_below, lower, upper;
} iv_evidence;

/* A mean with its standard deviation: sd / sqrt(n) is the standard error, with df degrees of
 * freedom.  Skewness NaN: not known, as of clusters. */
typedef struct iv_mean_summary {
    double mean, sd, n, df, skewness;
} iv_mean_summary;

/* The larger p of the t test and of Hall's t test (Hall 1992), and the farther limits.  All NaN but
 * the estimate without a standard deviation.  O(1). */
iv_evidence iv_mean_evidence(const iv_mean_summary *m, double from,
                                                    double level);

/* k successes in n trials, exactly (Clopper and Pearson 1934).  All NaN unless 0 <= k <= n and
 * n > 0.  O(1). */
iv_evidence iv_proportion_evidence(int64_t k, int64_t n, double from,
                                                          double level);

/* F1 of a random sample of items, exactly: TP among TP + FP + FN is binomial, and F1 rises with
 * its probability J, F1 = 2 J / (1 + J).  All NaN without such items.  O(1). */
iv_evidence iv_f1_evidence(int64_t tp, int64_t fp, int64_t fn, double from,
                                                  double level);

/*
 * The mean of n independent values in [low, high], whatever their distribution: bets in the order
 * given (Waudby-Smith and Ramdas 2024), which must not depend on the values.  All NaN if a value
 * is outside, or n is 0.  O(n), for each limit 40 times.
 */
iv_evidence iv_betting_evidence(const double *x, size_t n, double low,
                                                       double high, double from, double level);

/* One p of that, of values that are known to be in the range: not above (IV_GREATER) or below. */
double iv_betting_p(const double *x, size_t n, double low, double high, double from, double level,
                    iv_alternative side);

/* How many values let these bets show with probability 0.8 that the mean is above `from`, if their
 * mean and standard deviation stay: the expected capital less 0.84 of its standard deviation
 * reaches 1 / level.  Infinite beyond 1e9.  O(log n). */
double iv_betting_items(double mean, double sd, double low, double high, double from,
                        double level);

/*
 * n equal values in [low, high]: how likely they are at most if their mean is `from` or less
 * (IV_GREATER) or more (IV_LESS).  Other values, unseen, would be at the far end of the range.  NaN
 * without a range (high not above low).  Ref: Hanley and Lippman-Hand (1983), JAMA 249.  O(1).
 */
double iv_equal_evidence(double value, double n, double low, double high,
                                                double from, iv_alternative side);

/* Limits of a - b from those of a and b, which have a correlation (Zou and Donner 2008).  O(1). */
void iv_mover_limits(double *lower, double *upper, const iv_interval *a,
                                            const iv_interval *b, double correlation);

/* Metrics of two classifiers on the same items. */
typedef enum iv_paired_metric {
    IV_PAIRED_RECALL,
    IV_PAIRED_SPECIFICITY,
    IV_PAIRED_ACCURACY,
    IV_PAIRED_PRECISION,
    IV_PAIRED_F1
} iv_paired_metric;

/* items[gold][a][b]: how many have this gold label and these predictions, 0 or 1 each. */
typedef struct iv_paired_labels {
    int64_t items[2][2][2];
} iv_paired_labels;

/* The metric of a less that of b.  Recall, specificity and accuracy exactly, with up to 1,000
 * items; precision and F1 by MOVER, approximately.  All NaN where a metric is 0/0.  Linear in the
 * items up to 1,000, then O(1). */
iv_evidence iv_prf_pair_evidence(const iv_paired_labels *joint,
                                                        iv_paired_metric metric, double from,
                                                        double level);

/*
 * AUC of scores a less that of scores b, of the same items: MOVER from the wider one of logit
 * DeLong and Newcombe's limits of each area, with DeLong's correlation; p is the level at which a
 * limit is `from`.  IV_ENODATA without items of both classes, IV_EARG for a score that is not
 * finite.
 */
IV_MUST_CHECK int iv_auc_evidence(iv_evidence *out, const double *a,
                                                         const double *b, const bool *positive,
                                                         size_t count, double from, double level,
                                                         iv_err *err);

#endif
