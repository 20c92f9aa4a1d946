/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of items, counted. */
#include <string.h>

#include "intervale/stat/prf.h"

static const int32_t *item(const iv_prf_items *items, size_t i)
{
    return items->labels + i * (items->systems + 1);
}

void iv_prf_confusion(int64_t *matrix, const iv_prf_items *items, size_t system)
{
    const size_t k = (size_t)items->classes;

    memset(matrix, 0, k * k * sizeof *matrix);
    for (size_t i = 0; i < items->items; i++) {
        const int32_t *l = item(items, i);
        matrix[(size_t)l[0] * k + (size_t)l[1 + system]]++;
    }
}

iv_prf_counts iv_prf_one_against_rest(const int64_t *matrix, int32_t classes, int32_t k)
{
    const size_t n = (size_t)classes, at = (size_t)k;
    iv_prf_counts c = { 0, 0, 0, 0 };

    for (size_t i = 0; i < n * n; i++)
        c.tn += matrix[i];
    for (size_t i = 0; i < n; i++) {
        c.fn += matrix[at * n + i];
        c.fp += matrix[i * n + at];
    }
    c.tp = matrix[at * n + at];
    c.tn -= c.fn + c.fp - c.tp;
    c.fn -= c.tp;
    c.fp -= c.tp;
    return c;
}

iv_paired_counts iv_prf_paired(const iv_prf_items *items, size_t a, size_t b, iv_prf_kind kind,
                               int32_t klass)
{
    iv_paired_counts c = { 0, 0, 0 };

    for (size_t i = 0; i < items->items; i++) {
        const int32_t *l = item(items, i), gold = l[0];
        if (kind != IV_PRF_ACCURACY && (gold == klass) != (kind == IV_PRF_RECALL))
            continue;
        const bool other = kind == IV_PRF_SPECIFICITY; /* any but the class is right */
        const bool a_right = other ? l[1 + a] != klass : l[1 + a] == gold;
        const bool b_right = other ? l[1 + b] != klass : l[1 + b] == gold;
        c.a_only += a_right && !b_right;
        c.b_only += b_right && !a_right;
        c.rest += a_right == b_right;
    }
    return c;
}
