/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of two assessors' labels, of all units and without one. */
#ifndef IV_STAT_AGREEMENT_PARTS_H
#define IV_STAT_AGREEMENT_PARTS_H

#include "intervale/stat/agreement.h"

typedef struct iv_label_tables {
    size_t labels, items, units; /* units: what is left out in turn */
    double *all, *less;          /* [a * labels + b], by weight */
} iv_label_tables;

/* Checks the items and counts them; freed by iv_label_tables_free() where it succeeded. */
IV_MUST_CHECK int iv_label_tables_new(iv_label_tables *t, const iv_label_pairs *pairs,
                                      double confidence, iv_err *err);
void iv_label_tables_free(iv_label_tables *t);

/* The table without a unit; valid until the next. */
const double *iv_label_table_without(iv_label_tables *t, const iv_label_pairs *pairs, size_t unit);

/* What is left at each end; confidence 0 is .95. */
double iv_agreement_tail(double confidence);

/* The limits of a coefficient cut at -1 and 1. */
iv_over_units iv_within_one(iv_over_units x);

#endif /* IV_STAT_AGREEMENT_PARTS_H */
