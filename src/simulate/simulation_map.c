/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mean AP of each run over many topics.
 *
 * Topics go to threads in blocks of fixed size, each with its own sums, which
 * are added in the order of the blocks: so the bytes of the result do not
 * depend on the number of threads.
 */
#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "simulate/simulation.h"
#include "simulate/simulate_private.h"

enum { BLOCK = 32 };

/* Of one run, within a block or overall: count, mean, sum of squares about it. */
typedef struct moments {
    double count, mean, squares;
} moments;

static void add(moments *m, double x)
{
    const double away = x - m->mean;

    m->count += 1.0;
    m->mean += away / m->count;
    m->squares += away * (x - m->mean);
}

static void merge(moments *m, const moments *other)
{
    const double away = other->mean - m->mean;
    const double count = m->count + other->count;

    m->squares += other->squares + away * away * m->count * other->count / count;
    m->mean += away * other->count / count;
    m->count = count;
}

/* What the threads share: `blocks` rows of sums, one a run. */
typedef struct summing {
    const iv_simulation *s;
    moments *sums;
    uint32_t first, topics;
} summing;

static void *new_topic(iv_arena *own, void *user)
{
    return iv_simulated_topic_take(own, ((const summing *)user)->s);
}

static int sum_block(void *user, void *topic, size_t block, iv_err *err)
{
    const summing *a = user;
    const uint32_t runs = a->s->options.runs, from = (uint32_t)block * BLOCK;
    const uint32_t left = a->topics - from;

    (void)err;
    for (uint32_t i = 0; i < left && i < BLOCK; i++) {
        iv_simulated_topic_draw(topic, a->first + from + i);
        for (uint32_t r = 0; r < runs; r++)
            add(&a->sums[block * runs + r], iv_simulated_ap(topic, r));
    }
    return IV_OK;
}

int iv_simulation_map(iv_simulation_truth *out, const iv_simulation *s, uint32_t first,
                      uint32_t topics, const iv_work *work, iv_err *err)
{
    const uint32_t runs = s->options.runs;

    if (topics == 0 || first > UINT32_MAX - topics)
        return iv_fail(err, IV_EARG, "%u topics from %u, expected at least 1 and numbers "
                       "below 2^32", topics, first);
    const uint32_t blocks = (topics - 1) / BLOCK + 1;
    moments *sums = calloc((size_t)blocks * runs, sizeof *sums);
    if (sums == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    summing all_of_them = { s, sums, first, topics };
    const iv_loop loop = { blocks, sum_block, &all_of_them, new_topic };
    const int rc = iv_parallel(&loop, work, err);
    for (uint32_t r = 0; rc == IV_OK && r < runs; r++) {
        moments all = sums[r];
        for (uint32_t b = 1; b < blocks; b++)
            merge(&all, &sums[(size_t)b * runs + r]);
        out[r].expected = all.mean;
        out[r].expected_se = topics > 1 ? sqrt(all.squares / (all.count - 1.0) / all.count) : NAN;
    }
    free(sums);
    return rc;
}
