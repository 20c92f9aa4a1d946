/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tails of distributions of counts.
 *
 * A tail is summed from its first atom outwards by the ratio of neighbours,
 * relative to that atom, so that it holds far below the smallest double.  When
 * the sum does not end soon, the curve is wide and smooth, and the rest is an
 * integral with the first correction of Euler and Maclaurin:
 *
 *     sum_{j=m}^{n} f(j) = int_{m-1/2}^{n+1/2} f - (f'(n+1/2) - f'(m-1/2))/24
 *
 * The next term is of order (1/width)^4 and below 1e-13 from a width of 300.
 */
#include "num/num_parts.h"

#include <math.h>

enum { BLOCK = 1024, NARROWEST = 400 };

/* One side of a distribution, counted outwards from where the tail begins. */
typedef struct side {
    const iv_atoms *d;
    double start, sign; /* atom i is start + sign i */
    double count;       /* atoms in the tail */
    double log_start;
    bool falls;
} side;

/* p(i+1)/p(i) outwards */
static double ratio(const side *s, double i)
{
    return s->sign > 0.0 ? iv_atoms_ratio(s->d, s->start + i)
                         : 1.0 / iv_atoms_ratio(s->d, s->start - i - 1.0);
}

/* The curve at real i, relative to the first atom. */
static double relative(const side *s, double i)
{
    return iv_plain_exp(iv_atoms_log(s->d, s->start + s->sign * i)
                        - s->log_start);
}

/* Gauss-Legendre, 16 points. */
static double panel(const side *s, double from, double to)
{
    static const double node[8] = {
        0x1.fa92c264d787ep-1, 0x1.e39f56616f9b0p-1,
        0x1.bb3403514e483p-1, 0x1.82c45dda4726bp-1,
        0x1.3c5a466d5e8b8p-1, 0x1.d50259a43a772p-2,
        0x1.205cae642337cp-2, 0x1.852bd6676a9f9p-4,
    };
    static const double weight[8] = {
        0x1.bcddab4b7c211p-6, 0x1.fdfb1a2c1265dp-5,
        0x1.85c4ee79cc258p-4, 0x1.fe7af2bad386ap-4,
        0x1.325f61bca3cbfp-3, 0x1.5a6ebbb5a75fcp-3,
        0x1.75f8c77e0c00fp-3, 0x1.83feae80e4dfcp-3,
    };
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    double sum = 0.0;

    for (int i = 0; i < 8; i++)
        sum += weight[i]
               * (relative(s, middle - half * node[i])
                  + relative(s, middle + half * node[i]));
    return half * sum;
}

/* The derivative of the relative curve; i is half-way between two atoms. */
static double slope(const side *s, double i)
{
    return relative(s, i) * iv_plain_log(ratio(s, i - 0.5));
}

/* On what length the curve changes at i, by its first two log differences. */
static double width_at(const side *s, double i)
{
    const double first = iv_plain_log(ratio(s, i));
    const double second = iv_plain_log(ratio(s, i + 1.0)) - first;
    const double by_slope = 1.0 / (fabs(first) + 1e-300);
    const double by_curve = 1.0 / sqrt(fabs(second) + 1e-300);

    return by_slope < by_curve ? by_slope : by_curve;
}

/* Atoms from..to by the integral, in panels no wider than the curve allows. */
static double smooth_sum(const side *s, double from, double to, double so_far)
{
    const double first = from - 0.5, last = to + 0.5;
    double sum = 0.0, x = first;

    while (x < last) {
        const double k = s->start + s->sign * x;
        const double to_end = fmin(k - s->d->low, s->d->high - k);
        double step = fmin(3.0 * width_at(s, x), fmax(1.0, 0.5 * to_end));
        step = fmin(step, last - x);
        const double part = panel(s, x, x + step);
        sum += part;
        x += step;
        if (s->falls && part < 1e-18 * (so_far + sum))
            break;
    }
    return sum - (slope(s, last) - slope(s, first)) / 24.0;
}

/*
 * Atoms from *at on, one by one, until past `to` or, if the side falls, until
 * they are negligible; *at is then where the tail goes on.
 */
static double plain_sum(const side *s, double *at, double to, double so_far)
{
    double term = relative(s, *at), sum = 0.0, i = *at;

    for (; i <= to; i += 1.0) {
        sum += term;
        if (s->falls && term < 1e-18 * (so_far + sum)) {
            *at = s->count;
            return sum;
        }
        if (i < to)
            term *= ratio(s, i);
    }
    *at = i;
    return sum;
}

/* May the integral begin at atom i?  The last atoms are always left to the
 * plain sum, since the curve may be steep there. */
static bool smooth_enough(const side *s, double i)
{
    const double k = s->start + s->sign * i;

    return k - s->d->low > 2 * NARROWEST && s->d->high - k > 2 * NARROWEST
           && s->count - i > 3 * BLOCK && width_at(s, i) > NARROWEST;
}

static double log_tail(const side *s)
{
    double sum = 0.0, at = 0.0;

    while (at < s->count) {
        if (at > 0.0 && smooth_enough(s, at)) {
            const double last = s->count - 1.0 - BLOCK;
            sum += smooth_sum(s, at, last, sum);
            at = last + 1.0;
        }
        sum += plain_sum(s, &at, fmin(at + BLOCK, s->count) - 1.0, sum);
    }
    return sum > 0.0 ? s->log_start + log(sum) : -INFINITY; /* nothing beyond the support */
}

static double log_lower(const iv_atoms *d, double k)
{
    const side s = { .d = d, .start = k, .sign = -1.0, .count = k - d->low + 1.0,
                     .log_start = iv_atoms_log(d, k), .falls = d->falls_down };

    return fmin(0.0, log_tail(&s));
}

static double log_upper(const iv_atoms *d, double k)
{
    const side s = { .d = d, .start = k, .sign = 1.0, .count = d->high - k + 1.0,
                     .log_start = iv_atoms_log(d, k), .falls = d->falls_up };

    return fmin(0.0, log_tail(&s));
}

/* log(1 - exp(x)) */
static double log_complement(double x)
{
    return x > -0.6931471805599453 ? log(-expm1(x)) : log1p(-exp(x));
}

/* The tail away from the mean is summed; the other is its complement unless
 * that would leave few digits. */
static double log_cdf(const iv_atoms *d, int64_t whole)
{
    const double k = (double)whole;

    if (k < d->low || k >= d->high)
        return k < d->low ? -INFINITY : 0.0;
    if (k < d->mean)
        return log_lower(d, k);
    const double upper = log_upper(d, k + 1.0);
    return upper < -0.5 ? log_complement(upper) : log_lower(d, k);
}

static double log_sf(const iv_atoms *d, int64_t whole)
{
    const double k = (double)whole;

    if (k < d->low || k >= d->high)
        return k < d->low ? 0.0 : -INFINITY;
    if (k >= d->mean)
        return log_upper(d, k + 1.0);
    const double lower = log_lower(d, k);
    return lower < -0.5 ? log_complement(lower) : log_upper(d, k + 1.0);
}

double iv_atoms_cdf(const iv_atoms *d, int64_t k)
{
    return exp(log_cdf(d, k));
}

double iv_atoms_sf(const iv_atoms *d, int64_t k)
{
    return exp(log_sf(d, k));
}
