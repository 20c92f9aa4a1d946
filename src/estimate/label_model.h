/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How likely a document is relevant, learnt from the judgments of other topics:
 * a logistic curve in what is known of a document before it is judged, fitted with
 * the weights 1/pi.  Topics are put into folds, and a topic's curve is fitted without
 * the fold it is in.
 *
 * What is known is a row of numbers, of any source: the best rank that a run gives,
 * the number of runs that return it, the label of a machine.
 */
#ifndef IV_ESTIMATE_LABEL_MODEL_H
#define IV_ESTIMATE_LABEL_MODEL_H

#include "intervale/base.h"

enum { IV_LABEL_TRAITS = 24, IV_LABEL_NUMBERS = 3, IV_LABEL_FOLDS = 20 };

/* A judged document: its traits (the first is 1), its label, its weight.  Traits behind the first
 * IV_LABEL_NUMBERS tell its group: all are 0 but that one, which is 1 (0: none is). */
typedef struct iv_label_example {
    const double *traits;
    double weight;
    bool relevant;
    uint32_t fold, group;
} iv_label_example;

/* coefficient[fold * width + k]: fitted without that fold; without examples all 0 but
 * the first, which says "not relevant". */
IV_MUST_CHECK int iv_label_fit(double *coefficient, const iv_label_example *examples, size_t count,
                               size_t width, size_t folds, iv_err *err);

/* The probability that coefficients give to traits. */
double iv_label_probability(const double *coefficient, const double *traits, size_t width);

#endif /* IV_ESTIMATE_LABEL_MODEL_H */
