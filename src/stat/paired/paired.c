/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions and the tests whose distribution has a closed form. */

#include <math.h>

#include "base/names.h"
#include "stat/paired/paired_parts.h"
#include "num/num_private.h"
#include "stat/paired_private.h"

IV_NAMES(iv_alternative_names, "two-sided", "greater", "less")

IV_NAMES(iv_sign_ties_names, "discard", "split")

IV_NAMES(iv_zeros_names, "drop", "rank")

iv_test iv_no_test(size_t used, const char *why)
{
    return (iv_test){ (double)NAN, (double)NAN, used, false, why };
}

double iv_tail_p(double lower, double upper, iv_alternative alternative)
{
    if (alternative == IV_GREATER)
        return upper;
    if (alternative == IV_LESS)
        return lower;
    return fmin(1.0, 2.0 * fmin(lower, upper));
}

iv_differences iv_describe_differences(const double *d, size_t n)
{
    iv_differences out = { .n = n, .sd = (double)NAN, .effect = (double)NAN,
                           .skewness = (double)NAN };
    double sum = 0.0, squares = 0.0, cubes = 0.0;
    bool constant = true;

    for (size_t i = 0; i < n; i++) {
        constant = constant && d[i] == d[0];
        out.wins += d[i] > 0.0;
        out.ties += d[i] == 0.0;
        out.losses += d[i] < 0.0;
        sum += d[i];
    }
    out.mean = sum / (double)n;
    /* n times d over n may differ from d in the last digit: no spread then. */
    if (n > 0 && constant)
        out.mean = d[0];
    for (size_t i = 0; i < n; i++) {
        const double e = d[i] - out.mean;
        squares += e * e;
        cubes += e * e * e;
    }
    if (n > 1) {
        out.sd = sqrt(squares / (double)(n - 1));
        if (out.sd > 0.0) {
            const double s = sqrt(squares / (double)n);
            out.effect = out.mean / out.sd;
            out.skewness = cubes / (double)n / s / s / s;
        }
    }
    return out;
}

iv_test iv_sign_test(const double *d, size_t n, iv_sign_ties ties,
                     iv_alternative alternative)
{
    const iv_differences k = iv_describe_differences(d, n);
    const size_t half = ties == IV_TIES_SPLIT ? k.ties / 2 : 0;
    const int64_t wins = (int64_t)(k.wins + half);
    const int64_t used = (int64_t)(k.wins + k.losses + 2 * half);

    if (used == 0)
        return iv_no_test(0, "no topic on which the two differ");
    const double lower = iv_binom_cdf(wins, used, 0.5);
    const double upper = iv_binom_sf(wins - 1, used, 0.5);
    return (iv_test){ iv_tail_p(lower, upper, alternative), (double)wins, (size_t)used,
                      true, NULL };
}

iv_test iv_t_test(const double *d, size_t n, iv_alternative alternative)
{
    const iv_differences k = iv_describe_differences(d, n);

    if (n < 2)
        return iv_no_test(n, "fewer than two topics");
    if (!(k.sd > 0.0))
        return iv_no_test(n, "all differences are equal");
    const double df = (double)(n - 1);
    const double t = k.mean / (k.sd / sqrt((double)n));
    return (iv_test){ iv_tail_p(iv_t_cdf(t, df), iv_t_sf(t, df), alternative), t, n, true,
                      NULL };
}

size_t iv_pair_count(size_t systems)
{
    return systems * (systems - (systems > 0)) / 2;
}

size_t iv_pair_index(size_t systems, size_t a, size_t b)
{
    return a * (2 * systems - a - 1) / 2 + (b - a - 1);
}

void iv_pair_at(size_t *a, size_t *b, size_t systems, size_t place)
{
    size_t i = 0;

    while (i + 2 < systems && iv_pair_index(systems, i + 1, i + 2) <= place)
        i++;
    *a = i;
    *b = i + 1 + place - iv_pair_index(systems, i, i + 1);
}
