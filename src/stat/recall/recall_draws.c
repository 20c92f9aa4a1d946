/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The paper's Monte Carlo: pairs of draws from the posteriors; kept to
 * compare with, as the exact posteriors are sharper and faster.
 *
 * The standard error of an empirical quantile is sqrt(q (1-q) / draws) over
 * the density there; the density is taken from the order statistics one such
 * error in probability to either side.
 */
#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "stat/recall/recall_yield.h"

/* Draws in a block of their own stream; the bytes do not depend on threads. */
enum { BLOCK = 4096 };

static double draw_yield(iv_stream *s, const iv_curve *c, size_t count)
{
    double sum = 0.0;

    for (size_t i = 0; i < count; i++) {
        sum += c[i].r;
        if (c[i].m == 0)
            continue;
        const double share = iv_draw_beta(s, c[i].a, c[i].b);
        sum += c[i].discrete ? (double)iv_draw_binom(s, c[i].m, share)
                             : (double)c[i].m * share;
    }
    return sum;
}

/* Pairs of draws, in blocks. */
typedef struct drawing {
    const iv_yield *r1, *r0;
    double *at;
    size_t draws;
    uint64_t seed;
} drawing;

static int draw_block(void *user, void *memory, size_t block, iv_err *err)
{
    const drawing *d = user;
    const size_t from = block * BLOCK;
    const size_t to = d->draws - from < BLOCK ? d->draws : from + BLOCK;
    iv_stream s = iv_stream_start(d->seed, IV_FOR_POSTERIOR, block);

    (void)memory;
    (void)err;
    for (size_t i = from; i < to;) {
        const double y1 = draw_yield(&s, d->r1->curves, d->r1->curve_count);
        const double y0 = draw_yield(&s, d->r0->curves, d->r0->curve_count);
        if (y1 + y0 > 0.0) /* 0/0 is drawn again: given that one is relevant */
            d->at[i++] = y1 / (y1 + y0);
    }
    return IV_OK;
}

enum { BINS = 1024, LOOKS = 1 << 20 };

/* How many draws fall into a bin, and its least and largest one. */
typedef struct bin {
    size_t count;
    double least, most;
} bin;

/* The draws of [low, high] in bins of equal width. */
static int fill_bins(bin *bins, const drawing *d, double low, double high, const iv_work *work,
                     iv_err *err)
{
    const double scale = BINS / (high - low);

    for (size_t i = 0; i < BINS; i++)
        bins[i] = (bin){ 0, INFINITY, -INFINITY };
    for (size_t i = 0; i < d->draws; i++) {
        const double x = d->at[i], at = (x - low) * scale;
        if (i % LOOKS == 0 && iv_check_work(work, 1.0, err) != IV_OK)
            return IV_ECANCELLED;
        if (x < low || x > high)
            continue;
        bin *b = &bins[at < BINS - 1 ? (size_t)at : BINS - 1];
        b->count++;
        b->least = fmin(b->least, x);
        b->most = fmax(b->most, x);
    }
    return IV_OK;
}

/* The draw of that rank, from 0: bins within bins, until one holds one value. */
static int of_rank(double *out, const drawing *d, double rank, const iv_work *work, iv_err *err)
{
    bin bins[BINS];
    size_t before = 0, i;
    double low = 0.0, high = 1.0;

    while (high > low) {
        if (fill_bins(bins, d, low, high, work, err) != IV_OK)
            return IV_ECANCELLED;
        for (i = 0; (double)(before + bins[i].count) <= rank; i++)
            before += bins[i].count;
        low = bins[i].least;
        high = bins[i].most;
    }
    *out = low;
    return IV_OK;
}

static int quantile(double *out, double *se, const drawing *d, double q, const iv_work *work,
                    iv_err *err)
{
    const double last = (double)d->draws - 1.0, rank = ceil(q * (double)d->draws) - 1.0;
    const double error = sqrt(q * (1.0 - q) * (double)d->draws); /* in ranks */
    double low = 0.0, high = 0.0;
    int rc = of_rank(&low, d, fmax(0.0, floor(rank - error)), work, err);

    if (rc == IV_OK)
        rc = of_rank(&high, d, fmin(last, ceil(rank + error)), work, err);
    if (rc == IV_OK)
        rc = of_rank(out, d, fmin(fmax(rank, 0.0), last), work, err);
    *se = 0.5 * (high - low);
    return rc;
}

/* A segment's curves, and those of its floor, if it has one. */
static int prepare(iv_yield *y, iv_yield *floor, const iv_stratum *strata, size_t count,
                   const iv_recall_options *o, iv_err *err)
{
    double *prior = malloc(2 * count * sizeof *prior);
    iv_stratum *pooled = malloc(count * sizeof *pooled);
    int rc = prior == NULL || pooled == NULL
                 ? iv_fail(err, IV_ENOMEM, "no memory for %zu strata", count) : IV_OK;

    if (rc == IV_OK) {
        iv_recall_pool(pooled, strata, count, o->method);
        rc = iv_recall_priors(prior, prior + count, pooled, count, o, err);
    }
    if (rc == IV_OK)
        rc = iv_yield_curves(y, pooled, count, prior, prior + count,
                             o->method != IV_RECALL_JEFFREYS, err);
    if (rc == IV_OK && o->method == IV_RECALL_BETABIN_WEIGHTED
        && iv_recall_floor(pooled, prior + count, count, o->b))
        rc = iv_yield_curves(floor, pooled, count, prior, prior + count, true, err);
    free(pooled);
    free(prior);
    return rc;
}

static int draw_all(const drawing *d, const iv_work *work, iv_err *err)
{
    drawing own = *d;

    return iv_parallel(&(iv_loop){ .count = (d->draws + BLOCK - 1) / BLOCK, .item = draw_block,
                                   .user = &own }, work, err);
}

/* Draws again with a segment at its floor, and moves the limit that this may move. */
static int draw_floor(iv_recall_drawn *found, const drawing *d, double q, bool upper,
                      const iv_work *work, iv_err *err)
{
    double at = 0.0, se = 0.0;
    int rc = draw_all(d, work, err);

    if (rc == IV_OK)
        rc = quantile(&at, &se, d, q, work, err);
    if (rc == IV_OK && upper && at > found->upper) {
        found->upper = at;
        found->upper_se = se;
    } else if (rc == IV_OK && !upper && at < found->lower) {
        found->lower = at;
        found->lower_se = se;
    }
    return rc;
}

int iv_recall_by_draws(iv_recall_drawn *out, const iv_segments *s, const iv_recall_options *o,
                       size_t draws, const iv_work *work, iv_err *err)
{
    iv_yield r1 = { 0 }, r0 = { 0 }, floor1 = { 0 }, floor0 = { 0 };
    drawing d = { &r1, &r0, NULL, draws, iv_work_seed(work) };
    iv_recall_drawn found = { 0.0, 1.0, 0.0, 0.0 };
    iv_recall_options all;
    int rc = iv_segments_check(s, err);

    if (rc == IV_OK)
        rc = iv_recall_fill(&all, o, err);
    if (rc == IV_OK && (!iv_recall_has_posterior(all.method) || draws < IV_RECALL_DRAWS_LEAST
                        || draws > IV_RECALL_DRAWS_MOST))
        rc = iv_fail(err, IV_EARG, "draws need a method with a posterior, and there must be 100 "
                     "to 1e8 of them");
    if (rc < 0)
        return rc;
    rc = prepare(&r1, &floor1, s->retrieved, s->retrieved_count, &all, err);
    if (rc == IV_OK)
        rc = prepare(&r0, &floor0, s->unretrieved, s->unretrieved_count, &all, err);
    if (rc == IV_OK && r1.high + r0.high == 0.0)
        rc = iv_fail(err, IV_ENODATA, "everything is judged and nothing is relevant");
    if (rc == IV_OK && (d.at = malloc(draws * sizeof *d.at)) == NULL)
        rc = iv_fail(err, IV_ENOMEM, "no memory for %zu draws", draws);
    if (rc == IV_OK)
        rc = draw_all(&d, work, err);
    const double tail = (1.0 - all.confidence) / (all.one_sided ? 1.0 : 2.0);
    if (rc == IV_OK && !r1.none)
        rc = quantile(&found.lower, &found.lower_se, &d, tail, work, err);
    if (rc == IV_OK && !r0.none)
        rc = quantile(&found.upper, &found.upper_se, &d, 1.0 - tail, work, err);
    if (rc == IV_OK && floor1.curve_count > 0)
        rc = draw_floor(&found, &(drawing){ &floor1, &r0, d.at, draws, d.seed }, tail, false, work,
                        err);
    if (rc == IV_OK && floor0.curve_count > 0)
        rc = draw_floor(&found, &(drawing){ &r1, &floor0, d.at, draws, d.seed }, 1.0 - tail, true,
                        work, err);
    if (rc == IV_OK)
        *out = found;
    free(d.at);
    iv_yield_free(&floor1);
    iv_yield_free(&floor0);
    iv_yield_free(&r1);
    iv_yield_free(&r0);
    return rc;
}
