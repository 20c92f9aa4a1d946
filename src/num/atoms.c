/* SPDX-License-Identifier: Apache-2.0 */
#include "num/num_parts.h"

#include <math.h>

#include "num/num_private.h"

static const int64_t largest = INT64_C(1) << 53;

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
 * The least k between below (not good) and good with a good tail.  Newton's
 * steps on the logarithm of the tail, which is nearly straight far out and
 * nearly so near the middle; where they leave the bracket, halving.
 */
static int64_t search(const iv_atoms *d, double q, iv_atoms_tail tail,
                      bool is_cdf, double start)
{
    int64_t below = (int64_t)d->low - 1, good = (int64_t)d->high;
    double guess = start;

    for (int i = 0; good - below > 1; i++) {
        const double first = (double)below + 1.0, last = (double)good - 1.0;
        if (!(guess >= first && guess <= last) || i % 8 == 7)
            guess = i > 2 || isnan(guess) ? floor(0.5 * (first + last))
                                          : clamp(guess, first, last);
        const int64_t k = (int64_t)guess;
        const double t = tail(d, k);
        const bool is_good = is_cdf ? t >= q : t <= q;
        if (is_good)
            good = k;
        else
            below = k;
        const double by = log(q / t) * t / exp(iv_atoms_log(d, guess));
        const double step = floor((is_cdf ? by : -by) + 0.5);
        guess += step != 0.0 ? step : is_good ? -1.0 : 1.0;
    }
    return good;
}

/* Where the quantile may be; a beta-binomial is wide and its mean tells little. */
static double guess_at(const iv_atoms *d, double q, bool upper)
{
    if (d->log_curve == betabin_curve) {
        const double a = d->parameter[1], b = d->parameter[2];
        return floor(d->high * (upper ? iv_beta_isf(q, a, b)
                                      : iv_beta_quantile(q, a, b)));
    }
    const double z = upper ? iv_norm_isf(q) : iv_norm_quantile(q);
    const double skew = d->sd > 0.0
                            ? (1.0 - 2.0 * d->mean / (d->high + 1.0)) / d->sd
                            : 0.0;
    return floor(d->mean + d->sd * (z + skew * (z * z - 1.0) / 6.0));
}

int64_t iv_atoms_quantile(const iv_atoms *d, double q, iv_atoms_tail cdf)
{
    if (!(q >= 0.0 && q <= 1.0))
        return -1;
    if (q == 0.0 || q == 1.0)
        return (int64_t)(q == 0.0 ? d->low : d->high);
    return search(d, q, cdf, true, guess_at(d, q, false));
}

int64_t iv_atoms_isf(const iv_atoms *d, double q, iv_atoms_tail sf)
{
    if (!(q >= 0.0 && q <= 1.0))
        return -1;
    if (q == 0.0 || q == 1.0)
        return (int64_t)(q == 0.0 ? d->high : d->low);
    return search(d, q, sf, false, guess_at(d, q, true));
}
