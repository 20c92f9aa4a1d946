/* SPDX-License-Identifier: Apache-2.0 */
/* Distributions: normal, t, gamma, beta and counts. */
#include "num/atoms.h"
#include "num/boost_math.h"
#include "num/dist.h"
#include "num/logit.h"
#include "num/plain_math.h"
#include "num/saddle.h"

#include <math.h>

/* The normal distribution, and the special functions that are one call. */

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

/* Student's t distribution: Boost's. */

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

double iv_t_cdf(double x, double df)
{
    if (!(df > 0.0) || isnan(x))
        return NAN;
    if (isinf(df))
        return iv_norm_cdf(x);
    if (isinf(x))
        return x < 0.0 ? 0.0 : 1.0;
    /* Far out, where x^2 overflows or df is lost beside it, only the power of |x| is left. */
    if (fabs(x) > 1e30 && fabs(x) > 1e20 * df) {
        const double tail = exp(0.5 * df * (log(df) - 2.0 * log(fabs(x))) - log(df)
                                - iv_log_beta(0.5 * df, 0.5));
        return x < 0.0 ? tail : 1.0 - tail;
    }
    return iv_boost_t_cdf(x, df);
}

double iv_t_sf(double x, double df)
{
    return iv_t_cdf(-x, df);
}

/* Boost gives up where p^(1/df) is far below the smallest double. */
static double t_by_halving(double p, double df)
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
static double find_lower_quantile(double p, double df)
{
    double x = isinf(df) ? iv_norm_quantile(p) : iv_boost_t_quantile(p, df);

    if (!(x < 0.0) || !(fabs(log(iv_t_cdf(x, df) / p)) < 0.1))
        x = t_by_halving(p, df);
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

/* The last one of a thread is kept: intervals of many pairs want the same. */
static double lower_quantile(double p, double df)
{
    static _Thread_local struct { double p, df, x; } last;

    if (last.p != p || last.df != df) {
        last.x = find_lower_quantile(p, df);
        last.p = p;
        last.df = df;
    }
    return last.x;
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

/*
 * The gamma and chi-square distributions: Boost's incomplete gamma, and far out
 * in the tails a series and a fraction.
 */

static bool bad_shape(double x, double shape)
{
    return !(shape > 0.0) || isinf(shape) || isnan(x);
}

/* log of x^shape e^-x / Gamma(shape + 1) */
static double gamma_front(double x, double shape)
{
    return -iv_factorial_rest(shape) - iv_deviance(shape, x, shape - x);
}

double iv_gamma_log_pdf(double x, double shape)
{
    if (bad_shape(x, shape))
        return NAN;
    if (x < 0.0 || isinf(x))
        return -INFINITY;
    if (x == 0.0)
        return shape < 1.0 ? INFINITY : shape > 1.0 ? -INFINITY : 0.0;
    return gamma_front(x, shape) + log(shape) - log(x);
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
    if (bad_shape(x, shape))
        return NAN;
    if (x <= 0.0 || isinf(x))
        return x <= 0.0 ? 0.0 : 1.0;
    const double p = iv_boost_gamma_p(shape, x);
    return far_out(p, shape) ? exp(gamma_front(x, shape)) * far_lower(x, shape) : p;
}

double iv_gamma_sf(double x, double shape)
{
    if (bad_shape(x, shape))
        return NAN;
    if (x <= 0.0 || isinf(x))
        return x <= 0.0 ? 1.0 : 0.0;
    const double p = iv_boost_gamma_q(shape, x);
    return far_out(p, shape) ? exp(gamma_front(x, shape)) * far_upper(x, shape) : p;
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
    if (bad_shape(p, shape) || !(p >= 0.0 && p <= 1.0))
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

/* Binomial (through the beta), hypergeometric and beta-binomial. */

double iv_binom_log_pmf(int64_t k, int64_t n, double p)
{
    iv_atoms d;

    return iv_atoms_binom(&d, n, p) ? iv_atoms_log_pmf(&d, k) : NAN;
}

static bool bad_trials(int64_t n, double p)
{
    return n < 0 || n > INT64_C(1) << 53 || !(p >= 0.0 && p <= 1.0);
}

/* P(X <= k) = P(Beta(k+1, n-k) > p) for 0 <= k < n. */
double iv_binom_cdf(int64_t k, int64_t n, double p)
{
    if (bad_trials(n, p))
        return NAN;
    return k < 0 ? 0.0 : k >= n ? 1.0 : iv_beta_sf(p, (double)k + 1.0, (double)(n - k));
}

double iv_binom_sf(int64_t k, int64_t n, double p)
{
    if (bad_trials(n, p))
        return NAN;
    return k < 0 ? 1.0 : k >= n ? 0.0 : iv_beta_cdf(p, (double)k + 1.0, (double)(n - k));
}

int64_t iv_binom_isf(double q, int64_t n, double p)
{
    int64_t below = -1, good = n;

    if (bad_trials(n, p) || !(q >= 0.0 && q <= 1.0))
        return -1;
    while (good - below > 1) {
        const int64_t k = below + (good - below) / 2;
        *(iv_binom_sf(k, n, p) <= q ? &good : &below) = k;
    }
    return good;
}

double iv_hyper_log_pmf(int64_t k, int64_t population, int64_t marked,
                        int64_t drawn)
{
    iv_atoms d;

    return iv_atoms_hyper(&d, population, marked, drawn)
               ? iv_atoms_log_pmf(&d, k)
               : NAN;
}

double iv_hyper_cdf(int64_t k, int64_t population, int64_t marked,
                    int64_t drawn)
{
    iv_atoms d;

    return iv_atoms_hyper(&d, population, marked, drawn)
               ? iv_atoms_cdf(&d, k)
               : NAN;
}

double iv_hyper_sf(int64_t k, int64_t population, int64_t marked, int64_t drawn)
{
    iv_atoms d;

    return iv_atoms_hyper(&d, population, marked, drawn)
               ? iv_atoms_sf(&d, k)
               : NAN;
}

double iv_betabin_log_curve(double k, int64_t n, double a, double b)
{
    iv_atoms d;

    if (!iv_atoms_betabin(&d, n, a, b) || !(k >= 0.0 && k <= d.high))
        return NAN;
    return iv_atoms_log(&d, k);
}
