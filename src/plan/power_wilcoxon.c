/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Power of Wilcoxon's signed rank test for normal differences, from the moments of its
 * statistic, the number of pairs i <= j with X_i + X_j > 0.  The arc sine of the root of
 * its share is near normal, with mean and variance to the second order.
 *
 * Ref: Lehmann (1975), Nonparametrics, section 4.2.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "intervale/num.h"
#include "plan/power_parts.h"

enum { EXACT_RANKS = 200 };

int iv_wilcoxon_critical(double *out, size_t n, double alpha, iv_err *err)
{
    const size_t largest = n * (n + 1) / 2;

    if (n > EXACT_RANKS) { /* normal, with continuity correction, as the test */
        const double mean = 0.5 * (double)largest;
        const double sd = sqrt((double)n * ((double)n + 1.0) * (2.0 * (double)n + 1.0) / 24.0);
        *out = floor(mean + 0.5 + sd * iv_norm_isf(alpha)) + 1.0;
        return IV_OK;
    }
    double *chance = calloc(largest + 1, sizeof *chance);
    if (chance == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    chance[0] = 1.0;
    for (size_t k = 1, top = 0; k <= n; top += k, k++) {
        for (size_t s = top + k + 1; s-- > 0;)
            chance[s] = 0.5 * (chance[s] + (s >= k ? chance[s - k] : 0.0));
    }
    double tail = 0.0;
    size_t c = largest + 1;
    while (c > 0 && tail + chance[c - 1] < alpha)
        tail += chance[--c];
    *out = (double)c;
    free(chance);
    return IV_OK;
}

/* Given X_1 = d + z: the chance of X_1 + X_2 > 0, and of both it and X_1 + X_3 > 0. */
static double one_sum(double z, void *user)
{
    const double d = *(const double *)user;

    return exp(-0.5 * z * z) * 0.39894228040143267794 * iv_norm_cdf(z + 2.0 * d);
}

static double two_sums(double z, void *user)
{
    const double d = *(const double *)user;

    return one_sum(z, user) * iv_norm_cdf(z + 2.0 * d);
}

/* P(share >= c), of a share in (0, 1) with this mean and standard deviation. */
static double reaches(double c, double mean, double sd)
{
    const double rest = mean * (1.0 - mean), first = 0.5 / sqrt(rest) * sd;
    const double second = 0.5 * (2.0 * mean - 1.0) / (4.0 * rest * sqrt(rest)) * sd * sd;

    return iv_norm_cdf((asin(sqrt(mean)) + second - asin(sqrt(c)))
                       / sqrt(first * first + 2.0 * second * second));
}

int iv_wilcoxon_power(iv_power *out, size_t topics, double effect, double alpha, bool two_sided,
                      iv_err *err)
{
    const double n = (double)topics, pairs = 0.5 * n * (n - 1.0), all = pairs + n;
    const double p1 = iv_norm_cdf(effect), p2 = iv_norm_cdf(1.4142135623730951 * effect);
    iv_integral both, three;
    double c;

    IV_TRY(iv_wilcoxon_critical(&c, topics, two_sided ? 0.5 * alpha : alpha, err));
    IV_TRY(iv_integrate(&both, one_sum, &effect, fmax(-effect, -9.0), 9.0, 1e-12, err));
    IV_TRY(iv_integrate(&three, two_sums, &effect, -9.0, 9.0, 1e-12, err));
    const double mean = n * p1 + pairs * p2;
    const double variance = n * p1 * (1.0 - p1) + pairs * p2 * (1.0 - p2)
        + n * (n - 1.0) * (n - 2.0) * (three.value - p2 * p2)
        + 2.0 * n * (n - 1.0) * (both.value - p1 * p2);
    if (c > all) { /* no sum is large enough */
        *out = (iv_power){ 0.0, 0.0, c };
        return IV_OK;
    }
    const double sd = sqrt(fmax(variance, 0.25)) / all, from = (c - 0.5) / all;
    const double share = fmin(mean / all, 1.0 - 1e-9);
    const double below = two_sided ? reaches(from, 1.0 - share, sd) : 0.0;
    *out = (iv_power){ fmin(reaches(from, share, sd) + below, 1.0), 0.0, c };
    return IV_OK;
}
