/* SPDX-License-Identifier: Apache-2.0 */
/* Scored items in the order of their scores, tied ones as groups. */
#ifndef IV_STAT_SCORED_ORDER_H
#define IV_STAT_SCORED_ORDER_H

#include "base/memory.h"
#include "intervale/stat/scored.h"

typedef struct iv_score_order {
    size_t count, positives, negatives;
    size_t *item;  /* the highest score first */
    size_t groups;
    size_t *end;   /* of each group of one score, in `item`, excluded */
} iv_score_order;

/* Sorts and checks, as iv_auc() does. */
IV_MUST_CHECK int iv_score_order_make(iv_score_order *out, iv_arena *memory,
                                      const iv_scored_items *items, double confidence,
                                      iv_err *err);

/* Refuses lists that are NULL and items of a class that there is not. */
IV_MUST_CHECK int iv_check_classes(const iv_class_items *items, iv_err *err);

#endif /* IV_STAT_SCORED_ORDER_H */
