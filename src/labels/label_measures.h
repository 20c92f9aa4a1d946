/* SPDX-License-Identifier: Apache-2.0 */
/* Measures as functions of labels: the value and its gradient. */
#ifndef IV_LABELS_LABEL_MEASURES_H
#define IV_LABELS_LABEL_MEASURES_H

#include "base/memory.h"
#include "intervale/measure.h"
#include "retrieval/known_frame.h"

/*
 * Measures as functions of labels: the value and its gradient.
 *
 * A label x of a document is a number, at best from 0 to 1: whether its grade reaches a level, the
 * probability that it does, or an estimate of either.  Measures of several levels (nDCG, DCG,
 * graded RBP) have a label for each level and add a gain for each level that is reached.
 */

enum { IV_LABEL_LEVELS = 16 };

typedef enum iv_label_kind {
    IV_LABEL_P, IV_LABEL_RBP, IV_LABEL_DCG, IV_LABEL_AP, IV_LABEL_RECALL, IV_LABEL_RPREC,
    IV_LABEL_NDCG, IV_LABEL_OTHER
} iv_label_kind;

typedef struct iv_label_measure {
    iv_label_kind kind;  /* IV_LABEL_OTHER: not a function that is known here */
    size_t cutoff;       /* 0: none */
    size_t level, levels; /* the first level that counts, and how many */
    double persistence;  /* of RBP */
    double gain[IV_LABEL_LEVELS]; /* that each level adds */
} iv_label_measure;

/* The i-th measure, given the grades that are levels, rising; largest: the largest grade. */
iv_label_measure iv_label_measure_of(const iv_measures *m, size_t i, const int32_t *grade,
                                     size_t levels, int32_t largest);

/* Is the measure linear in the labels? */
bool iv_label_measure_linear(const iv_label_measure *m);

/* Sums of the discounts 1 / log2(i + 1): sums[k] is that of the first k ranks, k to `ranks`; NULL
 * when memory is out. */
double *iv_label_discounts(iv_arena *memory, size_t ranks);

/*
 * The value; x is level x count, of all levels.  u has room for m->levels x count and becomes the
 * gradient, from m->level on.  discounts must reach the largest rank and count, plus 1.
 * AP counts a document's own term in its precision as 1, which is exact for labels 0 and 1 and
 * removes the square of a label.  Discounts of an ideal ranking are linear between whole ranks.
 */
double iv_label_measure_value(double *u, const iv_label_measure *m, const double *x, size_t count,
                              const iv_label_ranking *r, const double *discounts);

#endif
