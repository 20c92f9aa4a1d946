/* SPDX-License-Identifier: Apache-2.0 */
/* Student's t distribution: Boost's. */
#include "num/num_parts.h"

#include <math.h>

#include "num/boost_math.h"
#include "num/num_private.h"

/*
 * Gamma((df+1)/2) / Gamma(df/2) in the form of saddle.c with h = df/2, so that
 * nothing large is subtracted.
 */
double iv_t_log_pdf(double x, double df)
{
    const double log_pi = 1.14472988584940017414342735135;

    if (!(df > 0.0) || isnan(x))
        return NAN;
    if (isinf(df))
        return iv_norm_log_pdf(x);
    if (isinf(x))
        return -INFINITY;
    const double h = 0.5 * df;
    const double log_ratio = h * log1p(0.5 / h) + 0.5 * log(h + 0.5) - 0.5
                             + (iv_factorial_rest(h + 0.5) - iv_factorial_rest(h))
                             - log1p(0.5 / h);
    return log_ratio - 0.5 * (log(df) + log_pi)
           - (h + 0.5) * log1p(x * (x / df));
}

/* Lower tail far out, where x^2 overflows or df is lost beside it: only the
 * power of |x| is left. */
static bool is_power(double x, double df)
{
    return fabs(x) > 1e30 && fabs(x) > 1e20 * df;
}

static double log_power(double x, double df)
{
    return 0.5 * df * (log(df) - 2.0 * log(fabs(x))) - log(df)
           - iv_log_beta(0.5 * df, 0.5);
}

double iv_t_cdf(double x, double df)
{
    if (!(df > 0.0) || isnan(x))
        return NAN;
    if (isinf(df))
        return iv_norm_cdf(x);
    if (isinf(x))
        return x < 0.0 ? 0.0 : 1.0;
    if (is_power(x, df)) {
        const double tail = exp(log_power(x, df));
        return x < 0.0 ? tail : 1.0 - tail;
    }
    return iv_boost_t_cdf(x, df);
}

double iv_t_sf(double x, double df)
{
    return iv_t_cdf(-x, df);
}

/* Boost gives up where p^(1/df) is far below the smallest double. */
static double by_halving(double p, double df)
{
    double near = -50.0, far = 709.7; /* log |x| */

    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (near + far);
        if (iv_t_cdf(-exp(middle), df) > p)
            near = middle;
        else
            far = middle;
    }
    return far == 709.7 ? -INFINITY : -exp(far);
}

/* The quantile of p < 1/2, after Newton's steps on its logarithm. */
static double lower_quantile(double p, double df)
{
    double x = isinf(df) ? iv_norm_quantile(p) : iv_boost_t_quantile(p, df);

    if (!(x < 0.0) || !(fabs(log(iv_t_cdf(x, df) / p)) < 0.1))
        x = by_halving(p, df);
    for (int i = 0; i < 4 && isfinite(x); i++) {
        const double tail = iv_t_cdf(x, df);
        const double step = log(tail / p) * tail / exp(iv_t_log_pdf(x, df));
        if (!isfinite(step) || fabs(step) > 0.1 * fabs(x))
            break;
        x -= step;
        if (fabs(step) <= 1e-9 * fabs(x))
            break;
    }
    return x;
}

double iv_t_quantile(double p, double df)
{
    if (!(df > 0.0) || !(p >= 0.0 && p <= 1.0))
        return NAN;
    if (p == 0.0 || p == 1.0)
        return p == 0.0 ? -INFINITY : INFINITY;
    if (p == 0.5)
        return 0.0;
    return p < 0.5 ? lower_quantile(p, df) : -lower_quantile(1.0 - p, df);
}

double iv_t_isf(double p, double df)
{
    return 0.0 - iv_t_quantile(p, df);
}
