/* SPDX-License-Identifier: Apache-2.0 */
/* Agreement of assessors, and how informative their labels are. */
#ifndef IV_STAT_AGREEMENT_H
#define IV_STAT_AGREEMENT_H

#include "intervale/stat/label_agreement.h"
#include "intervale/stat/paired_tests.h"

/* Makes one unit of too few; returns how many there are. */
size_t iv_agreement_units(size_t *starts, size_t units);

/*
 * Cohen's kappa.  Confidence 0 is .95.  left_out has room for the values without one
 * unit (one item, if there is one unit), or is NULL.  IV_ENODATA without items, IV_EARG for
 * a label beyond pairs->labels, a weight that is not above 0, a confidence outside (0, 1).
 * O(items + units x labels^2).
 */
IV_MUST_CHECK int iv_kappa_of(iv_agreement *out, double *left_out,
                                     const iv_label_pairs *pairs, iv_kappa_weights weights,
                                     double confidence, iv_err *err);

/*
 * Krippendorff's alpha.  Items with fewer than two labels tell nothing and do not count.
 * Confidence 0 is .95; NAN: the value alone.  IV_ENODATA where no item has two labels; IV_EARG
 * for a label beyond r->labels, for an order or distances of words, values that do not rise, an
 * order of more than 100 labels, a confidence outside (0, 1).  O(labels given + units x labels^2)
 * for ordinal, else linear.
 */
IV_MUST_CHECK int iv_alpha_of(iv_agreement *out, const iv_ratings *r, iv_label_scale scale,
                                     double confidence, iv_err *err);

/*
 * The share sum of hits / sum of all over units, with its interval.  `items` is how many
 * there are behind `all`, for where none or all of them are hits.  Limits are NaN with fewer
 * than two units; the value is NaN where there is nothing.
 */
iv_interval iv_share_over_units(const double *hits, const double *all, size_t units,
                                size_t items, double confidence);

/* A value and its values without one unit each: the jackknife, with Student's t. */
iv_interval iv_jackknifed(double value, const double *left_out, size_t units,
                          double confidence);

/*
 * The reference's label as a number (value[label]; NULL: the number itself) given the
 * other's: 1 / (1 - the proportion of its variance that labels explain), the factor by which
 * fewer reference labels are needed if the other's are known for all items.  left_out
 * (of log worth) as in iv_kappa_of(), whose errors it has.
 */
IV_MUST_CHECK int iv_worth_of(iv_interval *out, double *left_out,
                                     const iv_label_pairs *pairs, const double *value,
                                     double confidence, iv_err *err);

/*
 * Positive are the reference's labels of `level` and more.  The share of positives of each
 * of the other's labels is learnt on the other units (by weight).  Errors as iv_kappa_of().
 */
IV_MUST_CHECK int iv_drift_of(double *sd, iv_test *out, const iv_label_pairs *pairs,
                              uint32_t level, iv_err *err);

#endif
