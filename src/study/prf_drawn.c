/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage by drawing: samples of n items from a population with known
 * precision, recall and prevalence; for each the posterior's interval, from
 * draws of the posterior, and the percentile bootstrap's.
 */
#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "intervale/num.h"
#include "study/prf_study.h"

/* TP, FP, FN, TN of the population. */
static void population(double share[4], double rate, double prevalence)
{
    share[0] = prevalence * rate;
    share[1] = prevalence * (1.0 - rate); /* precision = recall = rate */
    share[2] = prevalence * (1.0 - rate);
    share[3] = 1.0 - prevalence * (2.0 - rate);
}

/* Intervals of one sample: {lower, upper} by method; lower > upper: none. */
typedef struct outcome {
    double end[IV_PRF_STUDY_METHODS][2];
} outcome;

static const double none[2] = { 1.0, 0.0 };

static void set(outcome *out, iv_prf_study_method m, double lower, double upper)
{
    out->end[m][0] = lower;
    out->end[m][1] = upper;
}

/* Equal tails of sorted values, by order statistics. */
static void set_tails(outcome *out, iv_prf_study_method m, const double *x, size_t n,
                      double confidence)
{
    const double tail = 0.5 * (1.0 - confidence), last = (double)(n - 1);

    set(out, m, x[(size_t)(tail * last)], x[(size_t)ceil((1.0 - tail) * last)]);
}

/* The shortest interval that holds enough of sorted values. */
static void set_shortest(outcome *out, iv_prf_study_method m, const double *x, size_t n,
                         double confidence)
{
    const size_t span = (size_t)ceil(confidence * (double)(n - 1));
    size_t best = 0;

    for (size_t i = 1; i + span < n; i++) {
        if (x[i + span] - x[i] < x[best + span] - x[best])
            best = i;
    }
    set(out, m, x[best], x[best + span]);
}

/* Both posterior intervals, from the same draws, and the guaranteed one. */
static int posterior_ends(outcome *out, double *draws, const iv_prf_setting *o,
                          const int64_t n[4], uint64_t seed)
{
    const iv_prf_counts counts = { n[0], n[1], n[2], n[3] };
    const iv_draw_plan plan = { o->q.draws, 0 };
    const iv_work alone = { .threads = 1, .seed = seed };
    iv_prf_cells cells;
    int rc = iv_prf_update(&cells, o->prior, &counts, NULL, NULL);

    if (rc == IV_OK)
        rc = iv_prf_draw(draws, &cells, 1, &o->metric, 1, &plan, &alone, NULL);
    if (rc < 0)
        return rc;
    qsort(draws, o->q.draws, sizeof *draws, iv_rising);
    set_tails(out, IV_PRF_STUDY_EQUAL, draws, o->q.draws, o->q.confidence);
    set_shortest(out, IV_PRF_STUDY_HDI, draws, o->q.draws, o->q.confidence);
    for (int m = IV_PRF_STUDY_EQUAL; m <= IV_PRF_STUDY_HDI; m++) { /* as prf shows them */
        const iv_credible c = iv_prf_hold_end(
            (iv_credible){ .lower = out->end[m][0], .upper = out->end[m][1] }, o->metric,
            iv_prf_value(o->metric, &counts));
        set(out, (iv_prf_study_method)m, c.lower, c.upper);
    }
    iv_credible g = { .lower = none[0], .upper = none[1] };
    if (o->metric.kind != IV_PRF_MCC)
        rc = iv_prf_guaranteed(&g, &counts, o->metric, o->q.confidence, NULL);
    set(out, IV_PRF_STUDY_GUARANTEED, g.lower, g.upper);
    return rc;
}

/* The percentile bootstrap; resamples without a value are left out. */
static void bootstrap_ends(outcome *out, double *values, const iv_prf_setting *o,
                           const int64_t n[4], iv_stream *s)
{
    const double weights[4] = { (double)n[0], (double)n[1], (double)n[2], (double)n[3] };
    const int64_t items = n[0] + n[1] + n[2] + n[3];
    size_t kept = 0;

    for (size_t i = 0; i < o->q.draws; i++) {
        int64_t x[4];
        iv_draw_multinomial(s, x, items, weights, 4);
        const iv_prf_counts c = { x[0], x[1], x[2], x[3] };
        const double v = iv_prf_value(o->metric, &c);
        if (!isnan(v))
            values[kept++] = v;
    }
    set(out, IV_PRF_STUDY_BOOTSTRAP, none[0], none[1]);
    if (kept < o->q.draws / 2)
        return;
    qsort(values, kept, sizeof *values, iv_rising);
    set_tails(out, IV_PRF_STUDY_BOOTSTRAP, values, kept, o->q.confidence);
}

/* A cell of the grid. */
typedef struct cell {
    const iv_prf_setting *o;
    double share[4];
    int64_t items;
    uint64_t seed, stream;
    outcome *all;
} cell;

static void *room_new(iv_arena *own, void *user)
{
    return iv_take(own, ((cell *)user)->o->q.draws, sizeof(double));
}

/* Sample number i, with streams of its own. */
static int one_sample(void *user, void *room, size_t i, iv_err *err)
{
    const cell *c = user;
    iv_stream s = iv_stream_start(c->seed, IV_FOR_STUDY, (c->stream << 32) | i);
    const uint64_t seed = iv_draw_bits(&s);
    int64_t n[4];

    iv_draw_multinomial(&s, n, c->items, c->share, 4);
    set(&c->all[i], IV_PRF_STUDY_WILSON, none[0], none[1]);
    const int rc = posterior_ends(&c->all[i], room, c->o, n, seed);
    if (rc != IV_OK)
        return iv_fail(err, rc, "a sample could not be evaluated");
    bootstrap_ends(&c->all[i], room, c->o, n, &s);
    return IV_OK;
}

static void add_up(iv_prf_study_cell *cells, const outcome *all, size_t count, bool mcc)
{
    const double n = (double)count;

    for (int m = 0; m < IV_PRF_STUDY_METHODS; m++) {
        iv_prf_study_cell *c = &cells[m];
        for (size_t i = 0; i < count; i++)
            iv_prf_study_add(c, 1.0, all[i].end[m][0], all[i].end[m][1]);
        c->coverage /= n;
        c->below /= n;
        c->above /= n;
        c->gaps /= n;
        c->width /= n;
        c->coverage_se = sqrt(c->coverage * (1.0 - c->coverage) / n);
        if (m == IV_PRF_STUDY_WILSON || (mcc && m == IV_PRF_STUDY_GUARANTEED))
            c->coverage = c->coverage_se = NAN;
    }
}

int iv_prf_study_draw(iv_prf_study_cell *cells, const iv_prf_setting *o, uint32_t stream,
                      const iv_work *work, iv_err *err)
{
    const size_t count = o->q.replicates;
    cell c = { .o = o, .items = cells->size, .seed = iv_work_seed(work), .stream = stream,
               .all = calloc(count, sizeof *c.all) };

    population(c.share, cells->rate, o->q.prevalence);
    for (int m = 0; m < IV_PRF_STUDY_METHODS; m++)
        cells[m].truth = iv_prf_of_cells(o->metric, c.share[0], c.share[1], c.share[2],
                                         c.share[3]);
    const int rc = c.all == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
        : iv_parallel(&(iv_loop){ count, one_sample, &c, room_new }, work, err);
    if (rc == IV_OK)
        add_up(cells, c.all, count, o->metric.kind == IV_PRF_MCC);
    free(c.all);
    return rc;
}
