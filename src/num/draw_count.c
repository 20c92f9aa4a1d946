/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws of counts.
 *
 * Small means by inversion from 0.  Larger ones by the ratio of uniforms: the
 * point (v, u) is uniform in a box around the set { v <= sqrt(f(a + u/v)) },
 * whose half width below holds binomial and hypergeometric f of any size.
 *
 * Ref: E. Stadlober (1990), The ratio of uniforms approach for generating
 * discrete random variates.
 */
#include "intervale/num.h"

#include <math.h>

#include "num/plain_math.h"
#include "num/saddle.h"

static const int64_t largest = INT64_C(1) << 53;

/* A distribution on 0..top; marked and drawn are a hypergeometric's. */
typedef struct counts {
    double n, p; /* binomial, when population is 0 */
    double population, marked, drawn;
    double top;
} counts;

/* log f(k) up to a constant */
static double log_shape(const counts *c, double k)
{
    return c->population > 0.0
               ? iv_hyper_log_shape(k, c->population, c->marked, c->drawn)
               : iv_binom_log_shape(k, c->n, c->p);
}

static double log_at_0(const counts *c)
{
    return c->population > 0.0
               ? iv_hyper_log_curve(0.0, c->population, c->marked, c->drawn)
               : c->n * iv_plain_log1p(-c->p);
}

/* f(k+1)/f(k) */
static double ratio(const counts *c, double k)
{
    if (c->population > 0.0)
        return (c->marked - k) * (c->drawn - k)
               / ((k + 1.0)
                  * (c->population - c->marked - c->drawn + k + 1.0));
    return (c->n - k) * c->p / ((k + 1.0) * (1.0 - c->p));
}

static double by_inversion(iv_stream *s, const counts *c)
{
    const double f0 = iv_plain_exp(log_at_0(c));

    for (;;) {
        double u = iv_draw_uniform(s);
        double f = f0;
        for (double k = 0.0; k <= c->top; k += 1.0) {
            if (u < f)
                return k;
            u -= f;
            f *= ratio(c, k);
        }
        /* Rounding left u above the whole mass: about once in 1e15 draws. */
    }
}

static double by_ratio_of_uniforms(iv_stream *s, const counts *c, double mean,
                                   double variance, double mode)
{
    const double two_root_2_over_e = 1.7155277699214135;
    const double three_less_two_root_3_over_e = 0.8989161620588988;
    const double width = two_root_2_over_e * sqrt(variance + 0.5)
                         + three_less_two_root_3_over_e;
    const double highest = log_shape(c, mode);

    for (;;) {
        const double v = iv_draw_uniform_open(s);
        const double u = iv_draw_uniform(s);
        const double k = floor(mean + 0.5 + width * (u - 0.5) / v);
        if (!(k >= 0.0 && k <= c->top))
            continue;
        const double t = log_shape(c, k) - highest;
        /* Bounds of 2 log v that spare the logarithm. */
        if (v * (4.0 - v) - 3.0 <= t)
            return k;
        if (v * (v - t) < 1.0 && 2.0 * iv_plain_log(v) <= t)
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

    const counts c = { .n = (double)n, .p = p, .top = (double)n };
    const double mean = c.n * p;
    if (mean < 10.0)
        return (int64_t)by_inversion(s, &c);
    return (int64_t)by_ratio_of_uniforms(s, &c, mean, mean * (1.0 - p),
                                         floor((c.n + 1.0) * p));
}

/* At most half of the population marked, and at most half of it drawn. */
static int64_t draw_small_hyper(iv_stream *s, int64_t population, int64_t marked,
                                int64_t drawn)
{
    const counts c = { .population = (double)population,
                       .marked = (double)marked,
                       .drawn = (double)drawn,
                       .top = (double)(marked < drawn ? marked : drawn) };
    const double share = c.marked / c.population;
    const double mean = c.drawn * share;

    if (c.top == 0.0)
        return 0;
    if (mean < 10.0)
        return (int64_t)by_inversion(s, &c);
    const double variance = mean * (1.0 - share) * (c.population - c.drawn)
                            / (c.population - 1.0);
    const double mode = floor((c.drawn + 1.0)
                              * ((c.marked + 1.0) / (c.population + 2.0)));
    return (int64_t)by_ratio_of_uniforms(s, &c, mean, variance, mode);
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
