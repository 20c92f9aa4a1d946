/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What draws say: mean, quantiles, mode, shortest interval; and how far each
 * may be off, from the scatter over batches of the same draws.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checking.h"
#include "base/memory.h"
#include "stat/prf/prf_state.h"

enum { BATCHES = 20, BINS = 512, DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

/* The quantile between neighbours (type 7) of sorted numbers. */
static double quantile(const double *x, size_t n, double q)
{
    const double at = q * (double)(n - 1);
    const size_t i = (size_t)at;

    return i + 1 < n ? x[i] + (at - (double)i) * (x[i + 1] - x[i]) : x[n - 1];
}

/* A histogram smoothed by a normal kernel, reflected at both ends. */
typedef struct smoothed {
    double low, width; /* of the first bin, of each bin */
    double height[BINS];
} smoothed;

static void smooth(smoothed *s, const double *x, size_t n, double sd)
{
    const double spread = fmin(sd, (quantile(x, n, 0.75) - quantile(x, n, 0.25)) / 1.349);
    const double h = 1.06 * (spread > 0.0 ? spread : sd) * pow((double)n, -0.2);
    double raw[BINS] = { 0.0 };

    s->low = x[0];
    s->width = (x[n - 1] - x[0]) / BINS;
    memset(s->height, 0, sizeof s->height);
    for (size_t i = 0; i < n; i++) {
        const size_t bin = (size_t)((x[i] - s->low) / s->width);
        raw[bin < BINS ? bin : BINS - 1] += 1.0;
    }
    const int reach = (int)fmin(4.0 * h / s->width, BINS - 1);
    for (int d = -reach; d <= reach; d++) {
        const double z = d * s->width / h, weight = exp(-0.5 * z * z);
        for (int i = 0; i < BINS; i++) {
            int from = i + d;
            if (from < 0)
                from = -1 - from;
            if (from >= BINS)
                from = 2 * BINS - 1 - from;
            s->height[i] += weight * raw[from];
        }
    }
}

/* The top of the parabola through the highest bin and its neighbours. */
static double top(const smoothed *s)
{
    int best = 0;

    for (int i = 1; i < BINS; i++) {
        if (s->height[i] > s->height[best])
            best = i;
    }
    if (best == 0 || best == BINS - 1)
        return s->low + s->width * (best == 0 ? 0.0 : BINS);
    const double a = s->height[best - 1], b = s->height[best], c = s->height[best + 1];
    const double bend = a - 2.0 * b + c;
    return s->low + s->width * (best + 0.5 + (bend < 0.0 ? 0.5 * (a - c) / bend : 0.0));
}

static double height_at(const smoothed *s, double x)
{
    const double at = (x - s->low) / s->width - 0.5;
    const int i = at < 0.0 ? 0 : at >= BINS - 1 ? BINS - 2 : (int)at;
    const double part = fmin(1.0, fmax(0.0, at - i));

    return s->height[i] + part * (s->height[i + 1] - s->height[i]);
}

/* The mass to leave out below for equal heights at both ends. */
static double hdi_left(const smoothed *s, const double *x, size_t n, double confidence)
{
    double low = 0.0, high = 1.0 - confidence;

    for (int i = 0; i < 50; i++) {
        const double left = 0.5 * (low + high);
        if (height_at(s, quantile(x, n, left)) < height_at(s, quantile(x, n, left + confidence)))
            low = left;
        else
            high = left;
    }
    return 0.5 * (low + high);
}

/* A finite number's bits as a number of the same order. */
static uint64_t key_of(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static unsigned digit_of(double x, unsigned pass)
{
    return (unsigned)(key_of(x) >> (pass * DIGIT_BITS)) & (DIGITS - 1);
}

/*
 * Sorts by the bits, the lowest digit first: half of the time was spent in qsort().  A digit
 * that all have is no pass.
 */
static void sort(double *x, size_t n, double *spare)
{
    double *from = x, *to = spare;

    for (unsigned pass = 0; pass * DIGIT_BITS < 64; pass++) {
        size_t start[DIGITS] = { 0 }, sum = 0;
        for (size_t i = 0; i < n; i++)
            start[digit_of(from[i], pass)]++;
        if (start[digit_of(from[0], pass)] == n)
            continue;
        for (unsigned d = 0; d < DIGITS; d++) {
            const size_t here = start[d];
            start[d] = sum;
            sum += here;
        }
        for (size_t i = 0; i < n; i++)
            to[start[digit_of(from[i], pass)]++] = from[i];
        double *other = from;
        from = to;
        to = other;
    }
    if (from != x)
        memcpy(x, from, n * sizeof *x);
}

/* Sorts x and fills the four figures; without room to smooth the mode is left out. */
static void describe(iv_drawn_summary *out, smoothed *s, double *x, double *spare, size_t n,
                     double confidence, iv_interval_kind kind)
{
    double sum = 0.0, squares = 0.0, left = 0.5 * (1.0 - confidence);

    sort(x, n, spare);
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    out->mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - out->mean) * (x[i] - out->mean);
    out->mode = x[0];
    if (s != NULL && x[n - 1] > x[0]) {
        smooth(s, x, n, sqrt(squares / (double)n));
        out->mode = top(s);
        if (kind == IV_INTERVAL_HDI)
            left = hdi_left(s, x, n, confidence);
    }
    out->lower = quantile(x, n, left);
    out->upper = quantile(x, n, left + confidence);
}

/* Adds the squared distances of a batch's figures from those of all draws. */
static void scatter(iv_drawn_summary *out, const iv_drawn_summary *batch)
{
    out->mean_error += (batch->mean - out->mean) * (batch->mean - out->mean);
    out->mode_error += (batch->mode - out->mode) * (batch->mode - out->mode);
    out->lower_error += (batch->lower - out->lower) * (batch->lower - out->lower);
    out->upper_error += (batch->upper - out->upper) * (batch->upper - out->upper);
}

static int summarise(iv_drawn_summary *out, double *draws, size_t count, double confidence,
                     iv_interval_kind kind, bool with_mode, iv_err *err)
{
    IV_TRY(iv_check_list(draws, count, "draw", err));
    IV_TRY(iv_check_choice(kind, iv_interval_kind_names(), "the interval", err));
    const size_t size = count / BATCHES;
    iv_drawn_summary all = { 0 }, batch[BATCHES];

    IV_TRY(iv_prf_check_confidence(&confidence, err));
    if (count < IV_PRF_DRAWS_MIN)
        return iv_fail(err, IV_EARG, "%zu draws, expected %d at least", count,
                       (int)IV_PRF_DRAWS_MIN);
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(draws[i]))
            return iv_fail(err, IV_EARG, "draw %zu is not finite", i);
    }
    double *part = malloc((size + count) * sizeof *part); /* a batch, and room to sort */
    smoothed *s = with_mode ? malloc(sizeof *s) : NULL;
    if (part == NULL || (with_mode && s == NULL)) {
        free(part);
        free(s);
        return iv_fail(err, IV_ENOMEM, "out of memory");
    }
    for (size_t b = 0; b < BATCHES; b++) {
        memcpy(part, draws + b * size, size * sizeof *part);
        describe(&batch[b], s, part, part + size, size, confidence, kind);
    }
    describe(&all, s, draws, part + size, count, confidence, kind);
    for (size_t b = 0; b < BATCHES; b++)
        scatter(&all, &batch[b]);
    const double scale = 1.0 / ((double)BATCHES * (BATCHES - 1));
    all.mean_error = sqrt(all.mean_error * scale);
    all.mode_error = sqrt(all.mode_error * scale);
    all.lower_error = sqrt(all.lower_error * scale);
    all.upper_error = sqrt(all.upper_error * scale);
    *out = all;
    free(part);
    free(s);
    return IV_OK;
}

int iv_summarise_draws(iv_drawn_summary *out, double *draws, size_t count, double confidence,
                       iv_interval_kind kind, iv_err *err)
{
    return summarise(out, draws, count, confidence, kind, true, err);
}

int iv_summarise_gap(iv_drawn_summary *out, double *draws, size_t count, double confidence,
                     iv_err *err)
{
    return summarise(out, draws, count, confidence, IV_INTERVAL_EQUAL, false, err);
}
