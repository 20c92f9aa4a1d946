/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The paper's Monte Carlo: pairs of draws from the posteriors, sorted; kept to
 * compare with, as the exact posteriors are sharper and faster.
 *
 * The standard error of an empirical quantile is sqrt(q (1-q) / draws) over
 * the density there; the density is taken from the order statistics one such
 * error in probability to either side.
 */
#include <math.h>
#include <stdlib.h>

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

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double quantile(double *se, const double *sorted, size_t n, double q)
{
    const double rank = ceil(q * (double)n) - 1.0;
    const double error = sqrt(q * (1.0 - q) * (double)n); /* in ranks */
    const size_t low = (size_t)fmax(0.0, floor(rank - error));
    const size_t high = (size_t)fmin((double)n - 1.0, ceil(rank + error));

    *se = 0.5 * (sorted[high] - sorted[low]);
    return sorted[(size_t)fmin(fmax(rank, 0.0), (double)n - 1.0)];
}

static void fill(double *out, size_t draws, uint64_t seed, const iv_yield *r1,
                 const iv_yield *r0)
{
    for (size_t from = 0; from < draws; from += BLOCK) {
        iv_stream s = iv_stream_start(seed, IV_FOR_POSTERIOR, from / BLOCK);
        const size_t to = draws - from < BLOCK ? draws : from + BLOCK;
        for (size_t i = from; i < to;) {
            const double y1 = draw_yield(&s, r1->curves, r1->curve_count);
            const double y0 = draw_yield(&s, r0->curves, r0->curve_count);
            if (y1 + y0 > 0.0) /* 0/0 is drawn again: given that one is relevant */
                out[i++] = y1 / (y1 + y0);
        }
    }
}

static int prepare(iv_yield *y, const iv_stratum *strata, size_t count,
                   const iv_recall_options *o, iv_err *err)
{
    double *prior = malloc(2 * count * sizeof *prior);
    int rc = prior == NULL ? iv_fail(err, IV_ENOMEM, "no memory for %zu strata", count)
                           : iv_recall_priors(prior, prior + count, strata, count, o, err);

    if (rc == IV_OK)
        rc = iv_yield_curves(y, strata, count, prior, prior + count,
                             o->method != IV_RECALL_JEFFREYS, err);
    free(prior);
    return rc;
}

static int check(const iv_segments *s, const iv_recall_options *o, size_t draws, iv_err *err)
{
    int rc = iv_segments_check(s, err);

    if (rc == IV_OK)
        rc = iv_recall_check_options(o, err);
    if (rc == IV_OK && (!iv_recall_has_posterior(o->method)
                        || !(o->confidence > 0.0 && o->confidence < 1.0)
                        || draws < IV_RECALL_DRAWS_LEAST || draws > IV_RECALL_DRAWS_MOST))
        rc = iv_fail(err, IV_EARG, "draws need a method with a posterior, a confidence in "
                     "(0, 1), and 100 to 1e8 of them");
    return rc;
}

int iv_recall_by_draws(iv_recall_drawn *out, const iv_segments *s,
                       const iv_recall_options *o, size_t draws, uint64_t seed, iv_err *err)
{
    iv_yield r1 = { 0 }, r0 = { 0 };
    double *drawn = NULL;
    int rc = check(s, o, draws, err);

    if (rc < 0)
        return rc;
    rc = prepare(&r1, s->retrieved, s->retrieved_count, o, err);
    if (rc == IV_OK)
        rc = prepare(&r0, s->unretrieved, s->unretrieved_count, o, err);
    if (rc == IV_OK && r1.high + r0.high == 0.0)
        rc = iv_fail(err, IV_ENODATA, "everything is judged and nothing is relevant");
    if (rc == IV_OK && (drawn = malloc(draws * sizeof *drawn)) == NULL)
        rc = iv_fail(err, IV_ENOMEM, "no memory for %zu draws", draws);
    if (rc == IV_OK) {
        const double tail = (1.0 - o->confidence) / (o->one_sided ? 1.0 : 2.0);
        fill(drawn, draws, seed, &r1, &r0);
        qsort(drawn, draws, sizeof *drawn, by_size);
        *out = (iv_recall_drawn){ 0.0, 1.0, 0.0, 0.0 };
        if (!r1.none)
            out->lower = quantile(&out->lower_se, drawn, draws, tail);
        if (!r0.none)
            out->upper = quantile(&out->upper_se, drawn, draws, 1.0 - tail);
    }
    free(drawn);
    iv_yield_free(&r1);
    iv_yield_free(&r0);
    return rc;
}
