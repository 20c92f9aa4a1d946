/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Correlation coefficients.
 *
 * Kendall's tau-b = (concordant - discordant) / sqrt((P - Tx)(P - Ty)), P all
 * pairs, Tx and Ty those tied in x and in y.  With the points ordered by x,
 * then y, the discordant pairs are the swaps that a merge sort by y makes.
 *
 * Ref: W. R. Knight (1966), A computer method for calculating Kendall's tau
 * with ungrouped data.
 */
#include "base/memory.h"
#include "num/num_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double point[2]; /* x, y */

static int by_x_then_y(const void *va, const void *vb)
{
    const double *a = va, *b = vb;

    if (a[0] != b[0])
        return a[0] < b[0] ? -1 : 1;
    return (a[1] > b[1]) - (a[1] < b[1]);
}

/* Sorts y by merging and returns the number of pairs that changed places. */
static double sort_and_count(double *y, double *spare, size_t n)
{
    double swaps = 0.0;

    for (size_t width = 1; width < n; width *= 2) {
        for (size_t from = 0; from < n; from += 2 * width) {
            const size_t middle = from + width < n ? from + width : n;
            const size_t to = middle + width < n ? middle + width : n;
            size_t i = from, j = middle;
            for (size_t k = from; k < to; k++) {
                if (j < to && (i == middle || y[j] < y[i])) {
                    swaps += (double)(middle - i);
                    spare[k] = y[j++];
                } else {
                    spare[k] = y[i++];
                }
            }
        }
        memcpy(y, spare, n * sizeof *y);
    }
    return swaps;
}

static double pairs(double n)
{
    return 0.5 * n * (n - 1.0);
}

/* Pairs tied in x, and in both, of points ordered by x, then y. */
static void count_ties(point *p, size_t n, double *in_x, double *in_both)
{
    size_t run_x = 1, run_both = 1;

    *in_x = *in_both = 0.0;
    for (size_t i = 1; i <= n; i++) {
        const bool same_x = i < n && p[i][0] == p[i - 1][0];
        const bool same = same_x && p[i][1] == p[i - 1][1];
        if (!same) {
            *in_both += pairs((double)run_both);
            run_both = 0;
        }
        if (!same_x) {
            *in_x += pairs((double)run_x);
            run_x = 0;
        }
        run_x++;
        run_both++;
    }
}

static double count_runs(const double *sorted, size_t n)
{
    double tied = 0.0;
    size_t run = 1;

    for (size_t i = 1; i <= n; i++) {
        if (i < n && sorted[i] == sorted[i - 1]) {
            run++;
        } else {
            tied += pairs((double)run);
            run = 1;
        }
    }
    return tied;
}

static double tau_b(point *p, double *y, size_t n)
{
    double in_x, in_both;

    qsort(p, n, sizeof *p, by_x_then_y);
    count_ties(p, n, &in_x, &in_both);
    for (size_t i = 0; i < n; i++)
        y[i] = p[i][1];
    const double discordant = sort_and_count(y, y + n, n);
    const double in_y = count_runs(y, n);
    const double all = pairs((double)n);
    const double concordant = all - in_x - in_y + in_both - discordant;
    return (concordant - discordant) / sqrt((all - in_x) * (all - in_y));
}

int iv_kendall(double *tau, const double *x, const double *y, size_t n,
               iv_err *err)
{
    iv_arena own = { 0 };

    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]) || isnan(y[i]))
            return iv_fail(err, IV_EARG, "value %zu is not a number", i);
    }
    if (n < 2)
        return iv_fail(err, IV_ENODATA, "Kendall's tau of %zu values", n);
    point *p = iv_take(&own, n, sizeof *p);
    double *work = iv_take(&own, 2 * n, sizeof *work), found = NAN;
    int rc = iv_taken(&own, err);
    for (size_t i = 0; rc == IV_OK && i < n; i++) {
        p[i][0] = x[i];
        p[i][1] = y[i];
    }
    if (rc == IV_OK)
        found = tau_b(p, work, n);
    if (rc == IV_OK && isfinite(found))
        *tau = fmax(-1.0, fmin(1.0, found));
    else if (rc == IV_OK)
        rc = iv_fail(err, IV_ENODATA, "Kendall's tau with all values equal");
    iv_arena_free(&own);
    return rc;
}

/* The rounding of the mean may leave a constant a variance. */
static bool is_constant(const double *x, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (x[i] != x[0])
            return false;
    }
    return true;
}

double iv_pearson(const double *x, const double *y, size_t n)
{
    double mean_x = 0.0, mean_y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;

    for (size_t i = 0; i < n; i++) {
        mean_x += x[i];
        mean_y += y[i];
    }
    mean_x /= (double)n;
    mean_y /= (double)n;
    for (size_t i = 0; i < n; i++) {
        const double dx = x[i] - mean_x, dy = y[i] - mean_y;
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    if (!(xx > 0.0 && yy > 0.0) || is_constant(x, n) || is_constant(y, n))
        return NAN;
    return fmax(-1.0, fmin(1.0, xy / sqrt(xx) / sqrt(yy)));
}
