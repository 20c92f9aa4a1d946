/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Precision, recall, F and related metrics as distributions.
 *
 * A system's outcome (TP, FP, FN, TN) is multinomial; a Dirichlet prior on the four probabilities
 * gives a Dirichlet posterior, and from it
 *
 *     precision           Beta(tp, fp)        recall       Beta(tp, fn)
 *     specificity         Beta(tn, fp)        accuracy     Beta(tp+tn, fp+fn)
 *     F_1 = 2B/(1+B),     B ~ Beta(tp, fp+fn)
 *     F_beta              one integral
 *
 * where tp, fp, fn, tn are counts plus prior.  Balanced accuracy and the correlation coefficient
 * (MCC) are drawn.  All else is good to 1e-9 in probability for counts to 10^8.
 *
 * Ref: Goutte and Gaussier (2005), A probabilistic interpretation of precision, recall and
 * F-score, with implication for evaluation, ECIR.
 */
#ifndef IV_STAT_PRF_PRF_COUNTS_H
#define IV_STAT_PRF_PRF_COUNTS_H

#include <stdlib.h>

#include "intervale/stat/prf_metrics.h"

/* Parameters of the Dirichlet posterior; tn is 0 where it is not known. */
typedef struct iv_prf_cells {
    double tp, fp, fn, tn;
} iv_prf_cells;

/* Options, with their defaults filled in and their domains checked: IV_EARG. */
IV_MUST_CHECK int iv_prf_check_prior(iv_prf_prior *prior, iv_err *err);
IV_MUST_CHECK int iv_prf_check_draws(size_t *draws, iv_err *err);

/* The posterior after `counts`.  IV_EARG for a count below 0 or above IV_PRF_COUNT_MAX, or a prior
 * outside its domain. */
IV_MUST_CHECK int iv_prf_update(iv_prf_cells *out, iv_prf_prior prior, const iv_prf_counts *counts,
                                iv_err *err);

/* "precision", "f1", "f0.5", ...; returns out. */
enum { IV_PRF_NAME_SIZE = 48 };
const char *iv_prf_name(char out[IV_PRF_NAME_SIZE], iv_prf_metric m);

/* The metric of counts, and of probabilities of the four cells; NaN: 0/0, or TN is missing. */
double iv_prf_value(iv_prf_metric m, const iv_prf_counts *counts);
double iv_prf_of_cells(iv_prf_metric m, double tp, double fp, double fn, double tn);

/*
 * Items with a gold label and what each system said; labels[i * (systems + 1)] is gold's label of
 * item i, the systems' follow.  Labels are in [0, classes); of two classes 1 is the positive one.
 */
typedef struct iv_prf_items {
    size_t items, systems;
    int32_t classes;
    const int32_t *labels;
} iv_prf_items;

/* Fills classes x classes counts, [gold][said], of one system; one class against the rest. */
void iv_prf_confusion(int64_t *matrix, const iv_prf_items *items, size_t system);
iv_prf_counts iv_prf_one_against_rest(const int64_t *matrix, int32_t classes, int32_t k);

/*
 * How many items only A and only B got right: by IV_PRF_ACCURACY of all items; by IV_PRF_RECALL of
 * those of a class; by IV_PRF_SPECIFICITY of those of other classes, where not to name the class is
 * right.
 */
typedef struct iv_paired_cells {
    double a, b, rest;
} iv_paired_cells;
iv_paired_cells iv_prf_paired(const iv_prf_items *items, size_t a, size_t b, iv_prf_kind kind,
                              int32_t klass);

/* McNemar's two-sided p, as compare has it; 1 when nobody won. */
double iv_mcnemar(double a_only, double b_only);

#endif
