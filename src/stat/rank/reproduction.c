/* SPDX-License-Identifier: Apache-2.0 */
#include "intervale/stat/reproduction.h"

#include <math.h>

#include "base/parallel.h"
#include "intervale/num.h"
#include "intervale/stat/interval.h"

/* Mean of x by counts, and its standard error, n values in all. */
static void moments(double *mean, double *se, const double *x, const uint32_t *counts, size_t n)
{
    double sum = 0.0, squares = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += x[i] * (counts == NULL ? 1.0 : counts[i]);
    *mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - *mean) * (x[i] - *mean) * (counts == NULL ? 1.0 : counts[i]);
    *se = sqrt(squares / ((double)n * (double)(n - 1)));
}

int iv_reproduced_rmse(iv_reproduced *out, const double *original, const double *again,
                       size_t n, double confidence, size_t resamples, const iv_work *work,
                       iv_err *err)
{
    enum { REPRODUCED = 0x726d7365 };
    const size_t B = resamples == 0 ? 10000 : resamples;
    const double c = confidence == 0.0 ? 0.95 : confidence, N = (double)n;
    double mean = NAN, se = NAN;
    iv_arena memory = { 0 };
    double *x = iv_take(&memory, n, sizeof *x), *t = iv_take(&memory, B, sizeof *t);
    uint32_t *counts = iv_take(&memory, n, sizeof *counts);
    int rc = iv_taken(&memory, err);
    size_t kept = 0;

    for (size_t i = 0; i < n && rc == IV_OK; i++)
        x[i] = (original[i] - again[i]) * (original[i] - again[i]);
    if (rc == IV_OK && n > 1)
        moments(&mean, &se, x, NULL, n);
    else if (rc == IV_OK && n == 1)
        mean = x[0];
    for (size_t k = 0; k < B && rc == IV_OK && n > 2 && se > 0.0; k++) {
        iv_stream s = iv_stream_start(iv_work_seed(work), REPRODUCED, k);
        double m = 0.0, e = 0.0;
        iv_draw_resample(&s, counts, n);
        moments(&m, &e, x, counts, n);
        if (e > 0.0) /* a topic n times has no spread */
            t[kept++] = (m - mean) / e;
        if (k % 64 == 0)
            rc = iv_check_work(work, (double)k / (double)B, err);
    }
    if (rc == IV_OK) {
        *out = (iv_reproduced){ sqrt(mean), NAN, NAN };
        if (kept > 1) {
            const double tail = iv_norm_cdf(-sqrt(N / (N - 1.0)) * iv_t_isf(0.5 * (1.0 - c),
                                                                            N - 1.0));
            out->lower = sqrt(fmax(mean - iv_quantile(t, kept, 1.0 - tail) * se, 0.0));
            out->upper = sqrt(fmax(mean - iv_quantile(t, kept, tail) * se, 0.0));
        }
    }
    iv_arena_free(&memory);
    return rc;
}

void iv_reproduced_effect(iv_reproduced *ratio, iv_reproduced *change, const double *baseline,
                          const double *advanced, const double *baseline_again,
                          const double *advanced_again, size_t n, double confidence)
{
    const double c = confidence == 0.0 ? 0.95 : confidence, N = (double)n;
    const double t = n > 1 ? iv_t_isf(0.5 * (1.0 - c), N - 1.0) : NAN;
    double b = 0.0, a = 0.0, b2 = 0.0, a2 = 0.0, xx = 0.0, xy = 0.0, yy = 0.0, square = 0.0;

    for (size_t i = 0; i < n; i++) {
        b += baseline[i] / N;
        a += advanced[i] / N;
        b2 += baseline_again[i] / N;
        a2 += advanced_again[i] / N;
    }
    const double x = a - b, y = a2 - b2;
    for (size_t i = 0; i < n; i++) {
        const double dx = advanced[i] - baseline[i] - x;
        const double dy = advanced_again[i] - baseline_again[i] - y;
        /* What the topic moves the difference of the two ratios of means. */
        const double moves = (advanced[i] - a / b * baseline[i]) / b
            - (advanced_again[i] - a2 / b2 * baseline_again[i]) / b2;
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
        square += moves * moves;
    }
    const double scale = t * t / (N * (N - 1.0));
    /* Fieller: the ratios r for which y - r x is not significant. */
    const double p = x * x - scale * xx, q = x * y - scale * xy, r = y * y - scale * yy;
    const double root = sqrt(fmax(q * q - p * r, 0.0));
    *ratio = p > 0.0 ? (iv_reproduced){ y / x, (q - root) / p, (q + root) / p }
                     : (iv_reproduced){ x != 0.0 ? y / x : NAN, NAN, NAN };
    const double change_now = a / b - a2 / b2, half = sqrt(scale * square);
    *change = (iv_reproduced){ change_now, change_now - half, change_now + half };
}
