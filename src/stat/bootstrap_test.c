/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bootstrap test of a mean of 0, Studentised: the resampled t statistic of
 * the centred differences stands for its distribution under the hypothesis.
 *
 * Ref: Efron and Tibshirani (1993), An Introduction to the Bootstrap, 16.4.
 */
#include <stdlib.h>

#include "stat/paired.h"

/* t of the resample in which centred[i] stands counts[i] times; its sign times
 * infinity if the resample has no spread but a mean. */
static double resampled_t(const double *centred, const uint32_t *counts, size_t n)
{
    double sum = 0.0, squares = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += counts[i] * centred[i];
    const double mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += counts[i] * (centred[i] - mean) * (centred[i] - mean);
    const double se = sqrt(squares / (double)(n - 1) / (double)n);
    if (se > 0.0)
        return mean / se;
    return mean == 0.0 ? 0.0 : copysign(INFINITY, mean);
}

int iv_bootstrap_test(iv_test *out, const double *d, size_t n, size_t resamples,
                      uint64_t seed, iv_alternative alternative, iv_err *err)
{
    const iv_differences k = iv_describe_differences(d, n);
    size_t extreme = 0;

    if (n < 2 || !(k.sd > 0.0)) {
        *out = iv_no_test(n, n < 2 ? "fewer than two topics" : "all differences are equal");
        return IV_OK;
    }
    double *centred = malloc(n * sizeof *centred);
    uint32_t *counts = malloc(n * sizeof *counts);
    if (centred == NULL || counts == NULL) {
        free(centred);
        free(counts);
        return iv_fail(err, IV_ENOMEM, "out of memory");
    }
    for (size_t i = 0; i < n; i++)
        centred[i] = d[i] - k.mean;
    const double t = k.mean / (k.sd / sqrt((double)n));
    for (size_t r = 0; r < resamples; r++) {
        iv_stream s = iv_stream_start(seed, IV_FOR_BOOTSTRAP, r);
        iv_draw_resample(&s, counts, n);
        extreme += iv_as_extreme(resampled_t(centred, counts, n), t, alternative);
    }
    *out = (iv_test){ (double)(extreme + 1) / (double)(resamples + 1), t, n, false, NULL };
    free(centred);
    free(counts);
    return IV_OK;
}
