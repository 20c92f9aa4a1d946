/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in order. */
#ifndef IV_NUM_SORT_H
#define IV_NUM_SORT_H

#include <stddef.h>

/* Sorts numbers, none of them NaN, the smallest first. */
void iv_sort_reals(double *x, size_t count);

#endif /* IV_NUM_SORT_H */
