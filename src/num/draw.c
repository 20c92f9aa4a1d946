/* SPDX-License-Identifier: Apache-2.0 */
/* The random generator, and draws of reals, counts, subsets and orders. */
#include "base/order.h"
#include "num/draw.h"
#include "num/plain_math.h"
#include "num/saddle.h"
#include "num/ziggurat.h"

#include <Random123/philox.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The generator and its uniform numbers.
 *
 * Philox turns (key, counter) into four random 32-bit numbers.  The seed is the
 * key; purpose, replicate and block number are the counter, so a stream needs
 * no state that travels from one replicate to the next.  The 32-bit form is the
 * faster one on aarch64 and needs no 128-bit product.
 *
 * Ref: Salmon, Moraes, Dror and Shaw (2011), Parallel random numbers: as easy
 * as 1, 2, 3.
 */

enum { BLOCKS = 4 }; /* at once: they do not wait for one another */

iv_stream iv_stream_start(uint64_t seed, uint32_t purpose, uint64_t replicate)
{
    const iv_stream s = {
        .seed = seed, .replicate = replicate, .purpose = purpose & 0xffffffu
    };

    return s;
}

static void refill(iv_stream *s)
{
    const philox4x32_key_t key = { { (uint32_t)s->seed,
                                     (uint32_t)(s->seed >> 32) } };

    for (uint32_t i = 0; i < BLOCKS; i++) {
        const uint64_t block = s->blocks + i;
        const philox4x32_ctr_t counter = { {
            (uint32_t)block,
            s->purpose | (uint32_t)(block >> 32) << 24,
            (uint32_t)s->replicate,
            (uint32_t)(s->replicate >> 32),
        } };
        const philox4x32_ctr_t r = philox4x32(counter, key);
        s->word[2 * i] = r.v[0] | (uint64_t)r.v[1] << 32;
        s->word[2 * i + 1] = r.v[2] | (uint64_t)r.v[3] << 32;
    }
    s->blocks += BLOCKS;
    s->left = 2 * BLOCKS;
}

uint64_t iv_draw_bits(iv_stream *s)
{
    if (s->left == 0)
        refill(s);
    return s->word[2 * BLOCKS - s->left--];
}

double iv_draw_uniform(iv_stream *s)
{
    return (double)(iv_draw_bits(s) >> 11) * 0x1p-53;
}

double iv_draw_uniform_open(iv_stream *s)
{
    return ((double)(iv_draw_bits(s) >> 12) + 0.5) * 0x1p-52;
}

/*
 * The high half of x n is uniform once the 2^32 mod n smallest low halves are
 * refused (Lemire 2019).  Above 32 bits a mask and refusal are plain enough.
 */
uint64_t iv_draw_below(iv_stream *s, uint64_t n)
{
    if (n <= 1)
        return 0;
    if (n <= UINT32_MAX) {
        const uint32_t m = (uint32_t)n;
        uint64_t wide = (iv_draw_bits(s) >> 32) * n;
        if ((uint32_t)wide < m) {
            const uint32_t refused = (0u - m) % m;
            while ((uint32_t)wide < refused)
                wide = (iv_draw_bits(s) >> 32) * n;
        }
        return wide >> 32;
    }
    uint64_t mask = n - 1;
    for (unsigned shift = 1; shift < 64; shift *= 2)
        mask |= mask >> shift;
    uint64_t x;
    do
        x = iv_draw_bits(s) & mask;
    while (x >= n);
    return x;
}

/*
 * Adds to counts the n draws over n cells, `lanes` of them from each word, by
 * the method of iv_draw_below() on narrower numbers.  A refused number is
 * counted as 0 rather than skipped, which spares a branch.
 */
static void resample_lanes(iv_stream *s, uint32_t *counts, uint32_t n,
                           unsigned lanes)
{
    const unsigned width = 64 / lanes;
    const uint64_t mask = (UINT64_C(1) << width) - 1;
    const uint64_t refused = (mask + 1) % n;

    for (uint32_t done = 0; done < n;) {
        if (s->left == 0) /* iv_draw_bits(), in place */
            refill(s);
        uint64_t bits = s->word[2 * BLOCKS - s->left--];
        const uint32_t wanted = n - done < lanes ? n - done : lanes;
        for (uint32_t lane = 0; lane < wanted; lane++) {
            const uint64_t wide = (bits & mask) * n;
            const uint32_t hit = (wide & mask) >= refused;
            counts[wide >> width] += hit;
            done += hit;
            bits >>= width;
        }
    }
}

void iv_draw_resample(iv_stream *s, uint32_t *counts, size_t n)
{
    if (n == 0)
        return;
    memset(counts, 0, n * sizeof *counts);
    if (n <= 4096)
        resample_lanes(s, counts, (uint32_t)n, 4);
    else
        resample_lanes(s, counts, (uint32_t)n, 2);
}

/*
 * Draws of counts.
 *
 * Small means by inversion from 0.  Larger binomials by transformed rejection,
 * which accepts most proposals without looking at the probability.  Larger
 * hypergeometrics by the ratio of uniforms: the point (v, u) is uniform in a box
 * around the set { v <= sqrt(f(a + u/v)) }.
 *
 * Refs: W. Hoermann (1993), The generation of binomial random variates (BTRS);
 * E. Stadlober (1990), The ratio of uniforms approach for generating discrete
 * random variates.
 */

static const int64_t largest = INT64_C(1) << 53;

/* Inversion from 0, up to `top`; ratio(k) is f(k+1)/f(k). */
static double invert(iv_stream *s, double f0, double top,
                     double (*ratio)(const double *, double),
                     const double *parameter)
{
    for (;;) {
        double u = iv_draw_uniform(s);
        double f = f0;
        for (double k = 0.0; k <= top; k += 1.0) {
            if (u < f)
                return k;
            u -= f;
            f *= ratio(parameter, k);
        }
        /* Rounding left u above the whole mass: about once in 1e15 draws. */
    }
}

/* parameter: n, odds */
static double binom_ratio(const double *parameter, double k)
{
    return (parameter[0] - k) * parameter[1] / (k + 1.0);
}

/* For n p >= 10, p <= 1/2; the numbers are Hoermann's. */
static double transformed_rejection(iv_stream *s, double n, double p)
{
    const double sd = sqrt(n * p * (1.0 - p));
    const double b = 1.15 + 2.53 * sd;
    const double a = -0.0873 + 0.0248 * b + 0.01 * p;
    const double centre = n * p + 0.5;
    const double sure = 0.92 - 4.2 / b;
    const double alpha = (2.83 + 5.1 / b) * sd;
    double highest = NAN; /* most draws never need it */

    for (;;) {
        const double u = iv_draw_uniform_open(s) - 0.5;
        const double v = iv_draw_uniform_open(s);
        const double to_end = 0.5 - fabs(u);
        const double k = floor((2.0 * a / to_end + b) * u + centre);
        if (to_end >= 0.07 && v <= sure)
            return k;
        if (!(k >= 0.0 && k <= n))
            continue;
        if (isnan(highest))
            highest = iv_binom_log_shape(floor((n + 1.0) * p), n, p);
        const double bound = v * alpha / (a / (to_end * to_end) + b);
        if (iv_plain_log(bound) <= iv_binom_log_shape(k, n, p) - highest)
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

    const double size = (double)n;
    if (size * p >= 10.0)
        return (int64_t)transformed_rejection(s, size, p);
    const double parameter[] = { size, p / (1.0 - p) };
    const double f0 = iv_plain_exp(size * iv_plain_log1p(-p));
    return (int64_t)invert(s, f0, size, binom_ratio, parameter);
}

/* parameter: population, marked, drawn */
static double hyper_ratio(const double *parameter, double k)
{
    return (parameter[1] - k) * (parameter[2] - k)
           / ((k + 1.0)
              * (parameter[0] - parameter[1] - parameter[2] + k + 1.0));
}

static double ratio_of_uniforms(iv_stream *s, double population, double marked,
                                double drawn, double top)
{
    const double two_root_2_over_e = 1.7155277699214135;
    const double three_less_two_root_3_over_e = 0.8989161620588988;
    const double share = marked / population, mean = drawn * share;
    const double variance = mean * (1.0 - share) * (population - drawn)
                            / (population - 1.0);
    const double width = two_root_2_over_e * sqrt(variance + 0.5)
                         + three_less_two_root_3_over_e;
    const double mode =
        floor((drawn + 1.0) * ((marked + 1.0) / (population + 2.0)));
    const double highest = iv_hyper_log_shape(mode, population, marked, drawn);

    for (;;) {
        const double v = iv_draw_uniform_open(s);
        const double u = iv_draw_uniform(s);
        const double k = floor(mean + 0.5 + width * (u - 0.5) / v);
        if (!(k >= 0.0 && k <= top))
            continue;
        const double t =
            iv_hyper_log_shape(k, population, marked, drawn) - highest;
        /* Bounds of 2 log v that spare the logarithm. */
        if (v * (4.0 - v) - 3.0 <= t)
            return k;
        if (v * (v - t) < 1.0 && 2.0 * iv_plain_log(v) <= t)
            return k;
    }
}

/* At most half of the population marked, and at most half of it drawn. */
static int64_t draw_small_hyper(iv_stream *s, int64_t population, int64_t marked,
                                int64_t drawn)
{
    const double parameter[] = { (double)population, (double)marked,
                                 (double)drawn };
    const double top = (double)(marked < drawn ? marked : drawn);

    if (top == 0.0)
        return 0;
    if (parameter[1] * (parameter[2] / parameter[0]) >= 10.0)
        return (int64_t)ratio_of_uniforms(s, parameter[0], parameter[1],
                                          parameter[2], top);
    const double f0 = iv_plain_exp(
        iv_hyper_log_curve(0.0, parameter[0], parameter[1], parameter[2]));
    return (int64_t)invert(s, f0, top, hyper_ratio, parameter);
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

/*
 * Draws of real numbers.
 *
 * Refs: Marsaglia and Tsang (2000), The ziggurat method, with the layer, the
 * sign and the abscissa taken from disjoint bits; Marsaglia and Tsang (2000),
 * A simple method for generating gamma variables.
 */

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

/* Draws without replacement and random orders; integers only, so exact. */

/* Passes over [0, n) and takes each with the odds still open. */
static void subset_by_passing(iv_stream *s, size_t *out, size_t k, size_t n)
{
    size_t taken = 0;

    for (size_t i = 0; taken < k; i++) {
        if (iv_draw_below(s, n - i) < k - taken)
            out[taken++] = i;
    }
}

/*
 * Draws with replacement and replaces what came twice until k are different.
 * Never more are drawn than are missing, so the set is the first k different
 * values of one sequence, and all sets are equally likely.
 */
static void subset_by_redrawing(iv_stream *s, size_t *out, size_t k, size_t n)
{
    for (size_t have = 0; have < k;) {
        for (size_t i = have; i < k; i++)
            out[i] = (size_t)iv_draw_below(s, n);
        qsort(out, k, sizeof *out, iv_ascending_sizes);
        have = 1;
        for (size_t i = 1; i < k; i++) {
            if (out[i] != out[have - 1])
                out[have++] = out[i];
        }
    }
}

bool iv_draw_subset(iv_stream *s, size_t *out, size_t k, size_t n)
{
    if (k > n)
        return false;
    if (n / 16 < k)
        subset_by_passing(s, out, k, n);
    else
        subset_by_redrawing(s, out, k, n);
    return true;
}

bool iv_draw_sequence(iv_stream *s, size_t *out, size_t k, size_t n)
{
    if (!iv_draw_subset(s, out, k, n))
        return false;
    for (size_t i = k; i > 1; i--) {
        const size_t j = (size_t)iv_draw_below(s, i);
        const size_t held = out[i - 1];
        out[i - 1] = out[j];
        out[j] = held;
    }
    return true;
}

static void swap_bytes(char *a, char *b, size_t size)
{
    char held[64];

    while (size > 0) {
        const size_t part = size < sizeof held ? size : sizeof held;
        memcpy(held, a, part);
        memcpy(a, b, part);
        memcpy(b, held, part);
        a += part;
        b += part;
        size -= part;
    }
}

void iv_draw_shuffle(iv_stream *s, void *base, size_t count, size_t size)
{
    char *const bytes = base;

    for (size_t i = count; i > 1; i--) {
        const size_t j = (size_t)iv_draw_below(s, i);
        if (j != i - 1)
            swap_bytes(bytes + (i - 1) * size, bytes + j * size, size);
    }
}
