/* SPDX-License-Identifier: Apache-2.0 */
/* Orders for qsort() and bsearch(). */
#ifndef IV_BASE_ORDER_H
#define IV_BASE_ORDER_H

#include "intervale/base.h"

/* Doubles, the smallest first; none may be NaN. */
static inline int iv_ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Doubles, the largest first. */
static inline int iv_descending(const void *a, const void *b)
{
    return iv_ascending(b, a);
}

/* A number and its place among others. */
typedef struct iv_placed {
    double value;
    size_t at;
} iv_placed;

/* These, the largest first, of equal ones that of the first place. */
static inline int iv_descending_placed(const void *a, const void *b)
{
    const iv_placed *x = a, *y = b;

    return x->value != y->value ? (x->value > y->value ? -1 : 1)
                                : (x->at > y->at) - (x->at < y->at);
}

/* Places of doubles, that of the largest first. */
static inline int iv_descending_at(const void *a, const void *b)
{
    return iv_descending(*(const double *const *)a, *(const double *const *)b);
}

/* Sizes, the smallest first. */
static inline int iv_ascending_sizes(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return (x > y) - (x < y);
}

/* Words of 64 bits, the smallest first. */
static inline int iv_ascending_words(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Grades and other small numbers, the smallest first. */
static inline int iv_ascending_grades(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

/* iv_str by bytes. */
static inline int iv_ascending_texts(const void *a, const void *b)
{
    return iv_str_cmp(*(const iv_str *)a, *(const iv_str *)b);
}

/* A name, by which it is sorted, and its place among others. */
typedef struct iv_named {
    iv_str name;
    size_t at;
} iv_named;

static inline int iv_by_name(const void *a, const void *b)
{
    const iv_named *x = a, *y = b;
    const int order = iv_str_cmp(x->name, y->name);

    return order != 0 ? order : (x->at > y->at) - (x->at < y->at);
}

#endif
