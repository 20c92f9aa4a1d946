/* SPDX-License-Identifier: Apache-2.0 */
/* Means of resamples of several samples from their joint normal limit. */
#include <math.h>

#include "base/parallel.h"
#include "stat/interval/resample_limit.h"
#include "num/num_private.h"

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

int iv_covariance_root(double *r, size_t S, const iv_work *work, iv_err *err)
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
