/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bootstrap of the Studentised mean, for skewed values without bounds: quantiles of
 * (m* - m) / se* over resamples, at levels expanded for n, Phi(-+ sqrt(n / (n - 1)) t);
 * Student's where more resamples than a tail has are of one value.
 *
 * Refs: Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 12.5;
 * Hesterberg (2015), The American Statistician 69, 371-386, for the levels.
 */
#include <math.h>

#include "base/parallel.h"
#include "stat/interval/resample_limit.h"
#include "num/num_private.h"
#include "stat/interval_private.h"

/* Mean of x by counts, and its standard error, n values in all. */
static void moments(double *mean, double *se, const double *x, const uint32_t *counts, size_t n)
{
    double sum = 0.0, squares = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += x[i] * counts[i];
    *mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - *mean) * (x[i] - *mean) * counts[i];
    *se = sqrt(squares / ((double)n * (double)(n - 1)));
}

/* What the resamples, one an item, share. */
typedef struct job {
    const double *x;
    size_t n;
    double mean, *t;
    uint64_t seed;
    double dust; /* what rounding makes of no standard error */
} job;

static void *counts_new(iv_arena *own, void *user)
{
    return iv_take(own, ((const job *)user)->n, sizeof(uint32_t));
}

static int resample(void *user, void *memory, size_t k, iv_err *err)
{
    enum { STUDENTISED = 0x73747564 };
    const job *j = user;
    iv_stream s = iv_stream_start(j->seed, STUDENTISED, k);
    double m = 0.0, e = 0.0;

    (void)err;
    iv_draw_resample(&s, memory, j->n);
    moments(&m, &e, j->x, memory, j->n);
    j->t[k] = e > j->dust ? (m - j->mean) / e : NAN; /* one value n times has no spread */
    return IV_OK;
}

/*
 * Quantiles of infinitely many resamples, by the first term of their expansion.  Ref: Hall
 * (1992), The Bootstrap and Edgeworth Expansion, section 2.6.
 */
static bool by_limit(iv_mean_interval *out, const double *x, double tail)
{
    iv_mean_limit m;

    if (!iv_mean_limit_of(&m, x, out->n))
        return false;
    const double z = iv_norm_isf(tail), bend = m.skew * (2.0 * z * z + 1.0) / 6.0;
    out->lower = out->mean - (z - bend) * out->se;
    out->upper = out->mean + (z + bend) * out->se;
    out->limit_error = m.error;
    return true;
}

/* From the statistics of resamples, NaN of those without a spread. */
static void take_quantiles(iv_mean_interval *out, double *t, size_t resamples, double tail,
                           double student)
{
    size_t kept = 0;

    for (size_t k = 0; k < resamples; k++) {
        t[kept] = t[k];
        kept += isnan(t[k]) ? 0 : 1;
    }
    out->dropped = resamples - kept;
    /* More without a spread than a tail holds: its quantile is infinite. */
    const bool few = (double)out->dropped > tail * (double)resamples || kept < 2;
    out->lower = out->mean - (few ? student : iv_quantile(t, kept, 1.0 - tail)) * out->se;
    out->upper = out->mean - (few ? -student : iv_quantile(t, kept, tail)) * out->se;
}

int iv_limits_bootstrap_t(iv_mean_interval *out, const iv_limits_from *from, iv_err *err)
{
    const double N = (double)out->n;
    const double student = iv_t_isf(0.5 * (1.0 - from->confidence), N - 1.0);
    const double tail = iv_norm_cdf(-sqrt(N / (N - 1.0)) * student);
    iv_arena memory = { 0 };

    if (by_limit(out, from->sample, tail))
        return IV_OK;
    job j = { from->sample, out->n, out->mean, iv_take(&memory, from->resamples, sizeof(double)),
              iv_work_seed(from->work), 1e-9 * out->se };
    int rc = iv_taken(&memory, err);
    if (rc == IV_OK)
        rc = iv_parallel(&(iv_loop){ from->resamples, resample, &j, counts_new }, from->work, err);
    if (rc == IV_OK)
        take_quantiles(out, j.t, from->resamples, tail, student);
    iv_arena_free(&memory);
    return rc;
}
