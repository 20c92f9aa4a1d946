/* SPDX-License-Identifier: Apache-2.0 */
/* The bootstrap of the Studentised mean, for skewed values without bounds. */
#include <math.h>

#include "base/checking.h"
#include "base/parallel.h"
#include "intervale/num.h"
#include "stat/interval/resample_limit.h"

/* Mean of x by counts, and its standard error, n values in all. */
static void moments(double *mean, double *se, const double *x, const uint32_t *counts, size_t n)
{
    double sum = 0.0, squares = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += x[i] * (counts == NULL ? 1.0 : counts[i]);
    *mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - *mean) * (x[i] - *mean) * (counts == NULL ? 1.0 : counts[i]);
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
static bool by_limit(iv_mean_interval *out, const double *x, size_t n, double mean, double se,
                     double tail)
{
    iv_mean_limit m;

    if (!(se > 0.0) || !iv_mean_limit_of(&m, x, n))
        return false;
    const double z = iv_norm_isf(tail), bend = m.skew * (2.0 * z * z + 1.0) / 6.0;
    *out = (iv_mean_interval){ .n = n, .mean = mean, .se = se, .lower = mean - (z - bend) * se,
                               .upper = mean + (z + bend) * se, .limit_error = m.error };
    return true;
}

int iv_studentised_mean(iv_mean_interval *out, const double *x, size_t n,
                        const iv_resampling *options, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_reals(x, n, "a value", err));
    const iv_resampling o = iv_resampling_of(options);
    const double N = (double)n;
    iv_arena memory = { 0 };
    job j = { x, n, NAN, iv_take(&memory, o.resamples, sizeof(double)), iv_work_seed(work), 0.0 };
    double se = NAN;
    size_t kept = 0;
    int rc = n == 0 ? iv_fail(err, IV_ENODATA, "no values") : iv_taken(&memory, err);

    if (rc == IV_OK && n == 1)
        j.mean = x[0];
    else if (rc == IV_OK)
        moments(&j.mean, &se, x, NULL, n);
    j.dust = 1e-9 * se;
    const double tail = n < 2 ? NAN : iv_norm_cdf(-sqrt(N / (N - 1.0))
                                                  * iv_t_isf(0.5 * (1.0 - o.confidence), N - 1.0));
    if (rc == IV_OK && by_limit(out, x, n, j.mean, se, tail)) {
        iv_arena_free(&memory);
        return IV_OK;
    }
    if (rc == IV_OK && n > 2 && se > 0.0)
        rc = iv_parallel(&(iv_loop){ o.resamples, resample, &j, counts_new }, work, err);
    for (size_t k = 0; rc == IV_OK && n > 2 && se > 0.0 && k < o.resamples; k++) {
        j.t[kept] = j.t[k];
        kept += isnan(j.t[k]) ? 0 : 1;
    }
    if (rc == IV_OK) {
        *out = (iv_mean_interval){ .n = n, .mean = j.mean, .se = se, .lower = NAN, .upper = NAN,
                                   .constant = !(se > 0.0), .dropped = o.resamples - kept };
        /* More without a spread than a tail holds: its quantile is infinite. */
        const double room = (double)(o.resamples - kept) > tail * (double)o.resamples
            ? iv_t_isf(0.5 * (1.0 - o.confidence), N - 1.0) : NAN;
        if (n > 2 && se > 0.0 && !isnan(room)) {
            out->lower = j.mean - room * se;
            out->upper = j.mean + room * se;
        } else if (kept > 1) {
            out->lower = j.mean - iv_quantile(j.t, kept, 1.0 - tail) * se;
            out->upper = j.mean - iv_quantile(j.t, kept, tail) * se;
        }
    }
    iv_arena_free(&memory);
    return rc;
}
