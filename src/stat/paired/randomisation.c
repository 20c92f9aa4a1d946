/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fisher's randomisation test for pairs: flips of signs.
 *
 * With few topics all 2^n flips are counted: the sums of either half of the
 * topics are listed in order, and two fingers walk the lists in opposite
 * directions.  With more, flips.h has the tail of their distribution.
 *
 * Ref: Fisher (1935), The Design of Experiments, section 21; Smucker, Allan
 * and Carterette (2007), CIKM, for retrieval.
 */
#include <stdlib.h>

#include "base/checking.h"
#include "base/parallel.h"
#include "stat/paired/flips.h"
#include "stat/paired/paired_parts.h"
#include "stat/paired/replicates.h"
#include "stat/paired_private.h"

/* ------------------------------------------------------ all of them -- */

/* Lists all sums of +-d[i], ascending; both arrays have room for 2^n. */
static double *list_sums(double *sums, double *scratch, const double *d, size_t n)
{
    size_t count = 1;

    sums[0] = 0.0;
    for (size_t i = 0; i < n; i++, count *= 2) {
        const double step = fabs(d[i]);
        size_t low = 0, high = 0;
        for (size_t k = 0; k < 2 * count; k++) {
            if (high == count || (low < count && sums[low] - step <= sums[high] + step))
                scratch[k] = sums[low++] - step;
            else
                scratch[k] = sums[high++] + step;
        }
        double *swap = sums;
        sums = scratch;
        scratch = swap;
    }
    return sums;
}

/* How many of x + y (x, y in ascending lists) are at least `bound`? */
static uint64_t count_at_least(const double *x, size_t nx, const double *y, size_t ny,
                               double bound)
{
    uint64_t count = 0;
    size_t from = ny; /* y[from...] reach the bound with the x at hand */

    for (size_t i = 0; i < nx; i++) {
        while (from > 0 && x[i] + y[from - 1] >= bound)
            from--;
        count += ny - from;
    }
    return count;
}

static int exact_flips(iv_test *out, const double *d, size_t n, double sum,
                       iv_alternative alternative, iv_err *err)
{
    const size_t half = n / 2, nx = (size_t)1 << half, ny = (size_t)1 << (n - half);
    double *room = malloc(2 * (nx + ny) * sizeof *room);

    if (room == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    const double *x = list_sums(room, room + nx, d, half);
    const double *y = list_sums(room + 2 * nx, room + 2 * nx + ny, d + half, n - half);
    const double all = (double)nx * (double)ny, slack = iv_slack_of(d, n) * (double)n;
    /* The distribution is symmetric: the lower tail is an upper one. */
    const double seen = alternative == IV_LESS ? -sum
        : alternative == IV_GREATER ? sum : fabs(sum);
    const double tail = (double)count_at_least(x, nx, y, ny, seen - slack) / all;
    out->p = alternative != IV_TWO_SIDED ? tail : seen > slack ? 2.0 * tail : 1.0;
    out->exact = true;
    free(room);
    return IV_OK;
}

/* ------------------------------------------------------------ the test -- */

/* More topics: the tail is computed.  See flips.h. */
static void computed_flips(iv_test *out, const double *d, size_t n, double sum,
                           iv_alternative alternative, iv_flips *f)
{
    const bool down = alternative == IV_LESS || (alternative == IV_TWO_SIDED && sum < 0.0);
    const double tail = iv_flips_tail(&out->exact, d, n, down, f);

    out->p = alternative != IV_TWO_SIDED ? tail
        : fabs(sum) > iv_slack_of(d, n) * (double)n ? fmin(1.0, 2.0 * tail) : 1.0;
}

int iv_randomise(iv_test *out, const double *d, size_t n, iv_alternative alternative,
                 iv_flips *f, iv_err *err)
{
    iv_test test = { .used = n };
    double sum = 0.0;
    int rc = IV_OK;

    if (n == 0) {
        *out = iv_no_test(0, "no topics");
        return IV_OK;
    }
    for (size_t t = 0; t < n; t++)
        sum += d[t];
    test.statistic = sum / (double)n;
    const double *moved;
    const size_t k = iv_flips_moved(&moved, d, n, f); /* a topic of 0 flips to itself */
    if (k <= IV_FLIPS_LISTED)
        rc = exact_flips(&test, moved, k, sum, alternative, err);
    else
        computed_flips(&test, d, n, sum, alternative, f);
    if (rc == IV_OK)
        *out = test;
    return rc;
}

int iv_randomisation_test(iv_test *out, const double *d, size_t n, iv_alternative alternative,
                          iv_err *err)
{
    IV_TRY(iv_check_list(d, n, "difference", err));
    IV_TRY(iv_check_choice(alternative, iv_alternative_names(), "the alternative", err));
    iv_flips *f = iv_flips_new(n);

    if (f == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    const int rc = iv_randomise(out, d, n, alternative, f, err);
    iv_flips_free(f);
    return rc;
}
