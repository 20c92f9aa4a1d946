/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The gamma and chi-square distributions: Boost's incomplete gamma, and far out
 * in the tails a series and a fraction.
 */
#include "num/num_parts.h"

#include <math.h>

#include "num/boost_math.h"
#include "num/num_private.h"

static bool bad(double x, double shape)
{
    return !(shape > 0.0) || isinf(shape) || isnan(x);
}

/* log of x^shape e^-x / Gamma(shape + 1) */
static double log_front(double x, double shape)
{
    return -iv_factorial_rest(shape) - iv_deviance(shape, x, shape - x);
}

double iv_gamma_log_pdf(double x, double shape)
{
    if (bad(x, shape))
        return NAN;
    if (x < 0.0 || isinf(x))
        return -INFINITY;
    if (x == 0.0)
        return shape < 1.0 ? INFINITY : shape > 1.0 ? -INFINITY : 0.0;
    return log_front(x, shape) + log(shape) - log(x);
}

/* Lower tail over its front; x far below the mean, so the series is short. */
static double far_lower(double x, double shape)
{
    double term = 1.0, sum = 1.0;

    for (double s = shape + 1.0; term > 1e-17 * sum; s += 1.0) {
        term *= x / s;
        sum += term;
    }
    return sum;
}

/* Upper tail over its front, far above the mean, by the fraction
 * 1/(x+1-s - 1(1-s)/(x+3-s - 2(2-s)/(...))). */
static double far_upper(double x, double shape)
{
    double b = x + 1.0 - shape, c = 1e300, d = 1.0 / b, h = d;

    for (double n = 1.0; n < 100000.0; n += 1.0) {
        const double a = -n * (n - shape);
        b += 2.0;
        d = 1.0 / (a * d + b);
        c = b + a / c;
        h *= c * d;
        if (fabs(c * d - 1.0) < 1e-16)
            break;
    }
    return shape * h;
}

/* Far out Boost's power term has lost digits in proportion to the shape. */
static bool far_out(double p, double shape)
{
    return p < 1e-9 && shape > 1e4;
}

double iv_gamma_cdf(double x, double shape)
{
    if (bad(x, shape))
        return NAN;
    if (x <= 0.0 || isinf(x))
        return x <= 0.0 ? 0.0 : 1.0;
    const double p = iv_boost_gamma_p(shape, x);
    return far_out(p, shape) ? exp(log_front(x, shape)) * far_lower(x, shape) : p;
}

double iv_gamma_sf(double x, double shape)
{
    if (bad(x, shape))
        return NAN;
    if (x <= 0.0 || isinf(x))
        return x <= 0.0 ? 1.0 : 0.0;
    const double p = iv_boost_gamma_q(shape, x);
    return far_out(p, shape) ? exp(log_front(x, shape)) * far_upper(x, shape) : p;
}

/* Newton's steps on the given tail, whose value at x should be p. */
static double polish(double x, double p, double shape, bool lower)
{
    for (int i = 0; i < 4 && x > 0.0 && isfinite(x); i++) {
        const double tail = lower ? iv_gamma_cdf(x, shape) : iv_gamma_sf(x, shape);
        const double slope = exp(iv_gamma_log_pdf(x, shape) + log(x)) / tail;
        double step = log(tail / p) / slope;
        if (!isfinite(step) || fabs(step) < 1e-16 || fabs(step) > 1.0)
            break;
        x += x * expm1(lower ? -step : step);
        if (fabs(step) < 1e-9)
            break;
    }
    return x;
}

double iv_gamma_isf(double p, double shape)
{
    if (bad(p, shape) || !(p >= 0.0 && p <= 1.0))
        return NAN;
    if (p == 0.0 || p == 1.0)
        return p == 0.0 ? INFINITY : 0.0;
    const double x = iv_boost_gamma_q_inv(shape, p);
    return p <= 0.5 ? polish(x, p, shape, false) : polish(x, 1.0 - p, shape, true);
}

double iv_chisq_isf(double p, double df)
{
    return 2.0 * iv_gamma_isf(p, 0.5 * df);
}
