/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The beta distribution.
 *
 *     I_x(a, b) = x^a (1-x)^b / B(a, b) x a continued fraction
 *
 * Boost's power term loses digits in proportion to a + b (4e-9 at 5e7), so for
 * a, b > 1 it comes from the saddle-point form and the fraction is evaluated
 * here.  Smaller parameters are Boost's.
 *
 * Ref: DiDonato and Morris (1992), Algorithm 708, eq. 9 (the fraction).
 */
#include "num/num_parts.h"

#include <math.h>

#include "num/boost_math.h"
#include "num/num_private.h"

/* a - (a + b) x without cancellation: the roundings are carried along. */
static double above_mean(double x, double a, double b)
{
    const double ax = a * x, bx = b * x;
    const double ax_low = iv_difference_of_products(a, x, ax, 1.0);
    const double bx_low = iv_difference_of_products(b, x, bx, 1.0);
    const double t = a - ax;
    const double lost = (a - t) - ax; /* of t; exact since a >= ax >= 0 */

    return (t - bx) + ((lost - ax_low) - bx_low);
}

/* log of x^a (1-x)^b / B(a, b), given lambda = a - (a+b) x. */
static double log_front(double x, double a, double b, double lambda)
{
    const double n = a + b;

    return iv_factorial_rest(n) - iv_factorial_rest(a) - iv_factorial_rest(b)
           - (iv_deviance(a, n * x, lambda)
              + iv_deviance(b, n * (1.0 - x), -lambda))
           + iv_plain_log(a * (b / n));
}

/*
 * I_x(a, b) over its front factor, for x at most a little above a/(a+b).  The
 * numerators and denominators of the approximants are rescaled at each step to
 * a denominator of 1.  NaN when it does not converge.
 */
static double fraction(double x, double a, double b, double lambda)
{
    double over_s = 1.0 / (a + 1.0); /* 1/(a + 2n - 1) of the next step */
    double bottom_before = 1.0 / (a * over_s * (lambda + 1.0));
    double top = bottom_before, top_before = 0.0;

    for (double n = 1.0; n < 200000.0; n += 1.0) {
        const double t = n * (b - n) * x * over_s;
        const double alpha = (a + n - 1.0) * (a + b + n - 1.0) * over_s * t * x;
        over_s = 1.0 / (a + 2.0 * n + 1.0);
        const double beta =
            n + t + (a + n) * (lambda + 1.0 + n * (2.0 - x)) * over_s;
        const double over = 1.0 / (beta + alpha * bottom_before);
        const double value = (beta * top + alpha * top_before) * over;
        if (fabs(value - top) <= 1e-16 * fabs(value))
            return value;
        top_before = top * over;
        bottom_before = over;
        top = value;
    }
    return NAN;
}

/* Below 1 the fraction is slower than Boost and no better. */
static bool ours(double a, double b)
{
    return a > 1.0 && b > 1.0;
}

/* One tail, the smaller or nearly so: lower if lambda > 0, else upper. */
static double near_tail(double x, double a, double b, double lambda)
{
    const double front = iv_plain_exp(log_front(x, a, b, lambda));

    return lambda > 0.0 ? front * fraction(x, a, b, lambda)
                        : front * fraction(1.0 - x, b, a, -lambda);
}

/* The share of the arcsine law nearer to its end than x; Boost's own loses
 * digits near 1. */
static double arcsine(double x)
{
    return 0.636619772367581343075535053490 * asin(sqrt(x));
}

/* The tails for 0 < x < 1. */
static double lower_tail(double x, double a, double b)
{
    if (a == 0.5 && b == 0.5)
        return x < 0.5 ? arcsine(x) : 1.0 - arcsine(1.0 - x);
    if (!ours(a, b))
        return iv_boost_ibeta(a, b, x);
    const double lambda = above_mean(x, a, b);
    const double tail = near_tail(x, a, b, lambda);
    return lambda > 0.0 ? tail : 1.0 - tail;
}

static double upper_tail(double x, double a, double b)
{
    if (a == 0.5 && b == 0.5)
        return x < 0.5 ? 1.0 - arcsine(x) : arcsine(1.0 - x);
    if (!ours(a, b))
        return iv_boost_ibetac(a, b, x);
    const double lambda = above_mean(x, a, b);
    const double tail = near_tail(x, a, b, lambda);
    return lambda > 0.0 ? 1.0 - tail : tail;
}

static bool bad(double x, double a, double b)
{
    return !(a > 0.0 && b > 0.0) || isinf(a) || isinf(b) || isnan(x);
}

double iv_beta_log_pdf(double x, double a, double b)
{
    if (bad(x, a, b))
        return NAN;
    if (x < 0.0 || x > 1.0)
        return -INFINITY;
    if (x == 0.0)
        return a < 1.0 ? INFINITY : a > 1.0 ? -INFINITY : log(b);
    if (x == 1.0)
        return b < 1.0 ? INFINITY : b > 1.0 ? -INFINITY : log(a);
    return log_front(x, a, b, above_mean(x, a, b)) - log(x) - log1p(-x);
}

double iv_beta_cdf(double x, double a, double b)
{
    if (bad(x, a, b))
        return NAN;
    if (x <= 0.0 || x >= 1.0)
        return x <= 0.0 ? 0.0 : 1.0;
    return lower_tail(x, a, b);
}

double iv_beta_sf(double x, double a, double b)
{
    if (bad(x, a, b))
        return NAN;
    if (x <= 0.0 || x >= 1.0)
        return x <= 0.0 ? 1.0 : 0.0;
    return upper_tail(x, a, b);
}

double iv_logistic(double t)
{
    return t >= 0.0 ? 1.0 / (1.0 + exp(-t)) : exp(t) / (1.0 + exp(t));
}

/* The standard error of a logit is that of the value over value (1 - value). */
void iv_logit_wald(double *lower, double *upper, double value, double reach)
{
    const double at = log(value / (1.0 - value)), wide = reach / (value * (1.0 - value));

    *lower = 1.0 / (1.0 + exp(wide - at));
    *upper = 1.0 / (1.0 + exp(-wide - at));
}

/* Halving on the logit scale, for the few cases in which Boost gives up. */
static double by_halving(double p, double a, double b, bool lower)
{
    double from = -745.0, to = 37.0;

    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (from + to);
        const double x = iv_logistic(middle);
        if (((lower ? iv_beta_cdf(x, a, b) : iv_beta_sf(x, a, b)) < p) == lower)
            from = middle;
        else
            to = middle;
    }
    return iv_logistic(to);
}

/*
 * A first guess: Boost's answer, checked; or, where that is slow, a logit that
 * is normal with about the moments of log(Gamma(a)/Gamma(b)).
 */
static double start(double p, double a, double b, bool lower)
{
    if (a < 50.0 || b < 50.0 || p < 1e-30) {
        const double x = lower ? iv_boost_ibeta_inv(a, b, p)
                               : iv_boost_ibetac_inv(a, b, p);
        if (x > 0.0 && x < 1.0
            && fabs(log((lower ? lower_tail(x, a, b) : upper_tail(x, a, b)) / p)) < 1.0)
            return x;
        return by_halving(p, a, b, lower);
    }
    const double z = lower ? iv_norm_quantile(p) : iv_norm_isf(p);
    return iv_logistic(log((a - 0.5) / (b - 0.5))
                      + z * sqrt(1.0 / (a - 0.5) + 1.0 / (b - 0.5)));
}

/*
 * The x whose tail is p <= 1/2: Newton's steps for log tail = log p in the
 * logit of x, in which the logarithm of a tail is concave.
 */
static double invert(double p, double a, double b, bool lower)
{
    double x = start(p, a, b, lower);

    for (int i = 0; i < 12 && x > 0.0 && x < 1.0; i++) {
        const double lambda = above_mean(x, a, b);
        const double tail = lower ? lower_tail(x, a, b) : upper_tail(x, a, b);
        const double slope = iv_plain_exp(log_front(x, a, b, lambda)) / tail;
        const double step = (lower ? -1.0 : 1.0) * log(tail / p) / slope;
        const double e = expm1(step);
        const double next = x + x * (1.0 - x) * e / (1.0 + x * e);
        if (!(next > 0.0 && next < 1.0) || next == x)
            break;
        x = next;
        if (fabs(step) < 1e-9)
            break;
    }
    return x;
}

double iv_beta_quantile(double p, double a, double b)
{
    if (bad(p, a, b) || !(p >= 0.0 && p <= 1.0))
        return NAN;
    if (p == 0.0 || p == 1.0)
        return p;
    return p <= 0.5 ? invert(p, a, b, true) : invert(1.0 - p, a, b, false);
}

double iv_beta_isf(double p, double a, double b)
{
    if (bad(p, a, b) || !(p >= 0.0 && p <= 1.0))
        return NAN;
    if (p == 0.0 || p == 1.0)
        return 1.0 - p;
    return p <= 0.5 ? invert(p, a, b, false) : invert(1.0 - p, a, b, true);
}
