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
#include "stat/interval/resample_limit.h"
#include "stat/interval_private.h"

enum { TILE = 4 }; /* divides IV_RESAMPLE_LANES */

/* Counts as doubles, TILE replicates value by value, and one replicate's counts as drawn. */
static size_t iv_resample_room(size_t n)
{
    return n * IV_RESAMPLE_LANES + (n + 1) / 2;
}

static void draw(double *lanes, uint32_t *counts, size_t n, const iv_stream *streams,
                 size_t many)
{
    for (size_t b = 0; b < IV_RESAMPLE_LANES; b++) {
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

    draw(lanes, (uint32_t *)(void *)(room + n * IV_RESAMPLE_LANES), n, streams, many);
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
    const size_t first = k * IV_RESAMPLE_LANES, left = r->resamples - first;
    const size_t many = left < IV_RESAMPLE_LANES ? left : IV_RESAMPLE_LANES;
    iv_stream streams[IV_RESAMPLE_LANES];

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
    resampling r = { means, samples, count, n, resamples, iv_work_seed(work) };

    return iv_parallel(&(iv_loop){ (resamples + IV_RESAMPLE_LANES - 1) / IV_RESAMPLE_LANES,
                                   resample_lanes, &r, new_room }, work, err);
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
    return iv_interval_resamples(i->method) && i->gap == IV_GAP_NONE && isnan(i->lower);
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
    for (size_t s = 0; s < count && rc == IV_OK; s++) {
        iv_interval_begin(&out[s], methods[s], samples[s], n);
        if (out[s].gap != IV_GAP_NONE)
            continue;
        if (!iv_interval_resamples(out[s].method))
            rc = iv_plain_limits(&out[s], samples[s], &g.options, work, err);
        else
            g.all += !iv_interval_by_limit(&out[s], samples[s], g.options.confidence)
                && still_to_draw(&out[s]);
    }
    return rc == IV_OK && g.all > 0 ? bootstrap(&g, samples, count, work, err) : rc;
}

/* ----------------------------------------------------------- joint limit -- */

/* Means of resamples of several samples from their joint normal limit. */

/* Below this share of its variance a sample tells nothing that those before it do not:
 * what is left is rounding. */
#define NOTHING 1e-11

enum { LANES = 64 }; /* resamples a step */

typedef struct joint {
    const double *const *samples;
    size_t count, n, resamples;
    iv_mean_limit *limit; /* of each sample */
    /* Below the diagonal and on it covariances of means, then their root; above it how far
     * the shares of a pair may be off. */
    double *root;
    double *means;
    uint64_t seed;
} joint;

/*
 * Covariances by variances of differences, whose digits say how far two samples are apart
 * even if they are nearly the same.
 */
static int find_pair(void *user, void *memory, size_t i, iv_err *err)
{
    const joint *j = user;
    /* Row a of the lower triangle begins at a (a + 1) / 2; the root may be off by one. */
    size_t a = (size_t)(sqrt(2.0 * (double)i + 0.25) - 0.5);
    a -= a * (a + 1) / 2 > i;
    a += (a + 1) * (a + 2) / 2 <= i;
    const size_t b = i - a * (a + 1) / 2, S = j->count;
    const double *x = j->samples[a], *y = j->samples[b];
    const double N = (double)j->n, sa = j->limit[a].sd, sb = j->limit[b].sd;
    const double shift = j->limit[a].mean - j->limit[b].mean;
    double squares = 0.0, cubes = 0.0;

    (void)memory;
    (void)err;
    for (size_t t = 0; a != b && t < j->n; t++) {
        const double d = x[t] - y[t] - shift, dd = d * d;
        squares += dd;
        cubes += dd * fabs(d);
    }
    if (squares > 0.0)
        j->root[b * S + a] = 0.4748 * cubes / (squares * sqrt(squares));
    j->root[a * S + b] = 0.5 * (sa * sa + sb * sb - squares / N / N);
    return IV_OK;
}

/* Cholesky's root of covariances, count x count, in the lower triangle, which it replaces; of a
 * matrix that may have no inverse. */
static int iv_covariance_root(double *r, size_t S, const iv_work *work, iv_err *err)
{
    for (size_t a = 0; a < S; a++) {
        const double own = r[a * S + a];
        for (size_t b = 0; b <= a; b++) {
            double left = r[a * S + b];
            for (size_t k = 0; k < b; k++)
                left -= r[a * S + k] * r[b * S + k];
            if (b < a)
                r[a * S + b] = r[b * S + b] > 0.0 ? left / r[b * S + b] : 0.0;
            else
                r[a * S + a] = left > NOTHING * own ? sqrt(left) : 0.0;
        }
        IV_TRY(iv_check_work(work, (double)a / (double)S, err));
    }
    return IV_OK;
}

static void *normals_new(iv_arena *own, void *user)
{
    return iv_take(own, ((const joint *)user)->count, sizeof(double));
}

static int draw_lanes(void *user, void *memory, size_t k, iv_err *err)
{
    const joint *j = user;
    const size_t S = j->count, first = k * LANES;
    const size_t last = j->resamples - first < LANES ? j->resamples : first + LANES;
    double *z = memory;

    (void)err;
    for (size_t b = first; b < last; b++) {
        iv_stream stream = iv_stream_start(j->seed, IV_FOR_BOOTSTRAP, b);
        for (size_t s = 0; s < S; s++)
            z[s] = iv_draw_normal(&stream);
        for (size_t s = 0; s < S; s++) {
            double sum = 0.0;
            for (size_t i = 0; i <= s; i++)
                sum += j->root[s * S + i] * z[i];
            j->means[s * j->resamples + b] = j->limit[s].mean + sum;
        }
    }
    return IV_OK;
}

static int draw_all(joint *j, const iv_work *work, iv_err *err)
{
    const size_t S = j->count, lanes = (j->resamples + LANES - 1) / LANES;
    iv_stage part[3];

    IV_TRY(iv_parallel(&(iv_loop){ S * (S + 1) / 2, find_pair, j, NULL },
                       iv_work_part(&part[0], work, 0.0, 0.6), err));
    IV_TRY(iv_covariance_root(j->root, j->count, iv_work_part(&part[1], work, 0.6, 0.7), err));
    return iv_parallel(&(iv_loop){ lanes, draw_lanes, j, normals_new },
                       iv_work_part(&part[2], work, 0.7, 1.0), err);
}

int iv_resample_limit(bool *drawn, double *error, double *means, const double *const *samples,
                      size_t count, size_t n, size_t resamples, const iv_work *work,
                      iv_err *err)
{
    iv_arena own = { 0 };
    joint j = { samples, count, n, resamples, NULL, NULL, means, iv_work_seed(work) };
    bool near = n >= IV_LIMIT_VALUES && count <= SIZE_MAX / count;
    int rc = IV_OK;

    *drawn = false;
    if (!near)
        return IV_OK;
    j.limit = iv_take(&own, count, sizeof *j.limit);
    j.root = iv_take(&own, count * count, sizeof *j.root);
    rc = iv_taken(&own, err);
    for (size_t s = 0; rc == IV_OK && near && s < count; s++)
        near = iv_mean_limit_of(&j.limit[s], samples[s], n);
    if (rc == IV_OK && near)
        rc = draw_all(&j, work, err);
    if (rc == IV_OK && near) {
        *drawn = true;
        for (size_t a = 0; a < count; a++)
            for (size_t b = a + 1; b < count; b++)
                *error = fmax(*error, j.root[a * count + b]);
    }
    iv_arena_free(&own);
    return rc;
}
