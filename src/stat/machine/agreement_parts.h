/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of two assessors' labels, of all units and without one. */
#ifndef IV_STAT_AGREEMENT_PARTS_H
#define IV_STAT_AGREEMENT_PARTS_H

#include "intervale/stat/agreement.h"

typedef struct iv_label_tables {
    size_t labels, items, units; /* units: what is left out in turn */
    double *all, *less;          /* [a * labels + b], by weight */
} iv_label_tables;

#endif /* IV_STAT_AGREEMENT_PARTS_H */
