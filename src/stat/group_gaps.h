/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far do the values of groups of items lie apart?
 *
 * Groups have no item in common, so their values are independent, and the difference of two has
 * MOVER limits from the limits of each (Newcombe 1998; Zou and Donner 2008).  The largest gap of
 * many was chosen for being large: its lower limit holds for all pairs at once (Bonferroni).
 * doc/methods/groups.md has coverage.
 */
#ifndef IV_STAT_GROUP_GAPS_H
#define IV_STAT_GROUP_GAPS_H

#include "intervale/base.h"

/* A value of the items of a group, with what its limits are made of; zeros: none. */
typedef struct iv_group_value {
    double value;   /* NaN: none */
    size_t items;   /* it rests on */
    size_t fewest;  /* of them, or of the class with fewer if it compares two */
    /* Limits, each with the error `level`; NULL: none. */
    iv_limits (*limits)(const struct iv_group_value *g, double level);
    bool careful;   /* limits are those of claims: exact, or the wider of two */
    double a, b;    /* counts: of successes and failures, of positive and negative items */
    double sd, df, skewness;
} iv_group_value;

/* k of n: Jeffreys' interval, which holds an end of the range where k is 0 or n; for claims Clopper
 * and Pearson's. */
iv_group_value iv_group_proportion(int64_t k, int64_t n);

/* F1 of counts: a rising function of the proportion TP / (TP + FP + FN). */
iv_group_value iv_group_f1(int64_t tp, int64_t fp, int64_t fn);

/* Has it limits of a proportion? */
bool iv_group_is_proportion(const iv_group_value *g);

/* A mean of values: the farther ones of Student's t and Hall's limits; of zeros and ones a
 * proportion. */
iv_group_value iv_group_mean(const double *x, size_t n);

/* A value in [0, 1] with its standard error in sd, on the logit scale. */
iv_group_value iv_group_logit(const iv_interval *x, size_t items);

/* The difference a - b with limits that each have the error `level`, and its two-sided p; NaN:
 * there is none. */
iv_interval iv_group_gap(const iv_group_value *a, const iv_group_value *b, double level);
double iv_group_gap_p(const iv_group_value *a, const iv_group_value *b);

/* The largest of all gaps between two groups. */
typedef struct iv_largest_gap {
    size_t high, low;    /* the groups; SIZE_MAX: fewer than two have a value */
    double value;
    double lower, upper; /* lower at least 0 */
    double at_most;      /* the one-sided upper limit */
    size_t pairs, missing; /* groups without a value or limits */
} iv_largest_gap;

/* families: how many such gaps are looked at, which share the error of lower limits. */
IV_MUST_CHECK int iv_group_largest(iv_largest_gap *out, const iv_group_value *g, size_t count,
                                   double confidence, size_t families, iv_err *err);

#endif
