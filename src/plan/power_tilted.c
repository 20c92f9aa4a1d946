/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Differences as a pilot has them, ties and steps of the measure and all, at another
 * effect: value v is drawn with a probability in proportion to exp(x v) times how often
 * the pilot has it, x such that the mean over the standard deviation is that effect.
 * At the pilot's own effect x is 0.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/power_parts.h"

static int rising(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;

    return (a > b) - (a < b);
}

/* Shares of the values at x, and the mean over the standard deviation that they have. */
static double tilt(iv_tilted *t, double x)
{
    const double most = x > 0.0 ? t->value[t->count - 1] : t->value[0];
    double sum = 0.0, mean = 0.0, square = 0.0;

    for (size_t i = 0; i < t->count; i++) {
        t->share[i] = t->seen[i] * exp(x * (t->value[i] - most));
        sum += t->share[i];
    }
    for (size_t i = 0; i < t->count; i++) {
        t->share[i] /= sum;
        mean += t->share[i] * t->value[i];
    }
    for (size_t i = 0; i < t->count; i++)
        square += t->share[i] * (t->value[i] - mean) * (t->value[i] - mean);
    return mean / sqrt(square);
}

/* The largest number of which all values are multiples, if none is more than 64 of it:
 * a measure of few steps. */
static bool has_steps(const iv_tilted *t)
{
    double least = INFINITY, most = 0.0;

    for (size_t i = 0; i < t->count; i++) {
        const double size = fabs(t->value[i]);
        most = fmax(most, size);
        if (size > 0.0)
            least = fmin(least, size);
    }
    for (double part = 1.0; part <= 8.0 && most * part <= 64.0 * least; part += 1.0) {
        bool all = true;
        for (size_t i = 0; i < t->count; i++) {
            const double steps = t->value[i] * part / least;
            all = all && fabs(steps - rint(steps)) < 1e-6;
        }
        if (all)
            return true;
    }
    return false;
}

static void list_values(iv_tilted *t, const double *d, size_t n, double sign)
{
    for (size_t i = 0; i < n; i++)
        t->value[i] = sign * d[i];
    qsort(t->value, n, sizeof *t->value, rising);
    for (size_t i = 0; i < n; i++) {
        if (t->count > 0 && t->value[i] == t->value[t->count - 1]) {
            t->seen[t->count - 1] += 1.0;
        } else {
            t->value[t->count] = t->value[i];
            t->seen[t->count++] = 1.0;
        }
    }
}

int iv_tilted_new(iv_tilted *out, iv_arena *own, const double *d, size_t n, double effect,
                  iv_err *err)
{
    iv_tilted t = { .value = iv_take(own, n, sizeof *t.value),
                    .seen = iv_take(own, n, sizeof *t.seen),
                    .share = iv_take(own, n, sizeof *t.share) };
    double mean = 0.0, low = -1.0, high = 1.0;

    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < n; i++)
        mean += d[i] / (double)n;
    list_values(&t, d, n, mean < 0.0 ? -1.0 : 1.0);
    const double width = t.value[t.count - 1] - t.value[0];
    if (!(width > 0.0) || !(t.value[t.count - 1] > 0.0))
        return iv_fail(err, IV_ENODATA, "all differences of the pilot are the same");
    low /= width;
    high /= width;
    for (int k = 0; k < 12 && tilt(&t, low) > effect; k++)
        low *= 2.0;
    for (int k = 0; k < 12 && tilt(&t, high) < effect; k++)
        high *= 2.0;
    for (int k = 0; k < 100 && high - low > 1e-14 * fmax(fabs(low), fabs(high)); k++) {
        const double middle = 0.5 * (low + high);
        *(tilt(&t, middle) < effect ? &low : &high) = middle;
    }
    (void)tilt(&t, 0.5 * (low + high));
    t.steps = has_steps(&t);
    size_t at = 0;
    double upto = 0.0;
    for (size_t i = 0; i < t.count; i++) {
        t.share[i] += upto;
        upto = t.share[i];
        for (; at < IV_TILTED_PARTS && (double)at < upto * IV_TILTED_PARTS; at++)
            t.part[at] = i;
    }
    for (; at < IV_TILTED_PARTS; at++)
        t.part[at] = t.count - 1;
    *out = t;
    return IV_OK;
}

double iv_tilted_draw(const iv_tilted *t, iv_stream *s)
{
    const double u = iv_draw_uniform(s);
    size_t i = t->part[(size_t)(u * IV_TILTED_PARTS)];

    while (i + 1 < t->count && u >= t->share[i])
        i++;
    return t->value[i];
}
