/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What repeats bring to all items together: a seed that makes everything a little worse
 * moves the mean however many items there are.
 *
 * Mean squares of repeats and of what is left, on items that have all the repeats; what the
 * second explains of the first is not counted, so that repeats that are independent from
 * item to item bring nothing.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "intervale/stat/structure.h"

/* Is the item there with all repeats that are in use? */
static bool whole(const double *x, const bool *used, size_t repeats)
{
    for (size_t r = 0; r < repeats; r++)
        if (used[r] && isnan(x[r]))
            return false;
    return true;
}

/* Which repeats are in use, and their means over whole items; returns how many items. */
static double means_of(double *mean, bool *used, double *count, const double *x, size_t items,
                       size_t repeats)
{
    double n = 0.0;

    *count = 0.0;
    for (size_t r = 0; r < repeats; r++) {
        mean[r] = 0.0;
        used[r] = false;
        for (size_t t = 0; t < items && !used[r]; t++)
            used[r] = !isnan(x[t * repeats + r]);
        *count += used[r];
    }
    for (size_t t = 0; t < items; t++)
        n += whole(x + t * repeats, used, repeats);
    for (size_t t = 0; t < items; t++)
        for (size_t r = 0; whole(x + t * repeats, used, repeats) && r < repeats; r++)
            mean[r] += used[r] ? x[t * repeats + r] / n : 0.0;
    return n;
}

/* The squares that are left on one item. */
static double left_on(const double *x, const double *mean, const bool *used, size_t repeats,
                      double count, double all)
{
    double own = 0.0, sum = 0.0;

    for (size_t r = 0; r < repeats; r++)
        own += used[r] ? x[r] / count : 0.0;
    for (size_t r = 0; r < repeats; r++) {
        const double e = x[r] - own - mean[r] + all;
        sum += used[r] ? e * e : 0.0;
    }
    return sum;
}

int iv_repeat_variance(double *variance, double *df, const double *x, size_t items,
                       size_t repeats, iv_err *err)
{
    double *mean = calloc(repeats + 1, sizeof *mean), count, all = 0.0, between = 0.0, left = 0.0;
    bool *used = calloc(repeats + 1, sizeof *used);

    if (mean == NULL || used == NULL) {
        free(mean);
        free(used);
        return iv_fail(err, IV_ENOMEM, "out of memory");
    }
    const double n = means_of(mean, used, &count, x, items, repeats);
    for (size_t r = 0; r < repeats; r++)
        all += used[r] ? mean[r] / count : 0.0;
    for (size_t r = 0; r < repeats; r++)
        between += used[r] ? n * (mean[r] - all) * (mean[r] - all) : 0.0;
    for (size_t t = 0; t < items; t++)
        if (whole(x + t * repeats, used, repeats))
            left += left_on(x + t * repeats, mean, used, repeats, count, all);
    *df = count - 1.0;
    *variance = n < 2.0 || count < 2.0 ? 0.0
        : fmax(0.0, between / (count - 1.0) - left / ((count - 1.0) * (n - 1.0))) / (n * count);
    free(mean);
    free(used);
    return IV_OK;
}
