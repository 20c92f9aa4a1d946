/* SPDX-License-Identifier: Apache-2.0 */
/* Orders for qsort() and bsearch(), of plain values. */
#ifndef IV_BASE_ORDER_H
#define IV_BASE_ORDER_H

#include <stddef.h>

#include "intervale/base.h"

/* Doubles, the smallest first; none may be NaN. */
static inline int iv_rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Doubles, the largest first. */
static inline int iv_falling(const void *a, const void *b)
{
    return iv_rising(b, a);
}

/* Places of doubles, that of the largest first. */
static inline int iv_falling_at(const void *a, const void *b)
{
    return iv_falling(*(const double *const *)a, *(const double *const *)b);
}

/* Sizes, the smallest first. */
static inline int iv_rising_sizes(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return (x > y) - (x < y);
}

/* iv_str by bytes. */
static inline int iv_rising_texts(const void *a, const void *b)
{
    return iv_str_cmp(*(const iv_str *)a, *(const iv_str *)b);
}

#endif /* IV_BASE_ORDER_H */
