/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws of counts.
 *
 * Small means by inversion from 0.  Larger binomials by transformed rejection,
 * which accepts most proposals without looking at the probability.  Larger
 * hypergeometrics by the ratio of uniforms: the point (v, u) is uniform in a box
 * around the set { v <= sqrt(f(a + u/v)) }.
 *
 * Refs: W. Hoermann (1993), The generation of binomial random variates (BTRS);
 * E. Stadlober (1990), The ratio of uniforms approach for generating discrete
 * random variates.
 */

#include <math.h>

#include "num/num_parts.h"
#include "num/num_private.h"

static const int64_t largest = INT64_C(1) << 53;

/* Inversion from 0, up to `top`; ratio(k) is f(k+1)/f(k). */
static double invert(iv_stream *s, double f0, double top,
                     double (*ratio)(const double *, double),
                     const double *parameter)
{
    for (;;) {
        double u = iv_draw_uniform(s);
        double f = f0;
        for (double k = 0.0; k <= top; k += 1.0) {
            if (u < f)
                return k;
            u -= f;
            f *= ratio(parameter, k);
        }
        /* Rounding left u above the whole mass: about once in 1e15 draws. */
    }
}

/* parameter: n, odds */
static double binom_ratio(const double *parameter, double k)
{
    return (parameter[0] - k) * parameter[1] / (k + 1.0);
}

/* For n p >= 10, p <= 1/2; the numbers are Hoermann's. */
static double transformed_rejection(iv_stream *s, double n, double p)
{
    const double sd = sqrt(n * p * (1.0 - p));
    const double b = 1.15 + 2.53 * sd;
    const double a = -0.0873 + 0.0248 * b + 0.01 * p;
    const double centre = n * p + 0.5;
    const double sure = 0.92 - 4.2 / b;
    const double alpha = (2.83 + 5.1 / b) * sd;
    double highest = NAN; /* most draws never need it */

    for (;;) {
        const double u = iv_draw_uniform_open(s) - 0.5;
        const double v = iv_draw_uniform_open(s);
        const double to_end = 0.5 - fabs(u);
        const double k = floor((2.0 * a / to_end + b) * u + centre);
        if (to_end >= 0.07 && v <= sure)
            return k;
        if (!(k >= 0.0 && k <= n))
            continue;
        if (isnan(highest))
            highest = iv_binom_log_shape(floor((n + 1.0) * p), n, p);
        const double bound = v * alpha / (a / (to_end * to_end) + b);
        if (iv_plain_log(bound) <= iv_binom_log_shape(k, n, p) - highest)
            return k;
    }
}

int64_t iv_draw_binom(iv_stream *s, int64_t n, double p)
{
    if (n < 0 || n > largest || !(p >= 0.0 && p <= 1.0))
        return -1;
    if (n == 0 || p == 0.0)
        return 0;
    if (p > 0.5)
        return n - iv_draw_binom(s, n, 1.0 - p);

    const double size = (double)n;
    if (size * p >= 10.0)
        return (int64_t)transformed_rejection(s, size, p);
    const double parameter[] = { size, p / (1.0 - p) };
    const double f0 = iv_plain_exp(size * iv_plain_log1p(-p));
    return (int64_t)invert(s, f0, size, binom_ratio, parameter);
}

/* parameter: population, marked, drawn */
static double hyper_ratio(const double *parameter, double k)
{
    return (parameter[1] - k) * (parameter[2] - k)
           / ((k + 1.0)
              * (parameter[0] - parameter[1] - parameter[2] + k + 1.0));
}

static double ratio_of_uniforms(iv_stream *s, double population, double marked,
                                double drawn, double top)
{
    const double two_root_2_over_e = 1.7155277699214135;
    const double three_less_two_root_3_over_e = 0.8989161620588988;
    const double share = marked / population, mean = drawn * share;
    const double variance = mean * (1.0 - share) * (population - drawn)
                            / (population - 1.0);
    const double width = two_root_2_over_e * sqrt(variance + 0.5)
                         + three_less_two_root_3_over_e;
    const double mode =
        floor((drawn + 1.0) * ((marked + 1.0) / (population + 2.0)));
    const double highest = iv_hyper_log_shape(mode, population, marked, drawn);

    for (;;) {
        const double v = iv_draw_uniform_open(s);
        const double u = iv_draw_uniform(s);
        const double k = floor(mean + 0.5 + width * (u - 0.5) / v);
        if (!(k >= 0.0 && k <= top))
            continue;
        const double t =
            iv_hyper_log_shape(k, population, marked, drawn) - highest;
        /* Bounds of 2 log v that spare the logarithm. */
        if (v * (4.0 - v) - 3.0 <= t)
            return k;
        if (v * (v - t) < 1.0 && 2.0 * iv_plain_log(v) <= t)
            return k;
    }
}

/* At most half of the population marked, and at most half of it drawn. */
static int64_t draw_small_hyper(iv_stream *s, int64_t population, int64_t marked,
                                int64_t drawn)
{
    const double parameter[] = { (double)population, (double)marked,
                                 (double)drawn };
    const double top = (double)(marked < drawn ? marked : drawn);

    if (top == 0.0)
        return 0;
    if (parameter[1] * (parameter[2] / parameter[0]) >= 10.0)
        return (int64_t)ratio_of_uniforms(s, parameter[0], parameter[1],
                                          parameter[2], top);
    const double f0 = iv_plain_exp(
        iv_hyper_log_curve(0.0, parameter[0], parameter[1], parameter[2]));
    return (int64_t)invert(s, f0, top, hyper_ratio, parameter);
}

int64_t iv_draw_hyper(iv_stream *s, int64_t population, int64_t marked,
                      int64_t drawn)
{
    if (population < 0 || population > largest || marked < 0
        || marked > population || drawn < 0 || drawn > population)
        return -1;
    const int64_t few_marked =
        marked <= population - marked ? marked : population - marked;
    const int64_t few_drawn =
        drawn <= population - drawn ? drawn : population - drawn;
    int64_t k = draw_small_hyper(s, population, few_marked, few_drawn);
    if (few_drawn != drawn)
        k = few_marked - k;
    if (few_marked != marked)
        k = drawn - k;
    return k;
}

void iv_draw_multinomial(iv_stream *s, int64_t *counts_out, int64_t n,
                         const double *weights, size_t k)
{
    double rest = 0.0;
    size_t last = 0; /* the last cell that can be hit */

    for (size_t i = 0; i < k; i++) {
        rest += weights[i] >= 0.0 ? weights[i] : NAN;
        if (weights[i] > 0.0)
            last = i;
    }
    const bool good = rest > 0.0 && !isinf(rest) && n >= 0 && n <= largest;
    for (size_t i = 0; i < k; i++) {
        if (!good) {
            counts_out[i] = -1;
            continue;
        }
        if (i >= last || n == 0) {
            counts_out[i] = i == last ? n : 0;
        } else {
            /* rest may have rounded below the weight it still contains. */
            const double p = weights[i] < rest ? weights[i] / rest
                                               : (double)(weights[i] > 0.0);
            counts_out[i] = iv_draw_binom(s, n, p);
        }
        n -= counts_out[i];
        rest -= weights[i];
    }
}
