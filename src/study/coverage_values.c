/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of eval's intervals for values that are hard: 0 and 1 over a fine grid of
 * shares, summed over all outcomes; and sparse, lumped and skewed values, drawn.
 */
#include <math.h>
#include <stdio.h>

#include "study/coverage_parts.h"

enum { SIZES = 3, SHARES = 199 };
static const size_t sizes[SIZES] = { 10, 25, 50 };

/* ------------------------------------------------------------ 0 and 1, exact -- */

static int limits_of(iv_mean_interval *out, iv_interval_method method, double *x, size_t n,
                     size_t ones, double confidence, iv_err *err)
{
    for (size_t i = 0; i < n; i++)
        x[i] = i < ones ? 1.0 : 0.0;
    return iv_interval_from_means(out, method, NULL, 0, x, n, confidence, err);
}

/* Mean and least coverage over the shares 1/200, 2/200, ... 199/200. */
static int one_level(iv_covered *row, iv_interval_method method, size_t n, iv_err *err)
{
    iv_mean_interval found[64];
    double x[64], sum = 0.0;

    row->least = 1.0;
    row->below = row->above = row->width = 0.0;
    for (size_t k = 0; k <= n; k++)
        IV_TRY(limits_of(&found[k], method, x, n, k, row->nominal, err));
    for (int s = 1; s <= SHARES; s++) {
        const double p = s / (SHARES + 1.0);
        double held = 0.0;
        for (size_t k = 0; k <= n; k++) {
            const double chance = exp(iv_binom_log_pmf((int64_t)k, (int64_t)n, p));
            const bool below = p < found[k].lower - 1e-12, above = p > found[k].upper + 1e-12;
            held += below || above ? 0.0 : chance;
            row->below += below ? chance / SHARES : 0.0;
            row->above += above ? chance / SHARES : 0.0;
            row->width += chance * (found[k].upper - found[k].lower) / SHARES;
        }
        sum += held;
        row->least = fmin(row->least, held);
    }
    row->coverage = sum / SHARES;
    return IV_OK;
}

static int shares(iv_coverage *c, const char *name, iv_interval_method method, iv_err *err)
{
    for (size_t i = 0; i < SIZES; i++) {
        for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
            iv_covered *row = iv_coverage_add(c, IV_COVERAGE_EVAL, name, "shares .005 to .995",
                                              "%zu topics", sizes[i]);
            row->nominal = iv_coverage_levels()[k];
            row->replicates = SIZE_MAX;
            IV_TRY(one_level(row, method, sizes[i], err));
        }
        iv_coverage_step_done(c);
    }
    return IV_OK;
}

/* ------------------------------------------------------------------ families -- */

/* A kind of values, and its mean. */
typedef struct family {
    const char *name;
    iv_interval_method method;
    double mean;
    double (*draw)(iv_stream *s);
} family;

/* Four topics of five have 0, the others any value. */
static double sparse(iv_stream *s)
{
    const double u = iv_draw_uniform(s), v = iv_draw_uniform(s);

    return u < 0.8 ? 0.0 : v;
}

/* Reciprocal ranks: 1 with probability 4/5, then 1/2, then 1/3; the rest has 0. */
static double reciprocal(iv_stream *s)
{
    const double u = iv_draw_uniform(s);

    return u < 0.8 ? 1.0 : u < 0.9 ? 0.5 : u < 0.95 ? 1.0 / 3.0 : 0.0;
}

/* 0 and 1 for the most part, by a measure that need not be. */
static double nearly_binary(iv_stream *s)
{
    const double u = iv_draw_uniform(s);

    return u < 0.6 ? 0.0 : u < 0.9 ? 1.0 : 0.5;
}

static double exponential(iv_stream *s) { return iv_draw_exponential(s); }

/* A spread of .8 on the scale of logarithms; its mean is exp(.32). */
static double lognormal(iv_stream *s) { return exp(0.8 * iv_draw_normal(s)); }

typedef struct drawn {
    const family *is;
    size_t n;
} drawn;

enum { RESAMPLES = 1000 };

typedef struct room {
    double x[64], means[RESAMPLES];
} room;

static void *room_new(iv_arena *own, void *user)
{
    (void)user;
    return iv_take(own, 1, sizeof(room));
}

static int replicate(iv_tally *t, void *user, void *memory, size_t number, iv_stream *stream,
                     iv_err *err)
{
    const drawn *d = user;
    room *r = memory;
    const double *const sample = r->x;
    const iv_resampling o = { 0.95, RESAMPLES };

    (void)number;
    for (size_t i = 0; i < d->n; i++)
        r->x[i] = d->is->draw(stream);
    const iv_work own = { .threads = 1, .seed = iv_draw_bits(stream) };
    int rc = d->is->method != IV_INTERVAL_AUTO ? IV_OK
        : iv_resample_means(r->means, &sample, 1, d->n, &o, &own, err);
    for (size_t k = 0; k < IV_COVERAGE_LEVELS && rc == IV_OK; k++) {
        iv_mean_interval i;
        rc = iv_interval_from_means(&i, d->is->method, r->means, RESAMPLES, r->x, d->n,
                                    iv_coverage_levels()[k], err);
        if (rc == IV_OK && i.gap != IV_GAP_NONE) {
            t->gaps++;
            return IV_OK;
        }
        if (rc == IV_OK)
            iv_tally_put(t, k, i.lower, i.upper, d->is->mean);
    }
    return rc;
}

static int families(iv_coverage *c, iv_err *err)
{
    static const family kinds[] = {
        { "mean of sparse values, logit or logit-t", IV_INTERVAL_AUTO, 0.1, sparse },
        { "mean of RR-like values, logit or logit-t", IV_INTERVAL_AUTO, 0.8 + 0.05 + 0.05 / 3.0,
          reciprocal },
        { "mean of nearly 0/1 values, logit or logit-t", IV_INTERVAL_AUTO, 0.35, nearly_binary },
        { "mean of exponential values, t", IV_INTERVAL_T, 1.0, exponential },
        { "mean of lognormal values, t", IV_INTERVAL_T, 1.3771277643359572, lognormal },
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds * SIZES; k++) {
        drawn d = { &kinds[k / SIZES], sizes[k % SIZES] };
        IV_TRY(iv_experiment_run(
            c, &(iv_experiment){ IV_COVERAGE_EVAL, "drawn", &d.is->name, 1, 6000,
                                 (uint32_t)(0x800 + (k / SIZES << 4) + k % SIZES), replicate, &d,
                                 room_new }, err, "%zu topics", d.n));
    }
    return IV_OK;
}

int iv_coverage_values(iv_coverage *c, iv_err *err)
{
    IV_TRY(shares(c, "mean of 0/1 values, Wilson", IV_INTERVAL_WILSON, err));
    IV_TRY(shares(c, "mean of 0/1 values, exact (guaranteed)", IV_INTERVAL_EXACT, err));
    return families(c, err);
}
