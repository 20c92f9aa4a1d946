/* SPDX-License-Identifier: Apache-2.0 */
#include "num/saddle.h"

#include <math.h>

#include "num/plain_math.h"

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

double iv_factorial_rest(double z)
{
    if (z >= 16.0)
        return half_log_2pi + 0.5 * iv_plain_log(z) + stirling(z);
    if (z == 0.0)
        return 0.0;
    /* log z! = log (z+m)! - log (z+1)...(z+m), with z+m where the series holds. */
    double product = 1.0;
    double y = z;
    while (y < 16.0) {
        y += 1.0;
        product *= y;
    }
    const double log_y = iv_plain_log(y);
    return (y + 0.5) * log_y - y + half_log_2pi + stirling(y)
           - iv_plain_log(product) - z * iv_plain_log(z) + z;
}

/*
 * With v = (x - m)/(x + m):  D = d v + 2x (v^3/3 + v^5/5 + ...).  The closed
 * form loses digits where x is near m, the series takes many terms where not.
 */
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
    for (double j = 3.0;; j += 2.0) {
        power *= vv;
        const double next = sum + power / j;
        if (next == sum)
            return next;
        sum = next;
    }
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

double iv_binom_log_curve(double k, double n, double p)
{
    const double q = 1.0 - p;
    const double d = iv_difference_of_products(k, 1.0, n, p);

    return iv_factorial_rest(n) - iv_factorial_rest(k) - iv_factorial_rest(n - k)
           - (iv_deviance(k, n * p, d) + iv_deviance(n - k, n * q, -d));
}

/*
 * Two binomials over a third, all with p = drawn/population, where the third
 * is at its mean and has no deviance.  The four deviations are +-d.
 */
double iv_hyper_log_curve(double k, double population, double marked,
                          double drawn)
{
    const double plain = population - marked;
    const double left = population - drawn;
    const double d = iv_difference_of_products(k, population, marked, drawn)
                     / population;
    const double rest =
        iv_factorial_rest(marked) + iv_factorial_rest(plain)
        + iv_factorial_rest(drawn) + iv_factorial_rest(left)
        - iv_factorial_rest(population)
        - iv_factorial_rest(k) - iv_factorial_rest(marked - k)
        - iv_factorial_rest(drawn - k) - iv_factorial_rest(plain - drawn + k);

    return rest
           - (iv_deviance(k, marked * (drawn / population), d)
              + iv_deviance(marked - k, marked * (left / population), -d)
              + iv_deviance(drawn - k, plain * (drawn / population), -d)
              + iv_deviance(plain - drawn + k, plain * (left / population), d));
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
    const double d = iv_difference_of_products(k, ab, n, a) / all;
    const double rest =
        iv_factorial_rest(n) - iv_factorial_rest(k) - iv_factorial_rest(n - k)
        + iv_factorial_rest(ka) + iv_factorial_rest(nb) - iv_factorial_rest(all)
        + iv_factorial_rest(ab) - iv_factorial_rest(a) - iv_factorial_rest(b);

    return rest + iv_plain_log((a / ka) * (b / nb) * (all / ab))
           - (iv_deviance(k, n * p, d) + iv_deviance(n - k, n * q, -d)
              + iv_deviance(a, ab * p, -d) + iv_deviance(b, ab * q, d));
}
