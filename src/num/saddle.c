/* SPDX-License-Identifier: Apache-2.0 */
/* Log-probabilities of counts by saddle-point expansion, accurate for large numbers. */
#include "num/plain_math.h"
#include "num/saddle.h"

#include <math.h>
#include <stddef.h>

static const double half_log_2pi = 0.918938533204672741780329736406;

/* Stirling's series for log z! - (z + 1/2) log z + z - log(2 pi)/2, z >= 16. */
static double stirling(double z)
{
    const double r = 1.0 / (z * z);

    if (z > 1e5)
        return (1.0 / 12.0 - r * (1.0 / 360.0)) / z;
    double s = 1.0 / 156.0;
    s = s * -r + 691.0 / 360360.0;
    s = s * -r + 1.0 / 1188.0;
    s = s * -r + 1.0 / 1680.0;
    s = s * -r + 1.0 / 1260.0;
    s = s * -r + 1.0 / 360.0;
    s = s * -r + 1.0 / 12.0;
    return s / z;
}

/* c(z) for the whole numbers below 16; by mpmath, correctly rounded. */
static const double whole_rest[16] = {
    0x0.0p+0,             0x1.0000000000000p+0, 0x1.4e8de8082e308p+0,
    0x1.7ef4c8a2316e2p+0, 0x1.a2042fd3b7235p+0, 0x1.bd847196e2524p+0,
    0x1.d42550e3f471ap+0, 0x1.e75ecd60de91bp+0, 0x1.f8150242b012fp+0,
    0x1.036e6368ac3dep+1, 0x1.0a0e4ed3fe17cp+1, 0x1.100f1175d0b5ep+1,
    0x1.158bfdcbc9c40p+1, 0x1.1a99eb055764fp+1, 0x1.1f491b8e50eebp+1,
    0x1.23a67d6776062p+1,
};

/* log z! = log (z+m)! - log (z+1)...(z+m), with z+m where the series holds. */
static double small_rest(double z)
{
    double product = 1.0;
    double y = z;

    if (z == floor(z))
        return whole_rest[(int)z];
    while (y < 16.0) {
        y += 1.0;
        product *= y;
    }
    return (y + 0.5) * iv_plain_log(y) - y + half_log_2pi + stirling(y)
           - iv_plain_log(product) - z * iv_plain_log(z) + z;
}

double iv_factorial_rest(double z)
{
    if (z < 16.0)
        return small_rest(z);
    return half_log_2pi + 0.5 * iv_plain_log(z) + stirling(z);
}

/* c(x) + c(y), and the same of four, with one logarithm where that is safe. */
static double rest_of_2(double x, double y)
{
    if (x < 16.0 || y < 16.0)
        return iv_factorial_rest(x) + iv_factorial_rest(y);
    return 2.0 * half_log_2pi + 0.5 * iv_plain_log(x * y)
           + (stirling(x) + stirling(y));
}

static double rest_of_4(double x, double y, double z, double w)
{
    if (x < 16.0 || y < 16.0 || z < 16.0 || w < 16.0)
        return rest_of_2(x, y) + rest_of_2(z, w);
    return 4.0 * half_log_2pi + 0.5 * iv_plain_log((x * y) * (z * w))
           + ((stirling(x) + stirling(y)) + (stirling(z) + stirling(w)));
}

/*
 * With v = (x - m)/(x + m):  D = d v + 2x (v^3/3 + v^5/5 + ...).  The closed
 * form loses digits where x is near m, the series takes many terms where not.
 */
static const double inverse_odd[] = {
    1.0 / 3.0,  1.0 / 5.0,  1.0 / 7.0,  1.0 / 9.0,  1.0 / 11.0, 1.0 / 13.0,
    1.0 / 15.0, 1.0 / 17.0, 1.0 / 19.0, 1.0 / 21.0, 1.0 / 23.0, 1.0 / 25.0,
    1.0 / 27.0, 1.0 / 29.0, 1.0 / 31.0, 1.0 / 33.0, 1.0 / 35.0, 1.0 / 37.0,
};

double iv_deviance(double x, double m, double d)
{
    if (x == 0.0)
        return m;
    const double v = d / (x + m);
    if (!(fabs(v) < 0.35))
        return x * iv_plain_log(x / m) - d;
    const double vv = v * v;
    double power = 2.0 * x * v;
    double sum = d * v;
    for (size_t j = 0; j < sizeof inverse_odd / sizeof *inverse_odd; j++) {
        power *= vv;
        const double next = sum + power * inverse_odd[j];
        if (next == sum)
            break;
        sum = next;
    }
    return sum;
}

/* a b = high + low exactly, for |a|, |b| < 2^996 (Dekker's product). */
static double product_low(double a, double b, double high)
{
    const double split = 134217729.0;
    const double ta = split * a, tb = split * b;
    const double ah = ta - (ta - a), bh = tb - (tb - b);
    const double al = a - ah, bl = b - bh;

    return ((ah * bh - high) + ah * bl + al * bh) + al * bl;
}

double iv_difference_of_products(double a, double b, double c, double d)
{
    const double ab = a * b, cd = c * d;

    return (ab - cd) + (product_low(a, b, ab) - product_low(c, d, cd));
}

double iv_binom_log_shape(double k, double n, double p)
{
    const double d = iv_difference_of_products(k, 1.0, n, p);

    return -rest_of_2(k, n - k)
           - (iv_deviance(k, n * p, d) + iv_deviance(n - k, n * (1.0 - p), -d));
}

double iv_binom_log_curve(double k, double n, double p)
{
    return iv_factorial_rest(n) + iv_binom_log_shape(k, n, p);
}

/*
 * Two binomials over a third, all with p = drawn/population, where the third
 * is at its mean and has no deviance.  The four deviations are +-d.
 */
double iv_hyper_log_shape(double k, double population, double marked,
                          double drawn)
{
    const double plain = population - marked;
    const double p = drawn / population;
    const double q = (population - drawn) / population;
    const double d = iv_difference_of_products(k, population, marked, drawn)
                     / population;

    return -rest_of_4(k, marked - k, drawn - k, plain - drawn + k)
           - (iv_deviance(k, marked * p, d) + iv_deviance(marked - k, marked * q, -d)
              + iv_deviance(drawn - k, plain * p, -d)
              + iv_deviance(plain - drawn + k, plain * q, d));
}

double iv_hyper_log_curve(double k, double population, double marked,
                          double drawn)
{
    return rest_of_4(marked, population - marked, drawn, population - drawn)
           - iv_factorial_rest(population)
           + iv_hyper_log_shape(k, population, marked, drawn);
}

/*
 * Gamma(z) = z!/z turns the beta functions into factorials; the rest is as
 * for the hypergeometric, with p = (k+a)/(n+a+b).
 */
double iv_betabin_log_curve_raw(double k, double n, double a, double b)
{
    const double ab = a + b, all = n + ab;
    const double ka = k + a, nb = n - k + b;
    const double p = ka / all, q = nb / all;
    /* k (a+b) - n a, but a+b may have swallowed the smaller of the two. */
    const double d = iv_difference_of_products(k, b, n - k, a) / all;
    const double rest =
        rest_of_4(n, ka, nb, ab) - rest_of_4(k, n - k, a, b)
        - iv_factorial_rest(all);

    return rest + iv_plain_log((a / ka) * (b / nb) * (all / ab))
           - (iv_deviance(k, n * p, d) + iv_deviance(n - k, n * q, -d)
              + iv_deviance(a, ab * p, -d) + iv_deviance(b, ab * q, d));
}
