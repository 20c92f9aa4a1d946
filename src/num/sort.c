/* SPDX-License-Identifier: Apache-2.0 */
#include "num/sort.h"

#include <stdlib.h>

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void iv_sort_reals(double *x, size_t count)
{
    if (count > 1)
        qsort(x, count, sizeof *x, rising);
}
