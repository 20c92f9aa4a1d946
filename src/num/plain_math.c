/* SPDX-License-Identifier: Apache-2.0 */
/* Logarithm and exponential with the same bits on every machine. */
#include "num/plain_math.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ln 2 in two parts; the first has 32 bits, so its product with an exponent
 * is exact. */
static const double ln2_high = 0x1.62e42feep-1;
static const double ln2_low = 0x1.a39ef35793c76p-33;

static uint64_t bits_of(double x)
{
    uint64_t b;

    memcpy(&b, &x, sizeof b);
    return b;
}

static double from_bits(uint64_t b)
{
    double x;

    memcpy(&x, &b, sizeof x);
    return x;
}

/*
 * x = 2^e (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)), and with s = f/(2+f)
 *
 *     log(1 + f) = 2 atanh(s) = f - s (f - 2 (s^2/3 + s^4/5 + ...)),
 *
 * rearranged around f - f^2/2 so that the rounding errors fall on small terms.
 */
double iv_plain_log(double x)
{
    int e = 0;

    if (!(x > 0.0))
        return x == 0.0 ? -INFINITY : NAN;
    if (x > 0x1.fffffffffffffp1023)
        return x;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        e = -54;
    }
    const uint64_t b = bits_of(x);
    e += (int)(b >> 52) - 1023;
    double m = from_bits((b & 0x000fffffffffffffu) | 0x3ff0000000000000u);
    if (m > 0x1.6a09e667f3bcdp0) {
        m *= 0.5;
        e++;
    }
    const double f = m - 1.0;
    const double s = f / (2.0 + f);
    const double z = s * s;
    /* Odd and even terms apart, so that they need not wait for one another. */
    const double w = z * z;
    double odd = 1.0 / 23.0, even = 1.0 / 21.0;
    odd = odd * w + 1.0 / 19.0;
    even = even * w + 1.0 / 17.0;
    odd = odd * w + 1.0 / 15.0;
    even = even * w + 1.0 / 13.0;
    odd = odd * w + 1.0 / 11.0;
    even = even * w + 1.0 / 9.0;
    odd = odd * w + 1.0 / 7.0;
    even = even * w + 1.0 / 5.0;
    odd = odd * w + 1.0 / 3.0;
    const double r = 2.0 * z * (odd + z * even);
    const double half = 0.5 * f * f;
    return e * ln2_high - ((half - (s * (half + r) + e * ln2_low)) - f);
}

double iv_plain_log1p(double x)
{
    const double u = 1.0 + x;

    if (!(x > -1.0) || u > 0x1p60)
        return iv_plain_log(u);
    if (u == 1.0)
        return x;
    /* u is not 1 + x: the second term is what the rounding took. */
    return iv_plain_log(u) + (x - (u - 1.0)) / u;
}

/* x = k ln 2 + r with |r| <= ln(2)/2, and Taylor's series to r^14. */
double iv_plain_exp(double x)
{
    if (!(x > -745.2))
        return isnan(x) ? x : 0.0;
    if (x > 709.79)
        return INFINITY;
    const double k = floor(x * 0x1.71547652b82fep0 + 0.5);
    const double high = x - k * ln2_high;
    const double low = k * ln2_low;
    const double r = high - low;
    const double w = r * r;
    double even = 1.0 / 87178291200.0, odd = 1.0 / 6227020800.0;
    even = even * w + 1.0 / 479001600.0;
    odd = odd * w + 1.0 / 39916800.0;
    even = even * w + 1.0 / 3628800.0;
    odd = odd * w + 1.0 / 362880.0;
    even = even * w + 1.0 / 40320.0;
    odd = odd * w + 1.0 / 5040.0;
    even = even * w + 1.0 / 720.0;
    odd = odd * w + 1.0 / 120.0;
    even = even * w + 1.0 / 24.0;
    odd = odd * w + 1.0 / 6.0;
    even = even * w + 0.5;
    const double p =
        1.0 + (r + (w * (even + r * odd) + ((high - r) - low)));
    /* Two factors: one power of two does not reach the smallest numbers. */
    const int whole = (int)k;
    const int first = whole / 2;
    const double a = from_bits((uint64_t)(first + 1023) << 52);
    const double b = from_bits((uint64_t)(whole - first + 1023) << 52);
    return p * a * b;
}

/* |r| <= ln(2)/2 and Taylor's series to r^13. */
void iv_plain_exp_each(double *x, size_t n)
{
    const double shift = 0x1.8p52; /* its last bits become those of a whole number */

    for (size_t i = 0; i < n; i++) {
        const double k = x[i] * 0x1.71547652b82fep0 + shift, whole = k - shift;
        const double r = (x[i] - whole * ln2_high) - whole * ln2_low;
        const double w = r * r;
        double even = 1.0 / 479001600.0, odd = 1.0 / 6227020800.0;
        odd = odd * w + 1.0 / 39916800.0;
        even = even * w + 1.0 / 3628800.0;
        odd = odd * w + 1.0 / 362880.0;
        even = even * w + 1.0 / 40320.0;
        odd = odd * w + 1.0 / 5040.0;
        even = even * w + 1.0 / 720.0;
        odd = odd * w + 1.0 / 120.0;
        even = even * w + 1.0 / 24.0;
        odd = odd * w + 1.0 / 6.0;
        even = even * w + 0.5;
        x[i] = (1.0 + (r + w * (even + r * odd))) * from_bits((bits_of(k) + 1023) << 52);
    }
}
