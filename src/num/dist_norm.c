/* SPDX-License-Identifier: Apache-2.0 */
/* The normal distribution, and the special functions that are one call. */
#include "num/num_parts.h"

#include <math.h>

#include "num/boost_math.h"
#include "num/num_private.h"

static const double half_log_2pi = 0.918938533204672741780329736406;
static const double sqrt_half = 0.707106781186547524400844362105;
static const double sqrt_2 = 1.41421356237309504880168872421;

double iv_digamma(double x)
{
    return x > 0.0 ? (isinf(x) ? x : iv_boost_digamma(x)) : NAN;
}

/* The factorial form of saddle.c, with the powers of n = a + b gathered. */
double iv_log_beta(double a, double b)
{
    if (!(a > 0.0 && b > 0.0) || isinf(a) || isinf(b))
        return NAN;
    const double small = a < b ? a : b, large = a < b ? b : a;
    const double n = small + large;
    return iv_factorial_rest(small)
           + (iv_factorial_rest(large) - iv_factorial_rest(n))
           + small * log(small / n) - large * log1p(small / large)
           - log(small) - log(large / n);
}

double iv_norm_log_pdf(double x)
{
    return -0.5 * x * x - half_log_2pi;
}

double iv_norm_cdf(double x)
{
    return isnan(x) ? NAN : 0.5 * iv_boost_erfc(-x * sqrt_half);
}

double iv_norm_sf(double x)
{
    return iv_norm_cdf(-x);
}

double iv_norm_quantile(double p)
{
    if (!(p >= 0.0 && p <= 1.0))
        return NAN;
    if (p == 0.0 || p == 1.0)
        return p == 0.0 ? -INFINITY : INFINITY;
    if (p == 0.5)
        return 0.0;
    return p < 0.5 ? -sqrt_2 * iv_boost_erfc_inv(2.0 * p)
                   : sqrt_2 * iv_boost_erfc_inv(2.0 * (1.0 - p));
}

double iv_norm_isf(double p)
{
    return 0.0 - iv_norm_quantile(p);
}
