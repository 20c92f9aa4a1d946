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

#include "base/threads.h"
#include "stat/interval/bootstrap.h"

/* Counts as doubles, value by value, and one replicate's counts as drawn. */
size_t iv_resample_room(size_t n)
{
    return n * IV_RESAMPLE_LANES + (n + 1) / 2;
}

static void draw(double *lanes, uint32_t *counts, size_t n, const iv_stream *streams,
                 size_t many)
{
    for (size_t b = 0; b < IV_RESAMPLE_LANES; b++) {
        iv_stream stream = streams[b < many ? b : 0];
        if (b < many)
            iv_draw_resample(&stream, counts, n);
        for (size_t i = 0; i < n; i++)
            lanes[i * IV_RESAMPLE_LANES + b] = b < many ? (double)counts[i] : 0.0;
    }
}

void iv_resample_block(double *means, size_t stride, const double *const *samples,
                       size_t count, size_t n, const iv_stream *streams, size_t many,
                       double *room)
{
    double *lanes = room;

    draw(lanes, (uint32_t *)(void *)(room + n * IV_RESAMPLE_LANES), n, streams, many);
    for (size_t s = 0; s < count; s++) {
        double sum[IV_RESAMPLE_LANES] = { 0.0 };
        for (size_t i = 0; i < n; i++) {
            const double value = samples[s][i];
            for (size_t b = 0; b < IV_RESAMPLE_LANES; b++)
                sum[b] += lanes[i * IV_RESAMPLE_LANES + b] * value;
        }
        for (size_t b = 0; b < many; b++)
            means[s * stride + b] = sum[b] / (double)n;
    }
}

static int resample_all(double *means, const double *const *samples, size_t count,
                        size_t n, const iv_resampling *o, iv_err *err)
{
    const size_t blocks = (o->resamples + IV_RESAMPLE_LANES - 1) / IV_RESAMPLE_LANES;
    bool failed = false;

    #pragma omp parallel num_threads(iv_threads(o->threads))
    {
        double *room = malloc(iv_resample_room(n) * sizeof *room);
        if (room == NULL) {
            #pragma omp atomic write
            failed = true;
        }
        #pragma omp for schedule(static)
        for (size_t k = 0; k < blocks; k++) {
            const size_t first = k * IV_RESAMPLE_LANES;
            const size_t left = o->resamples - first;
            const size_t many = left < IV_RESAMPLE_LANES ? left : IV_RESAMPLE_LANES;
            iv_stream streams[IV_RESAMPLE_LANES];
            for (size_t b = 0; b < many; b++)
                streams[b] = iv_stream_start(o->seed, IV_FOR_BOOTSTRAP, first + b);
            if (room != NULL)
                iv_resample_block(means + first, o->resamples, samples, count, n,
                                  streams, many, room);
        }
        free(room);
    }
    return failed ? iv_fail(err, IV_ENOMEM, "out of memory for resampling") : IV_OK;
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

int iv_resample_means(double *means, const double *const *samples, size_t count,
                      size_t n, const iv_resampling *options, iv_err *err)
{
    const iv_resampling o = options != NULL ? *options : iv_resampling_defaults();
    const int rc = check_samples(samples, count, n, err);

    return rc < 0 ? rc : resample_all(means, samples, count, n, &o, err);
}

/* Samples of one call that are resampled, in groups that fit the memory. */
typedef struct group {
    const double **samples;
    size_t *index; /* of each in the call */
    size_t count, most;
    double *means;
} group;

static bool is_bootstrap(iv_interval_method m)
{
    return m == IV_INTERVAL_LOGIT || m == IV_INTERVAL_PERCENTILE || m == IV_INTERVAL_BCA;
}

static int finish_group(iv_mean_interval *out, group *g, const iv_interval_method *methods,
                        size_t n, const iv_resampling *o, iv_err *err)
{
    int worst = resample_all(g->means, g->samples, g->count, n, o, err);

    if (worst < 0)
        return worst;
    #pragma omp parallel for num_threads(iv_threads(o->threads)) schedule(dynamic, 1)
    for (size_t s = 0; s < g->count; s++) {
        /* All was checked before: this cannot fail. */
        const int rc = iv_interval_from_means(&out[g->index[s]], methods[g->index[s]],
                                              g->means + s * o->resamples, o->resamples,
                                              g->samples[s], n, o->confidence, NULL);
        if (rc < 0) {
            #pragma omp atomic write
            worst = rc;
        }
    }
    g->count = 0;
    return worst < 0 ? iv_fail(err, worst, "an interval could not be computed") : IV_OK;
}

static int group_new(group *g, size_t count, size_t resamples, iv_err *err)
{
    const size_t fit = ((size_t)1 << 22) / (resamples + 1);

    g->most = fit < 1 ? 1 : fit < count ? fit : count;
    g->samples = malloc((g->most + 1) * sizeof *g->samples);
    g->index = malloc((g->most + 1) * sizeof *g->index);
    g->means = resamples <= SIZE_MAX / sizeof *g->means / (g->most + 1)
        ? malloc((g->most * resamples + 1) * sizeof *g->means)
        : NULL;
    if (g->samples != NULL && g->index != NULL && g->means != NULL)
        return IV_OK;
    return iv_fail(err, IV_ENOMEM, "out of memory for %zu resamples", resamples);
}

static void group_free(group *g)
{
    free(g->samples);
    free(g->index);
    free(g->means);
}

int iv_mean_intervals(iv_mean_interval *out, const double *const *samples,
                      const iv_interval_method *methods, size_t count, size_t n,
                      const iv_resampling *options, iv_err *err)
{
    const iv_resampling o = options != NULL ? *options : iv_resampling_defaults();
    size_t bootstraps = 0;
    group g = { 0 };
    int rc = check_samples(samples, count, n, err);

    /* Errors are told before anything is written. */
    for (size_t s = 0; s < count && rc == IV_OK; s++)
        rc = iv_interval_check(samples[s], n, methods[s], o.resamples, o.confidence, err);
    for (size_t s = 0; s < count && rc == IV_OK; s++) {
        iv_interval_begin(&out[s], methods[s], samples[s], n);
        if (!is_bootstrap(methods[s]))
            rc = iv_interval_from_means(&out[s], methods[s], NULL, 0, samples[s], n,
                                        o.confidence, err);
        else
            bootstraps += out[s].gap == IV_GAP_NONE;
    }
    if (rc == IV_OK && bootstraps > 0)
        rc = group_new(&g, bootstraps, o.resamples, err);
    for (size_t s = 0; s < count && rc == IV_OK && bootstraps > 0; s++) {
        if (!is_bootstrap(methods[s]) || out[s].gap != IV_GAP_NONE)
            continue;
        g.samples[g.count] = samples[s];
        g.index[g.count++] = s;
        if (g.count == g.most)
            rc = finish_group(out, &g, methods, n, &o, err);
    }
    if (rc == IV_OK && g.count > 0)
        rc = finish_group(out, &g, methods, n, &o, err);
    group_free(&g);
    return rc;
}
