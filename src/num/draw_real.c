/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws of real numbers.
 *
 * Refs: Marsaglia and Tsang (2000), The ziggurat method, with the layer, the
 * sign and the abscissa taken from disjoint bits; Marsaglia and Tsang (2000),
 * A simple method for generating gamma variables.
 */

#include <math.h>

#include "num/num_parts.h"
#include "num/ziggurat.h"
#include "num/num_private.h"

/* Beyond the last layer: exponential proposals. */
static double normal_tail(iv_stream *s)
{
    const double edge = ziggurat_edge[1];
    double x, y;

    do {
        x = -iv_plain_log(iv_draw_uniform_open(s)) / edge;
        y = -iv_plain_log(iv_draw_uniform_open(s));
    } while (y + y < x * x);
    return edge + x;
}

double iv_draw_normal(iv_stream *s)
{
    for (;;) {
        const uint64_t bits = iv_draw_bits(s);
        const unsigned layer = (unsigned)(bits & 255u);
        const double sign = bits & 256u ? -1.0 : 1.0;
        const double x = (double)(bits >> 11) * 0x1p-53 * ziggurat_edge[layer];

        if (x < ziggurat_edge[layer + 1])
            return sign * x;
        if (layer == 0)
            return sign * normal_tail(s);
        const double low = ziggurat_height[layer];
        const double y =
            low + iv_draw_uniform(s) * (ziggurat_height[layer + 1] - low);
        if (y < iv_plain_exp(-0.5 * x * x))
            return sign * x;
    }
}

double iv_draw_exponential(iv_stream *s)
{
    return -iv_plain_log(iv_draw_uniform_open(s));
}

/* Marsaglia and Tsang's method for shape >= 1. */
static double gamma_large(iv_stream *s, double shape)
{
    const double d = shape - 1.0 / 3.0;
    const double c = 1.0 / sqrt(9.0 * d);

    for (;;) {
        const double x = iv_draw_normal(s);
        const double t = 1.0 + c * x;
        if (t <= 0.0)
            continue;
        const double v = t * t * t;
        const double u = iv_draw_uniform_open(s);
        if (u < 1.0 - 0.0331 * (x * x) * (x * x))
            return d * v;
        if (iv_plain_log(u) < 0.5 * x * x + d * (1.0 - v + iv_plain_log(v)))
            return d * v;
    }
}

/*
 * The logarithm of a gamma draw, which does not underflow: shape a < 1 is
 * shape a + 1 times a uniform to the power 1/a.
 */
static double log_gamma_draw(iv_stream *s, double shape)
{
    if (shape >= 1.0)
        return iv_plain_log(gamma_large(s, shape));
    const double larger = gamma_large(s, shape + 1.0);
    const double u = iv_draw_uniform_open(s);
    return iv_plain_log(larger) + iv_plain_log(u) / shape;
}

double iv_draw_gamma(iv_stream *s, double shape)
{
    if (!(shape >= 0.0) || isinf(shape))
        return NAN;
    if (shape == 0.0)
        return 0.0;
    if (shape >= 1.0)
        return gamma_large(s, shape);
    return iv_plain_exp(log_gamma_draw(s, shape));
}

double iv_draw_beta(iv_stream *s, double a, double b)
{
    if (!(a >= 0.0 && b >= 0.0 && a + b > 0.0) || isinf(a + b))
        return NAN;
    if (a == 0.0 || b == 0.0)
        return a == 0.0 ? 0.0 : 1.0;
    if (a >= 1.0 && b >= 1.0) {
        const double x = gamma_large(s, a);
        const double y = gamma_large(s, b);
        return x / (x + y);
    }
    const double x = log_gamma_draw(s, a);
    const double y = log_gamma_draw(s, b);
    const double top = x > y ? x : y;
    const double ex = iv_plain_exp(x - top);
    return ex / (ex + iv_plain_exp(y - top));
}
