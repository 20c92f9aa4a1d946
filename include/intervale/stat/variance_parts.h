/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What scores vary by: systems, items, their interaction (some systems do well on some
 * items) and repeats; and how far the order of systems would be the same on other items
 * and repeats.
 *
 * Analysis of variance of a complete table, systems x items x repeats; with no negative part
 * its estimates are those of restricted maximum likelihood.  Intervals: chi-squared for the part
 * below all, modified large-sample (Burdick and Graybill) for differences of mean squares, F for
 * the generalisability coefficient; all for normal effects.  doc/methods/variance-parts.md.
 */
#ifndef INTERVALE_STAT_VARIANCE_PARTS_H
#define INTERVALE_STAT_VARIANCE_PARTS_H

#include "intervale/base.h"

IV_BEGIN_C

typedef struct iv_variance_part {
    double variance;     /* not below 0 */
    double lower, upper;
    double share;        /* of the sum of all parts */
    double mean_square, df;
} iv_variance_part;

typedef struct iv_variance_parts {
    size_t systems, items, repeats;
    iv_variance_part system, item;
    iv_variance_part interaction; /* of one repeat: and whatever else varies */
    iv_variance_part repeat;      /* NaN of one repeat */
    /* What a repeat contributes to all items of its system together (a seed of training), which
     * the other parts do not tell apart; share is NaN; all 0 of one repeat. */
    iv_variance_part shared;
    double apart; /* what repeats vary by beyond that, item by item */
} iv_variance_parts;

/*
 * x[(s * items + i) * repeats + r], all finite.  Confidence 0: 0.95.  IV_ENODATA for fewer than two
 * systems or items; IV_EARG for a value that is not finite or a confidence outside (0, 1).
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_variance_of(iv_variance_parts *out, const double *x,
                                                        size_t systems,
                                        size_t items, size_t repeats, double confidence,
                                        iv_err *err);

/*
 * The standard error of the difference of two systems' means over so many items and repeats,
 * and the generalisability coefficient, as the parts have it.  More items do not lessen what
 * repeats share.
 */
IV_API IV_EXPERIMENTAL double iv_variance_se(const iv_variance_parts *p, double items,
                                             double repeats);

IV_END_C

#endif
