/* SPDX-License-Identifier: Apache-2.0 */
/* Tails of counts (binomial, hypergeometric, beta-binomial) by recurrence from atom to atom. */
#include "num/atoms.h"
#include "num/plain_math.h"
#include "num/saddle.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

static const int64_t largest = INT64_C(1) << 53;

enum { AFRESH = 1024 };

static double binom_curve(const double p[3], double k)
{
    return iv_binom_log_curve(k, p[0], p[1]);
}

static double hyper_curve(const double p[3], double k)
{
    return iv_hyper_log_curve(k, p[0], p[1], p[2]);
}

static double betabin_curve(const double p[3], double k)
{
    return iv_betabin_log_curve_raw(k, p[0], p[1], p[2]);
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static double certainty(const double p[3], double k)
{
    (void)p;
    (void)k;
    return 0.0;
}

bool iv_atoms_binom(iv_atoms *d, int64_t n, double p)
{
    if (n < 0 || n > largest || !(p >= 0.0 && p <= 1.0))
        return false;
    const double size = (double)n;
    *d = (iv_atoms){ .low = p == 1.0 ? size : 0.0,
                     .high = p == 0.0 ? 0.0 : size,
                     .mean = size * p,
                     .sd = sqrt(size * p * (1.0 - p)),
                     .parameter = { size, p },
                     .log_curve = binom_curve,
                     .u0 = size, .u1 = -1.0, .v0 = p,
                     .z2 = 1.0 - p,
                     .falls_down = true, .falls_up = true };
    if (d->low == d->high)
        d->log_curve = certainty;
    d->mode = clamp(floor((size + 1.0) * p), d->low, d->high);
    return true;
}

bool iv_atoms_hyper(iv_atoms *d, int64_t population, int64_t marked,
                    int64_t drawn)
{
    if (population < 0 || population > largest || marked < 0
        || marked > population || drawn < 0 || drawn > population)
        return false;
    const double all = (double)population;
    const double m = (double)marked, n = (double)drawn;
    *d = (iv_atoms){ .low = fmax(0.0, n - (all - m)),
                     .high = fmin(m, n),
                     .mean = population > 0 ? n * (m / all) : 0.0,
                     .parameter = { all, m, n },
                     .log_curve = hyper_curve,
                     .u0 = m, .u1 = -1.0, .v0 = n, .v1 = -1.0,
                     .z0 = all - m - n + 1.0, .z1 = 1.0,
                     .falls_down = true, .falls_up = true };
    if (d->low == d->high)
        d->log_curve = certainty;
    if (population > 1)
        d->sd = sqrt(d->mean * ((all - m) / all) * ((all - n) / (all - 1.0)));
    d->mode = clamp(floor((n + 1.0) * ((m + 1.0) / (all + 2.0))), d->low,
                    d->high);
    return true;
}

bool iv_atoms_betabin(iv_atoms *d, int64_t n, double a, double b)
{
    if (n < 0 || n > largest || !(a > 0.0 && b > 0.0) || isinf(a) || isinf(b))
        return false;
    const double size = (double)n, ab = a + b;
    *d = (iv_atoms){ .low = 0.0,
                     .high = size,
                     .mean = size * (a / ab),
                     .sd = sqrt(size * (a / ab) * (b / ab)
                                * ((ab + size) / (ab + 1.0))),
                     .parameter = { size, a, b },
                     .log_curve = n == 0 ? certainty : betabin_curve,
                     .u0 = size, .u1 = -1.0, .v0 = a, .v1 = 1.0,
                     .z0 = size - 1.0, .z1 = -1.0, .z2 = b,
                     .falls_down = a >= 1.0, .falls_up = b >= 1.0 };
    /* p(k+1) >= p(k) while k (a+b-2) <= n (a-1) - (b-1), if there is a peak. */
    if (a >= 1.0 && b >= 1.0)
        d->mode = ab > 2.0 ? floor((size * (a - 1.0) - (b - 1.0)) / (ab - 2.0))
                                 + 1.0
                           : 0.0;
    else
        d->mode = a < b ? 0.0 : size;
    d->mode = clamp(d->mode, 0.0, size);
    return true;
}

/* log_pmf at the atoms of the support, for any k. */
double iv_atoms_log_pmf(const iv_atoms *d, int64_t k)
{
    const double x = (double)k;

    return x >= d->low && x <= d->high ? iv_atoms_log(d, x) : -INFINITY;
}

/*
 * The logarithm of a tail of a distribution that falls from its mean on: from the first atom
 * outwards by the ratio of neighbours, relative to that atom, so that it holds far below the
 * smallest double; started afresh every so often, so that rounding errors do not pile up.
 */
static double log_tail(const iv_atoms *d, double start, double sign)
{
    const double count = sign > 0.0 ? d->high - start + 1.0 : start - d->low + 1.0;
    const double log_start = iv_atoms_log(d, start);
    double sum = 0.0;

    for (double i = 0.0; i < count;) {
        double term = iv_plain_exp(iv_atoms_log(d, start + sign * i) - log_start);
        const double end = fmin(i + AFRESH, count);
        for (; i < end; i += 1.0) {
            sum += term;
            if (term < 1e-18 * sum)
                return fmin(0.0, log_start + log(sum));
            term *= sign > 0.0 ? iv_atoms_ratio(d, start + i)
                               : 1.0 / iv_atoms_ratio(d, start - i - 1.0);
        }
    }
    return sum > 0.0 ? fmin(0.0, log_start + log(sum)) : -INFINITY;
}

/* log(1 - exp(x)) */
static double log_complement(double x)
{
    return x > -0.6931471805599453 ? log(-expm1(x)) : log1p(-exp(x));
}

/* The tail away from the mean is summed; the other is its complement unless
 * that would leave few digits. */
double iv_atoms_cdf(const iv_atoms *d, int64_t whole)
{
    const double k = (double)whole;

    if (k < d->low || k >= d->high)
        return k < d->low ? 0.0 : 1.0;
    const double upper = k < d->mean ? 0.0 : log_tail(d, k + 1.0, 1.0);
    return exp(upper < -0.5 ? log_complement(upper) : log_tail(d, k, -1.0));
}

double iv_atoms_sf(const iv_atoms *d, int64_t whole)
{
    const double k = (double)whole;

    if (k < d->low || k >= d->high)
        return k < d->low ? 1.0 : 0.0;
    const double lower = k >= d->mean ? 0.0 : log_tail(d, k, -1.0);
    return exp(lower < -0.5 ? log_complement(lower) : log_tail(d, k + 1.0, 1.0));
}
