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

#include "base/threads.h"
#include "simulate/simulation.h"

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

static void sum_block(moments *out, iv_simulated_topic *t, uint32_t runs, uint32_t first,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        iv_simulated_topic_draw(t, first + i);
        for (uint32_t r = 0; r < runs; r++)
            add(&out[r], iv_simulated_ap(t, r));
    }
}

/* Fills sums, `blocks` rows of one a run. */
static int sum_blocks(moments *sums, const iv_simulation *s, uint32_t first,
                      uint32_t topics, int threads, iv_progress progress, iv_err *err)
{
    const uint32_t blocks = (topics - 1) / BLOCK + 1, runs = s->options.runs;
    uint32_t done = 0;
    bool ok = true;

    #pragma omp parallel num_threads(threads) reduction(&& : ok)
    {
        iv_simulated_topic *t = NULL;
        ok = iv_simulated_topic_new(&t, s, NULL) == IV_OK;
        #pragma omp for schedule(dynamic)
        for (uint32_t b = 0; b < blocks; b++) {
            const uint32_t left = topics - b * BLOCK;
            if (!ok)
                continue;
            sum_block(sums + (size_t)b * runs, t, runs, first + b * BLOCK,
                      left < BLOCK ? left : BLOCK);
            #pragma omp critical(iv_simulation_progress)
            {
                done++;
                if (progress.report != NULL)
                    progress.report(progress.user, (double)done / blocks);
            }
        }
        iv_simulated_topic_free(t);
    }
    return ok ? IV_OK : iv_fail(err, IV_ENOMEM, "out of memory");
}

int iv_simulation_map(iv_simulation_mean *out, const iv_simulation *s, uint32_t first,
                      uint32_t topics, int threads, iv_progress progress, iv_err *err)
{
    const uint32_t runs = s->options.runs;

    if (topics == 0 || first > UINT32_MAX - topics)
        return iv_fail(err, IV_EARG, "%u topics from %u, expected at least 1 and numbers "
                       "below 2^32", topics, first);
    const uint32_t blocks = (topics - 1) / BLOCK + 1;
    moments *sums = calloc((size_t)blocks * runs, sizeof *sums);
    if (sums == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    const int rc = sum_blocks(sums, s, first, topics, iv_threads(threads), progress, err);
    for (uint32_t r = 0; rc == IV_OK && r < runs; r++) {
        moments all = sums[r];
        for (uint32_t b = 1; b < blocks; b++)
            merge(&all, &sums[(size_t)b * runs + r]);
        out[r].mean = all.mean;
        out[r].se = topics > 1 ? sqrt(all.squares / (all.count - 1.0) / all.count) : NAN;
    }
    free(sums);
    return rc;
}
