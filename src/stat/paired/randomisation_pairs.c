/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sign flips of many pairs over the same topics.
 *
 * A flip turns the scores x of a system into y = sum of +-x, and the flipped
 * difference of a pair is the difference of two y: the topics are summed once
 * a system, and a pair costs one subtraction.  Flips go in blocks, so that the
 * inner loop runs over the flips of a pair and its bound stays in a register.
 * Counts are whole numbers: which thread counted what leaves no trace.
 */
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "stat/paired/paired_parts.h"

enum { BLOCK = 64 }; /* flips */

size_t iv_pair_count(size_t systems)
{
    return systems * (systems - (systems > 0)) / 2;
}

size_t iv_pair_index(size_t systems, size_t a, size_t b)
{
    return a * (2 * systems - a - 1) / 2 + (b - a - 1);
}

/* signs[t * BLOCK + k]: +1 or -1, what flip first + k does to topic t. */
static void draw_signs(double *signs, uint64_t *words, size_t topics, uint64_t seed,
                       uint64_t first)
{
    for (size_t k = 0; k < BLOCK; k++) {
        iv_flip_signs(words, topics, seed, first + k);
        for (size_t t = 0; t < topics; t++)
            signs[t * BLOCK + k] = words[t / 64] >> (t % 64) & 1 ? -1.0 : 1.0;
    }
}

/* y[s * BLOCK + k]: the sum of system s under the k-th flip. */
static void flip_block(double *y, const iv_score_grid *x, const double *signs)
{
    for (size_t s = 0; s < x->systems; s++) {
        const double *row = x->values + s * x->topics;
        double sums[BLOCK] = { 0.0 };
        for (size_t t = 0; t < x->topics; t++) {
            for (size_t k = 0; k < BLOCK; k++)
                sums[k] += signs[t * BLOCK + k] * row[t];
        }
        memcpy(y + s * BLOCK, sums, sizeof sums);
    }
}

/* How many of the first `count` differences reach the bound, by size or sign? */
static inline int64_t count_extreme(const double *ya, const double *yb, size_t count,
                                    double bound, bool by_size)
{
    int64_t extreme = 0;

    for (size_t k = 0; k < count; k++) {
        const double d = ya[k] - yb[k];
        extreme += (by_size ? fabs(d) : d) >= bound;
    }
    return extreme;
}

/* bounds: the observed sums of differences, turned and slackened. */
static void count_block(int64_t *counts, const double *y, const double *bounds,
                        size_t systems, size_t count, iv_alternative alternative)
{
    size_t pair = 0;

    for (size_t a = 0; a < systems; a++) {
        for (size_t b = a + 1; b < systems; b++, pair++) {
            const double *ya = y + a * BLOCK, *yb = y + b * BLOCK;
            if (alternative != IV_TWO_SIDED)
                counts[pair] += alternative == IV_GREATER
                    ? count_extreme(ya, yb, count, bounds[pair], false)
                    : count_extreme(yb, ya, count, bounds[pair], false);
            else if (count == BLOCK) /* a number the compiler knows */
                counts[pair] += count_extreme(ya, yb, BLOCK, bounds[pair], true);
            else
                counts[pair] += count_extreme(ya, yb, count, bounds[pair], true);
        }
    }
}

static void find_bounds(double *bounds, const iv_score_grid *x, iv_alternative alternative)
{
    const double slack = iv_slack_of(x->values, x->systems * x->topics) * (double)x->topics;
    size_t pair = 0;

    for (size_t a = 0; a < x->systems; a++) {
        for (size_t b = a + 1; b < x->systems; b++, pair++) {
            double sum = 0.0;
            for (size_t t = 0; t < x->topics; t++)
                sum += x->values[a * x->topics + t] - x->values[b * x->topics + t];
            bounds[pair] = (alternative == IV_TWO_SIDED ? fabs(sum)
                            : alternative == IV_GREATER ? sum : -sum) - slack;
        }
    }
}

/* One thread's share: its own memory, and counts added up at the end. */
static bool count_share(int64_t *counts, const iv_score_grid *x, const double *bounds,
                        size_t flips, uint64_t seed, iv_alternative alternative,
                        const iv_progress *progress)
{
    const size_t pairs = iv_pair_count(x->systems), wide = (x->topics + 63) / 64;
    const size_t blocks = (flips + BLOCK - 1) / BLOCK;
    int64_t *own = calloc(pairs, sizeof *own);
    double *y = malloc(x->systems * BLOCK * sizeof *y);
    double *signs = malloc(x->topics * BLOCK * sizeof *signs);
    uint64_t *words = malloc(wide * sizeof *words);
    const bool ok = own != NULL && y != NULL && signs != NULL && words != NULL;

    #pragma omp for schedule(dynamic, 8)
    for (size_t b = 0; b < blocks; b++) {
        const size_t first = b * BLOCK;
        if (!ok)
            continue;
        draw_signs(signs, words, x->topics, seed, first);
        flip_block(y, x, signs);
        count_block(own, y, bounds, x->systems,
                    flips - first < BLOCK ? flips - first : BLOCK, alternative);
        if (progress != NULL && progress->report != NULL && iv_thread() == 0)
            progress->report(progress->user, (double)(b + 1) / (double)blocks);
    }
    if (ok) {
        #pragma omp critical(iv_randomisation_pairs)
        for (size_t p = 0; p < pairs; p++)
            counts[p] += own[p];
    }
    free(own);
    free(y);
    free(signs);
    free(words);
    return ok;
}

int iv_randomisation_pairs(double *p, const iv_score_grid *x, size_t flips, uint64_t seed,
                           iv_alternative alternative, int threads,
                           const iv_progress *progress, iv_err *err)
{
    const size_t pairs = iv_pair_count(x->systems);
    int64_t *counts = calloc(pairs + 1, sizeof *counts);
    double *bounds = malloc((pairs + 1) * sizeof *bounds);
    bool ok = counts != NULL && bounds != NULL;

    if (ok && pairs > 0) {
        find_bounds(bounds, x, alternative);
        #pragma omp parallel num_threads(iv_threads(threads)) reduction(&& : ok)
        ok = count_share(counts, x, bounds, flips, seed, alternative, progress);
    }
    for (size_t i = 0; ok && i < pairs; i++)
        p[i] = (double)(counts[i] + 1) / (double)(flips + 1);
    free(counts);
    free(bounds);
    return ok ? IV_OK : iv_fail(err, IV_ENOMEM, "out of memory");
}
