/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resampling many samples with the same draws: how often each place of the
 * sample is drawn in a replicate is drawn once, and the sums of all samples are
 * products of these counts with their values.  Sixteen replicates go together,
 * each adding up its sample from the first value to the last, so that no sum
 * depends on threads or on what else is resampled.
 */

#include <math.h>
#include <stdlib.h>

#include "base/checking.h"
#include "base/parallel.h"
#include "num/num_private.h"
#include "stat/interval/bootstrap.h"
#include "stat/stat_private.h"

enum { LANES = 16, TILE = 4 }; /* replicates at once; TILE divides them */
enum { TOGETHER = 64 };        /* Studentised samples that share their draws */

/* Counts as doubles, TILE replicates value by value, and one replicate's counts as drawn. */
static size_t iv_resample_room(size_t n)
{
    return n * LANES + (n + 1) / 2;
}

static void draw(double *lanes, uint32_t *counts, size_t n, const iv_stream *streams,
                 size_t many)
{
    for (size_t b = 0; b < LANES; b++) {
        iv_stream stream = streams[b < many ? b : 0];
        double *lane = lanes + b / TILE * TILE * n + b % TILE;
        if (b < many)
            iv_draw_resample(&stream, counts, n);
        for (size_t i = 0; i < n; i++)
            lane[i * TILE] = b < many ? (double)counts[i] : 0.0;
    }
}

/* Numbers that are added and multiplied together, each as it would be alone. */
typedef double tile __attribute__((vector_size(TILE * sizeof(double)), aligned(sizeof(double)),
                                   may_alias));

/* Registers of four doubles where there are some; no sum depends on them. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

/* TILE samples times TILE replicates: each value and each count that is fetched serves
 * several sums, which stay in registers.  Compilers do not find this by themselves. */
WIDE static void sum_tile(double sum[TILE][TILE], const double *const *samples,
                          const double *lanes, size_t n)
{
    const double *a = samples[0], *b = samples[1], *c = samples[2], *d = samples[3];
    tile of[TILE] = { { 0.0 } };

    for (size_t i = 0; i < n; i++) {
        const tile counts = *(const tile *)(lanes + i * TILE);
        of[0] += counts * a[i];
        of[1] += counts * b[i];
        of[2] += counts * c[i];
        of[3] += counts * d[i];
    }
    for (size_t k = 0; k < TILE; k++)
        for (size_t j = 0; j < TILE; j++)
            sum[k][j] = of[k][j];
}

static void iv_resample_block(double *means, size_t stride, const double *const *samples,
                              size_t count, size_t n, const iv_stream *streams, size_t many,
                              double *room)
{
    double *lanes = room;

    draw(lanes, (uint32_t *)(void *)(room + n * LANES), n, streams, many);
    for (size_t s = 0; s < count; s += TILE) {
        const size_t some = count - s < TILE ? count - s : TILE;
        const double *four[TILE];
        for (size_t k = 0; k < TILE; k++)
            four[k] = samples[k < some ? s + k : s];
        for (size_t first = 0; first < many; first += TILE) {
            double sum[TILE][TILE];
            sum_tile(sum, four, lanes + first * n, n);
            for (size_t k = 0; k < some; k++)
                for (size_t b = 0; b < TILE && first + b < many; b++)
                    means[(s + k) * stride + first + b] = sum[k][b] / (double)n;
        }
    }
}

/* What the threads of a resampling share. */
typedef struct resampling {
    double *means;
    const double *const *samples;
    size_t count, n, resamples;
    uint64_t seed;
} resampling;

static void *new_room(iv_arena *own, void *user)
{
    return iv_take(own, iv_resample_room(((const resampling *)user)->n), sizeof(double));
}

static int resample_lanes(void *user, void *memory, size_t k, iv_err *err)
{
    const resampling *r = user;
    const size_t first = k * LANES, left = r->resamples - first;
    const size_t many = left < LANES ? left : LANES;
    iv_stream streams[LANES];

    (void)err;
    for (size_t b = 0; b < many; b++)
        streams[b] = iv_stream_start(r->seed, IV_FOR_BOOTSTRAP, first + b);
    iv_resample_block(r->means + first, r->resamples, r->samples, r->count, r->n, streams,
                      many, memory);
    return IV_OK;
}

static int resample_all(double *means, const double *const *samples, size_t count,
                        size_t n, size_t resamples, const iv_work *work, iv_err *err)
{
    iv_arena own = { 0 };
    const double **batched = iv_take(&own, count, sizeof *batched);
    resampling r = { means, batched, count, 0, resamples, iv_work_seed(work) };
    int rc = iv_taken(&own, err);

    if (rc == IV_OK) {
        r.n = iv_batch(batched, &own, samples, count, n, r.seed);
        rc = iv_taken(&own, err);
    }
    if (rc == IV_OK)
        rc = iv_parallel(&(iv_loop){ (resamples + LANES - 1) / LANES, resample_lanes, &r,
                                     new_room }, work, err);
    iv_arena_free(&own);
    return rc;
}

static int check_samples(const double *const *samples, size_t count, size_t n,
                         iv_err *err)
{
    if (n == 0)
        return iv_fail(err, IV_ENODATA, "no values to resample");
    if (n > UINT32_MAX)
        return iv_fail(err, IV_EARG, "resampling of more than %lu values",
                       (unsigned long)UINT32_MAX);
    for (size_t s = 0; s < count; s++)
        for (size_t i = 0; i < n; i++)
            if (!isfinite(samples[s][i]))
                return iv_fail(err, IV_EARG, "value %zu of sample %zu is not finite",
                               i + 1, s + 1);
    return IV_OK;
}

int iv_resample_means(double *means, const double *const *samples, size_t count, size_t n,
                      const iv_resampling *options, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_each(samples, count, "sample", err));
    const int rc = check_samples(samples, count, n, err);

    return rc < 0 ? rc : resample_all(means, samples, count, n,
                                      iv_resampling_of(options).resamples, work, err);
}

/* Samples of one call that are resampled, in groups that fit the memory. */
typedef struct group {
    iv_mean_interval *out;
    const double **samples;
    size_t *index; /* of each in the call */
    size_t count, most;
    size_t done, all; /* samples of groups before this one; of all groups */
    double *means;
    size_t n;
    iv_resampling options;
} group;

static int finish_sample(void *user, void *memory, size_t s, iv_err *err)
{
    const group *g = user;
    const size_t B = g->options.resamples;
    iv_mean_interval *out = &g->out[g->index[s]];

    (void)memory;
    return iv_interval_from_means(out, out->method, g->means + s * B, B, g->samples[s], g->n,
                                  g->options.confidence, err);
}

/* Drawing takes most of the time, the intervals from the draws the rest. */
static int finish_group(group *g, const iv_work *work, iv_err *err)
{
    const double from = (double)g->done / (double)g->all;
    const double share = (double)g->count / (double)g->all;
    iv_stage drawing, telling;
    int rc = resample_all(g->means, g->samples, g->count, g->n, g->options.resamples,
                          iv_work_part(&drawing, work, from, from + 0.7 * share), err);

    if (rc == IV_OK)
        rc = iv_parallel(&(iv_loop){ g->count, finish_sample, g, NULL },
                         iv_work_part(&telling, work, from + 0.7 * share, from + share), err);
    g->done += g->count;
    g->count = 0;
    return rc;
}

static int group_new(group *g, iv_err *err)
{
    const size_t B = g->options.resamples, fit = ((size_t)1 << 22) / (B + 1);

    g->most = fit < 1 ? 1 : fit < g->all ? fit : g->all;
    g->samples = malloc((g->most + 1) * sizeof *g->samples);
    g->index = malloc((g->most + 1) * sizeof *g->index);
    g->means = B <= SIZE_MAX / sizeof *g->means / (g->most + 1)
        ? malloc((g->most * B + 1) * sizeof *g->means)
        : NULL;
    if (g->samples != NULL && g->index != NULL && g->means != NULL)
        return IV_OK;
    return iv_fail(err, IV_ENOMEM, "out of memory for %zu resamples", B);
}

static void group_free(group *g)
{
    free(g->samples);
    free(g->index);
    free(g->means);
}

static bool still_to_draw(const iv_mean_interval *i)
{
    return iv_interval_resamples(i->method) && i->gap == IV_GAP_NONE;
}

static int bootstrap(group *g, const double *const *samples, size_t count,
                     const iv_work *work, iv_err *err)
{
    int rc = group_new(g, err);

    for (size_t s = 0; s < count && rc == IV_OK; s++) {
        if (!still_to_draw(&g->out[s]))
            continue;
        g->samples[g->count] = samples[s];
        g->index[g->count++] = s;
        if (g->count == g->most)
            rc = finish_group(g, work, err);
    }
    if (rc == IV_OK && g->count > 0)
        rc = finish_group(g, work, err);
    group_free(g);
    return rc;
}

int iv_mean_intervals(iv_mean_interval *out, const double *const *samples,
                      const iv_interval_method *methods, size_t count, size_t n,
                      const iv_resampling *options, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_each(samples, count, "sample", err));
    IV_TRY(iv_check_list(methods, count, "method", err));
    for (size_t i = 0; i < count; i++)
        IV_TRY(iv_check_choice(methods[i], iv_interval_names(), "the interval", err));
    group g = { .out = out, .n = n, .options = iv_resampling_of(options) };
    int rc = check_samples(samples, count, n, err);

    /* Errors are told before anything is written. */
    for (size_t s = 0; s < count && rc == IV_OK; s++)
        rc = iv_interval_check(samples[s], n, g.options.confidence, err);
    iv_mean_interval *some[TOGETHER];
    const double *of[TOGETHER];
    size_t many = 0;
    for (size_t s = 0; s < count && rc == IV_OK; s++) {
        iv_interval_begin(&out[s], methods[s], samples[s], n);
        if (out[s].gap != IV_GAP_NONE)
            continue;
        if (iv_interval_resamples(out[s].method)) {
            g.all++;
        } else if (out[s].method == IV_INTERVAL_BOOTSTRAP_T) {
            some[many] = &out[s];
            of[many++] = samples[s];
        } else {
            rc = iv_plain_limits(&out[s], samples[s], &g.options, work, err);
        }
        if (rc == IV_OK && many == TOGETHER) {
            rc = iv_bootstrap_t_limits(some, of, many, &g.options, work, err);
            many = 0;
        }
    }
    if (rc == IV_OK && many > 0)
        rc = iv_bootstrap_t_limits(some, of, many, &g.options, work, err);
    return rc == IV_OK && g.all > 0 ? bootstrap(&g, samples, count, work, err) : rc;
}
