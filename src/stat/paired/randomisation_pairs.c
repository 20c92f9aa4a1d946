/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sign flips of many pairs over the same topics.
 *
 * A flip turns the scores x of a system into y = sum of +-x, and the flipped
 * difference of a pair is the difference of two y: the topics are summed once
 * a system, and a pair costs one subtraction.  Flips go in blocks, so that the
 * inner loop runs over the flips of a pair and its bound stays in a register.
 */
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "stat/paired/paired_parts.h"
#include "stat/paired/replicates.h"

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
static inline uint64_t count_extreme(const double *ya, const double *yb, size_t count,
                                     double bound, bool by_size)
{
    uint64_t extreme = 0;

    for (size_t k = 0; k < count; k++) {
        const double d = ya[k] - yb[k];
        extreme += (by_size ? fabs(d) : d) >= bound;
    }
    return extreme;
}

/* bounds: the observed sums of differences, turned and slackened. */
static void count_block(uint64_t *counts, const double *y, const double *bounds,
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

typedef struct flips {
    const iv_score_grid *x;
    const double *bounds;
    uint64_t seed;
    iv_alternative alternative;
} flips;

static void count_blocks(uint64_t *counts, void *room, const void *data, size_t first,
                         size_t last)
{
    const flips *f = data;
    double *y = room, *signs = y + f->x->systems * BLOCK;
    uint64_t *words = (uint64_t *)(void *)(signs + f->x->topics * BLOCK);

    for (size_t b = first; b < last; b += BLOCK) {
        draw_signs(signs, words, f->x->topics, f->seed, b);
        flip_block(y, f->x, signs);
        count_block(counts, y, f->bounds, f->x->systems, last - b < BLOCK ? last - b : BLOCK,
                    f->alternative);
    }
}

int iv_randomisation_pairs(double *p, const iv_score_grid *x, size_t times,
                           iv_alternative alternative, const iv_work *work, iv_err *err)
{
    const size_t pairs = iv_pair_count(x->systems);
    const size_t once = iv_batch_of(x->systems * x->topics + pairs);
    uint64_t *counts = calloc(pairs + 1, sizeof *counts);
    double *bounds = malloc((pairs + 1) * sizeof *bounds);
    const flips f = { x, bounds, iv_work_seed(work), alternative };
    const iv_replicates all = {
        times, (once + BLOCK - 1) / BLOCK * BLOCK, pairs,
        ((x->systems + x->topics) * BLOCK + (x->topics + 63) / 64) * sizeof(double),
        count_blocks, &f };
    int rc = counts == NULL || bounds == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    if (rc == IV_OK && pairs > 0) {
        find_bounds(bounds, x, alternative);
        rc = iv_count_replicates(counts, &all, work, err);
    }
    for (size_t i = 0; rc == IV_OK && i < pairs; i++)
        p[i] = (double)(counts[i] + 1) / (double)(times + 1);
    free(counts);
    free(bounds);
    return rc;
}
