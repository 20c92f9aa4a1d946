/* SPDX-License-Identifier: Apache-2.0 */
#include "study/map_sort.h"

#include <math.h>
#include <string.h>

static void insertion_sort(double *values, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const double value = values[i];
        size_t at = i;
        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

void iv_map_sort(double *values, size_t count, double *scratch, size_t *bucket)
{
    double low = INFINITY, high = -INFINITY;

    for (size_t i = 0; i < count; i++) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    if (!(high > low))
        return;
    /* The largest must stay inside the last bucket whatever is rounded. */
    const double scale = (double)count * (1.0 - 1e-9) / (high - low);
    if (!isfinite(scale)) {
        insertion_sort(values, count);
        return;
    }
    memset(bucket, 0, (count + 1) * sizeof *bucket);
    for (size_t i = 0; i < count; i++)
        bucket[(size_t)((values[i] - low) * scale) + 1]++;
    for (size_t b = 1; b < count; b++)
        bucket[b] += bucket[b - 1];
    for (size_t i = 0; i < count; i++)
        scratch[bucket[(size_t)((values[i] - low) * scale)]++] = values[i];
    insertion_sort(scratch, count);
    memcpy(values, scratch, count * sizeof *values);
}
