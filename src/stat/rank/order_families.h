/* SPDX-License-Identifier: Apache-2.0 */
/* Systems whose errors go together. */
#ifndef IV_STAT_ORDER_FAMILIES_H
#define IV_STAT_ORDER_FAMILIES_H

#include "base/memory.h"
#include "intervale/base.h"

/* Systems that are near-copies of each other, or one by itself.  Their means over topics are
 * listed as a, b of the first, a, b of the second, ... */
typedef struct iv_order_family {
    const size_t *members;
    size_t count;
    double *weight; /* inverse error covariance of the means, 2 count x 2 count */
    double *pull;   /* weight times the means */
} iv_order_family;

typedef struct iv_order_families {
    iv_order_family *all;
    size_t count, largest;
} iv_order_families;

/*
 * Scores a and b of systems on topics, [system * topics + topic], two and more of each, and
 * their means.  Residuals are scores without the effects of system and topic.  Two systems are
 * near-copies if their residuals correlate by .7 (the mean of both scores), and by more than
 * chance makes of any pair; so are near-copies of near-copies.
 */
IV_MUST_CHECK int iv_find_families(iv_order_families *out, iv_arena *memory, const double *a,
                                   const double *b, const double *mean_a, const double *mean_b,
                                   size_t systems, size_t topics, const iv_work *work,
                                   iv_err *err);

#endif /* IV_STAT_ORDER_FAMILIES_H */
