/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One-sided evidence on a value: p-values beside a bound, and the limits that go with them.
 *
 * A mean: the larger p of the t test and of Hall's t test.  A proportion: the binomial's tails.  A
 * mean of values in a known range: a betting martingale, whose largest capital is rarely large if
 * the hypothesis holds, whatever the distribution.  A difference of two estimates: MOVER.
 *
 * Ref: Hall (1992), JRSS B 54; Clopper and Pearson (1934), Biometrika 26; Waudby-Smith and Ramdas
 * (2024), JRSS B 86, 1-27; Zou and Donner (2008), Statistics in Medicine 27, 1693-1702.
 */
#include "intervale/num.h"
#include "num/dist.h"
#include "stat/evidence.h"
#include "stat/interval/limits.h"

#include <math.h>

enum { HALVINGS = 40 };

/* ------------------------------------------------------------------- means -- */

/* Hall's t of a mean that is w standard deviations above what it is tested for, of n values with
 * skewness g; rises with w. */
double iv_hall_t(double w, double n, double g)
{
    return sqrt(n) * (w + g * w * w / 3.0 + g * g * w * w * w / 27.0 + g / (6.0 * n));
}

/* iv_hall_t() = t solved for w: (1 + g w / 3)^3 = 1 + g (t / sqrt(n) - g / (6 n)).  The difference
 * of cubic roots is written as a quotient, which loses no digits where g is small. */
static double hall_w(double t, double n, double g)
{
    const double y = t / sqrt(n) - g / (6.0 * n), root = cbrt(1.0 + g * y);

    return 3.0 * y / (root * root + root + 1.0);
}

double iv_larger_p_beyond(double above, double sd, double n, double df, double g,
                          iv_alternative side)
{
    const double w = above / sd, t = sqrt(n) * w, h = isnan(g) ? t : iv_hall_t(w, n, g);

    return side == IV_GREATER ? fmax(iv_t_sf(t, df), iv_t_sf(h, df))
                              : fmax(iv_t_cdf(t, df), iv_t_cdf(h, df));
}

void iv_larger_p_limits(double *lower, double *upper, double mean, double sd, double n, double df,
                    double g, double tail)
{
    const double t = iv_t_isf(tail, df), half = t * sd / sqrt(n);

    *lower = mean - half;
    *upper = mean + half;
    if (isnan(g))
        return;
    *lower = fmin(*lower, mean - sd * hall_w(t, n, g));
    *upper = fmax(*upper, mean - sd * hall_w(-t, n, g));
}

void iv_hall_limits(double *lower, double *upper, double mean, double sd, double n, double df,
                    double g, double tail)
{
    const double t = iv_t_isf(tail, df);

    *lower = mean - sd * hall_w(t, n, g);
    *upper = mean - sd * hall_w(-t, n, g);
}

static const iv_evidence nothing = { NAN, NAN, NAN, NAN, NAN };

iv_evidence iv_mean_evidence(const iv_mean_summary *m, double from, double level)
{
    iv_evidence e = nothing;

    e.estimate = m->mean;
    if (!(m->sd > 0.0) || !(m->n > 1.0))
        return e;
    e.p_above = iv_larger_p_beyond(m->mean - from, m->sd, m->n, m->df, m->skewness, IV_GREATER);
    e.p_below = iv_larger_p_beyond(m->mean - from, m->sd, m->n, m->df, m->skewness, IV_LESS);
    iv_larger_p_limits(&e.lower, &e.upper, m->mean, m->sd, m->n, m->df, m->skewness, level);
    return e;
}

/* ------------------------------------------------------------- proportions -- */

iv_evidence iv_proportion_evidence(int64_t k, int64_t n, double from, double level)
{
    const double K = (double)k, N = (double)n;
    iv_evidence e = nothing;

    if (n < 1 || k < 0 || k > n)
        return e;
    e.estimate = K / N;
    e.p_above = k == 0 ? 1.0 : from <= 0.0 ? 0.0 : from >= 1.0 ? 1.0 : iv_binom_sf(k - 1, n, from);
    e.p_below = k == n ? 1.0 : from >= 1.0 ? 0.0 : from <= 0.0 ? 1.0 : iv_binom_cdf(k, n, from);
    e.lower = k == 0 ? 0.0 : iv_beta_quantile(level, K, N - K + 1.0);
    e.upper = k == n ? 1.0 : iv_beta_isf(level, K + 1.0, N - K);
    return e;
}

static double f1_of(double j) { return 2.0 * j / (1.0 + j); }

iv_evidence iv_f1_evidence(int64_t tp, int64_t fp, int64_t fn, double from, double level)
{
    iv_evidence e = iv_proportion_evidence(tp, tp + fp + fn, from / (2.0 - from), level);

    e.estimate = f1_of(e.estimate);
    e.lower = f1_of(e.lower);
    e.upper = f1_of(e.upper);
    return e;
}

/* ----------------------------------------------------------------- betting -- */

/*
 * The smallest 1 / capital of bets that the mean of values in [0, 1] is above m, value after value:
 * p by Ville's inequality.  A bet is sqrt(2 log(1 / level) / (n v)) with the variance v of the
 * values before, at most 3/4 of what can be lost: the predictable plug-in bets of a sample of
 * fixed size.
 */
static double bet(const double *x, size_t n, double low, double high, double m, bool turned,
                  double level)
{
    const double most = 0.75 / m;
    double sum = 0.5, squares = 0.25, capital = 0.0, best = 0.0;

    if (!(m > 0.0))
        return 0.0;
    for (size_t t = 0; t < n; t++) {
        const double at = (x[t] - low) / (high - low), u = turned ? 1.0 - at : at;
        const double known = (double)(t + 1), variance = squares / known;
        const double stake = fmin(most, sqrt(2.0 * log(1.0 / level) / ((double)n * variance)));
        capital += log1p(stake * (u - m));
        best = fmax(best, capital);
        sum += u;
        squares += (u - sum / (known + 1.0)) * (u - sum / (known + 1.0));
    }
    return exp(-best);
}

double iv_betting_p(const double *x, size_t n, double low, double high, double from, double level,
                    iv_alternative side)
{
    const double m = (from - low) / (high - low);

    return side == IV_GREATER ? (m >= 1.0 ? 1.0 : bet(x, n, low, high, m, false, level))
                              : m <= 0.0 ? 1.0 : bet(x, n, low, high, 1.0 - m, true, level);
}

static double betting_limit(const double *x, size_t n, double low, double high, bool turned,
                            double level)
{
    double excluded = 0.0, open = 1.0; /* as a part of the range */

    for (int i = 0; i < HALVINGS; i++) {
        const double m = 0.5 * (excluded + open);
        *(bet(x, n, low, high, m, turned, level) < level ? &excluded : &open) = m;
    }
    return turned ? high - (high - low) * excluded : low + (high - low) * excluded;
}

iv_evidence iv_betting_evidence(const double *x, size_t n, double low, double high, double from,
                                double level)
{
    const double slack = 1e-9 * (high - low);
    iv_evidence e = nothing;

    if (n == 0 || !(high > low) || !(level > 0.0 && level < 1.0))
        return e;
    double sum = 0.0;
    for (size_t t = 0; t < n; t++) {
        if (!(x[t] >= low - slack && x[t] <= high + slack))
            return e;
        sum += x[t];
    }
    e.estimate = sum / (double)n;
    e.p_above = iv_betting_p(x, n, low, high, from, level, IV_GREATER);
    e.p_below = iv_betting_p(x, n, low, high, from, level, IV_LESS);
    e.lower = betting_limit(x, n, low, high, false, level);
    e.upper = betting_limit(x, n, low, high, true, level);
    return e;
}

/* The logarithm of the capital after n bets that a mean is above m, 0.84 standard deviations below
 * its expectation; excess and sd are parts of the range. */
static double capital_after(double n, double excess, double sd, double m, double level)
{
    const double rate = 2.0 * log(1.0 / level) / n, v = sd * sd;
    double sum = 0.0, variance = 0.0;

    for (double t = 0.0; t < n;) {
        const double step = fmin(n - t, fmax(1.0, floor(0.02 * t))), at = t + 0.5 * (step - 1.0);
        const double known = (0.25 + at * v) / (at + 1.0);
        const double stake = fmin(0.75 / m, sqrt(rate / known)), gain = 1.0 + stake * excess;
        sum += step * (log(gain) - 0.5 * stake * stake * v / (gain * gain));
        variance += step * stake * stake * v / (gain * gain);
        t += step;
    }
    return sum - iv_norm_isf(0.2) * sqrt(variance);
}

double iv_betting_items(double mean, double sd, double low, double high, double from, double level)
{
    const double width = high - low, m = (from - low) / width, excess = (mean - from) / width;
    double few = 1.0, enough = 2.0;

    if (!(excess > 0.0) || !(m > 0.0))
        return excess > 0.0 ? 1.0 : INFINITY;
    while (capital_after(enough, excess, sd / width, m, level) < log(1.0 / level)) {
        few = enough;
        enough *= 2.0;
        if (enough > 1e9)
            return INFINITY;
    }
    while (enough - few > 1.0) {
        const double n = floor(0.5 * (few + enough));
        *(capital_after(n, excess, sd / width, m, level) < log(1.0 / level) ? &few : &enough) = n;
    }
    return enough;
}

double iv_equal_evidence(double value, double n, double low, double high, double from,
                         iv_alternative side)
{
    const double far = side == IV_GREATER ? value - low : high - value;
    const double near = side == IV_GREATER ? from - low : high - from;

    if (!(high > low))
        return (double)NAN;
    return far > near ? pow(fmax(0.0, near) / far, n) : 1.0;
}

/* ------------------------------------------------------------------- MOVER -- */

static double mover_lower(const iv_interval *a, const iv_interval *b, double r)
{
    const double down = a->value - a->lower, up = b->upper - b->value;

    return a->value - b->value - sqrt(fmax(0.0, down * down + up * up - 2.0 * r * down * up));
}

void iv_mover_limits(double *lower, double *upper, const iv_interval *a, const iv_interval *b,
                     double correlation)
{
    *lower = mover_lower(a, b, correlation);
    *upper = -mover_lower(b, a, correlation);
}
