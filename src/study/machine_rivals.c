/* SPDX-License-Identifier: Apache-2.0 */
/* What other tools do with a machine's labels; tried, and not used. */
#include <math.h>

#include "intervale/num.h"
#include "study/machine_study.h"

static double mean_of(const double *x, size_t n)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}

/* The variance of y - slope x (y may be NULL: of -slope x), divided by n - less. */
static double variance_of(const double *y, const double *x, double slope, size_t n, double less)
{
    const double mean = (y != NULL ? mean_of(y, n) : 0.0) - slope * mean_of(x, n);
    double sum = 0.0;

    for (size_t i = 0; i < n; i++) {
        const double d = (y != NULL ? y[i] : 0.0) - slope * x[i] - mean;
        sum += d * d;
    }
    return sum / ((double)n - less);
}

static iv_rival with_slope(const double *human, size_t n, const double *machine, size_t units,
                           double slope, double less, double confidence)
{
    const double *rest = machine + n, N = (double)(units - n);
    const double z = iv_norm_isf(0.5 * (1.0 - confidence));
    iv_rival r = { .value = mean_of(human, n)
                       + slope * (mean_of(rest, units - n) - mean_of(machine, n)) };

    r.se = sqrt(variance_of(NULL, rest, slope, units - n, less) / N
                + variance_of(human, machine, slope, n, less) / (double)n);
    r.lower = r.value - z * r.se;
    r.upper = r.value + z * r.se;
    return r;
}

iv_rival iv_rival_ppi(const double *human, size_t n, const double *machine, size_t units,
                      double confidence)
{
    return with_slope(human, n, machine, units, 1.0, 0.0, confidence);
}

static double tuned_slope(const double *human, size_t n, const double *machine, size_t units)
{
    const double x = mean_of(human, n), z = mean_of(machine, n), N = (double)(units - n);
    const double spread = variance_of(NULL, machine, 1.0, units, 1.0);
    double with = 0.0;

    for (size_t i = 0; i < n; i++)
        with += (human[i] - x) * (machine[i] - z) / ((double)n - 1.0);
    return spread > 0.0 ? with / ((1.0 + (double)n / N) * spread) : 0.0;
}

iv_rival iv_rival_tuned(const double *human, size_t n, const double *machine, size_t units,
                        bool clipped, double confidence)
{
    const double slope = tuned_slope(human, n, machine, units);

    return with_slope(human, n, machine, units, clipped ? fmin(1.0, fmax(0.0, slope)) : slope, 1.0,
                      confidence);
}

iv_rival iv_rival_stratified(const double *const *human, const double *const *machine,
                             const size_t *judged, const size_t *size, size_t strata,
                             double confidence)
{
    const double z = iv_norm_isf(0.5 * (1.0 - confidence));
    iv_rival r = { 0 };
    double all = 0.0, variance = 0.0;

    for (size_t k = 0; k < strata; k++)
        all += (double)size[k];
    for (size_t k = 0; k < strata; k++) {
        const iv_rival one = iv_rival_tuned(human[k], judged[k], machine[k], size[k], false,
                                            confidence);
        const double share = (double)size[k] / all;
        r.value += share * one.value;
        variance += share * share * one.se * one.se;
    }
    r.se = sqrt(variance);
    r.lower = r.value - z * r.se;
    r.upper = r.value + z * r.se;
    return r;
}

iv_rival iv_rival_rogan_gladen(double share, double n, double specificity, double m0,
                               double sensitivity, double m1, double confidence)
{
    const double z = iv_norm_isf(0.5 * (1.0 - confidence)), z2 = z * z;
    /* Everything is smoothed before the error is reckoned, and the value shifted. */
    const double p = (n * share + 0.5 * z2) / (n + z2);
    const double q0 = (m0 * specificity + 1.0) / (m0 + 2.0);
    const double q1 = (m1 * sensitivity + 1.0) / (m1 + 2.0), span = q0 + q1 - 1.0;
    const double v0 = q0 * (1.0 - q0) / (m0 + 2.0), v1 = q1 * (1.0 - q1) / (m1 + 2.0);
    const double at = (p + q0 - 1.0) / span;
    const double shift = 2.0 * z2 * (at * v1 - (1.0 - at) * v0);
    iv_rival r = { .value = (share + specificity - 1.0) / (sensitivity + specificity - 1.0) };

    r.se = sqrt(p * (1.0 - p) / (n + z2) + (1.0 - at) * (1.0 - at) * v0 + at * at * v1)
        / fabs(span);
    r.lower = at + shift - z * r.se;
    r.upper = at + shift + z * r.se;
    return r;
}
