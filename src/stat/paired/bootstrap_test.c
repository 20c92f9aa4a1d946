/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bootstrap test of a mean of 0, Studentised.  Under the hypothesis a and b
 * could have changed places on any topic, so the population to resample is the
 * differences with either sign; its mean is 0.  The t statistics of resamples
 * stand for the distribution of t.
 *
 * Resampling the centred differences instead (Efron and Tibshirani 1993, 16.4)
 * rejects too seldom with few topics and heavy tails; doc/methods/comparing.md
 * has the figures.
 */
#include "base/parallel.h"
#include "base/checking.h"
#include "stat/interval/resample_limit.h"
#include "stat/paired/paired_parts.h"
#include "stat/paired/replicates.h"
#include "num/num_private.h"
#include "stat/paired_private.h"

/* Random bits, used one by one. */
typedef struct coins {
    uint64_t bits;
    unsigned left;
} coins;

/* Heads less tails of so many tosses. */
static int64_t toss(coins *c, iv_stream *s, uint32_t tosses)
{
    int64_t sum = 0;

    for (; tosses > 0; tosses--) {
        if (c->left == 0)
            *c = (coins){ iv_draw_bits(s), 64 };
        sum += (c->bits & 1) != 0 ? 1 : -1;
        c->bits >>= 1;
        c->left--;
    }
    return sum;
}

/* t of a resample with random signs; infinite if it has no spread but a mean. */
static double resampled_t(const double *d, uint32_t *counts, size_t n, iv_stream *s)
{
    double sum = 0.0, squares = 0.0;
    coins c = { 0, 0 };

    iv_draw_resample(s, counts, n);
    for (size_t i = 0; i < n; i++) {
        sum += (double)toss(&c, s, counts[i]) * d[i];
        squares += counts[i] * d[i] * d[i];
    }
    const double mean = sum / (double)n, spread = squares - mean * sum;
    if (spread > 1e-14 * squares)
        return mean / sqrt(spread / (double)(n - 1) / (double)n);
    return mean == 0.0 ? 0.0 : copysign(INFINITY, mean);
}

typedef struct bootstrap {
    const double *d;
    size_t n;
    double t; /* as seen */
    uint64_t seed;
    iv_alternative alternative;
} bootstrap;

static void count_resamples(uint64_t *counts, void *room, const void *data, size_t first,
                            size_t last)
{
    const bootstrap *b = data;

    for (size_t r = first; r < last; r++) {
        iv_stream s = iv_stream_start(b->seed, IV_FOR_BOOTSTRAP, r);
        counts[0] += iv_as_extreme(resampled_t(b->d, room, b->n, &s), b->t, IV_SLACK,
                                   b->alternative);
    }
}

int iv_bootstrap_test(iv_test *out, const double *d, size_t n, size_t resamples,
                      iv_alternative alternative, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_list(d, n, "difference", err));
    IV_TRY(iv_check_choice(alternative, iv_alternative_names(), "the alternative", err));
    const iv_differences k = iv_describe_differences(d, n);
    iv_mean_limit limit;
    uint64_t extreme = 0;

    if (n < 2 || !(k.sd > 0.0)) {
        *out = iv_no_test(n, n < 2 ? "fewer than two topics" : "all differences are equal");
        return IV_OK;
    }
    if (n >= IV_LIMIT_VALUES && iv_mean_limit_of(&limit, d, n)) {
        /* Signs of either kind leave no skewness: t is normal but for 1 / n. */
        const double t = k.mean / (k.sd / sqrt((double)n));
        *out = (iv_test){ iv_tail_p(iv_norm_cdf(t), iv_norm_sf(t), alternative), t, n, false,
                          NULL };
        return IV_OK;
    }
    const bootstrap b = { d, n, k.mean / (k.sd / sqrt((double)n)), iv_work_seed(work),
                          alternative };
    const iv_replicates all = { resamples, iv_batch_of(8 * n), 1, n * sizeof(uint32_t),
                                count_resamples, &b };
    const int rc = iv_count_replicates(&extreme, &all, work, err);
    if (rc == IV_OK)
        *out = (iv_test){ (double)(extreme + 1) / (double)(resamples + 1), b.t, n, false, NULL };
    return rc;
}
