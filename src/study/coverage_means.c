/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of intervals that come from scores on topics: means of eval,
 * differences of compare, effects of plan topics.
 *
 * Topics are drawn from the population with replacement, so that its mean is
 * the truth and the draws are independent, as the intervals suppose.
 */
#include <math.h>
#include <stdlib.h>

#include "intervale/plan/topics.h"
#include "study/coverage_parts.h"

/* What is computed from a sample of topics. */
typedef enum quantity { MEAN, GEOMETRIC, DIFFERENCE, SIGN_EFFECT, MEAN_EFFECT } quantity;

typedef struct setting {
    const iv_population *population;
    quantity what;
    iv_interval_method method;
    size_t n, resamples;
} setting;

typedef struct work {
    double *x, *d, *means;
} work;

static void *work_new(iv_arena *own, void *user)
{
    const setting *s = user;
    work *w = iv_take(own, 1, sizeof *w);

    if (w != NULL)
        *w = (work){ iv_take(own, s->n, sizeof *w->x),
                     iv_take(own, s->population->grid.topics, sizeof *w->d),
                     iv_take(own, s->resamples, sizeof *w->means) };
    return w;
}

/* The population's values that the replicate is about, one a topic. */
static void choose_values(double *d, const setting *s, iv_stream *stream)
{
    const iv_score_grid *g = &s->population->grid;
    const size_t a = (size_t)iv_draw_below(stream, g->systems);
    const size_t b = (a + 1 + (size_t)iv_draw_below(stream, g->systems - 1)) % g->systems;

    for (size_t t = 0; t < g->topics; t++) {
        const double x = g->values[a * g->topics + t], y = g->values[b * g->topics + t];
        /* trec_eval's floor of a geometric mean */
        d[t] = s->what == MEAN ? x : s->what == GEOMETRIC ? log(fmax(x, 1e-5)) : x - y;
    }
}

static int mean_intervals(iv_tally *t, const setting *s, work *w, double truth,
                          iv_stream *stream, iv_err *err)
{
    const double *const sample = w->x;
    const iv_resampling o = { 0.95, s->resamples };
    const iv_work own = { .threads = 1, .seed = iv_draw_bits(stream) };
    int rc = s->method == IV_INTERVAL_T ? IV_OK
        : iv_resample_means(w->means, &sample, 1, s->n, &o, &own, err);

    for (size_t k = 0; k < IV_COVERAGE_LEVELS && rc == IV_OK; k++) {
        iv_mean_interval i;
        rc = iv_interval_from_means(&i, s->method, w->means, s->resamples, w->x, s->n,
                                    iv_coverage_levels()[k], err);
        if (rc == IV_OK && i.gap != IV_GAP_NONE) {
            t->gaps++;
            return IV_OK;
        }
        if (rc == IV_OK && s->what == GEOMETRIC)
            iv_tally_put(t, k, exp(i.lower), exp(i.upper), exp(truth));
        else if (rc == IV_OK)
            iv_tally_put(t, k, i.lower, i.upper, truth);
    }
    return rc;
}

/* Effects are told in the direction of the better run of the pilot. */
static int effect_intervals(iv_tally *t, const setting *s, work *w, double truth, iv_err *err)
{
    const iv_power_options o = { .test = s->what == SIGN_EFFECT ? IV_PLAN_SIGN : IV_PLAN_T };

    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
        iv_pilot_topics p;
        const int rc = iv_topics_from_pilot(&p, w->x, s->n, 0.8, iv_coverage_levels()[k], &o,
                                            NULL, err);
        if (rc == IV_ENODATA) {
            t->gaps++;
            return IV_OK;
        }
        if (rc != IV_OK)
            return rc;
        iv_tally_put(t, k, p.lower, p.upper, p.a_better ? truth : -truth);
    }
    return IV_OK;
}

static double truth_of(const double *d, const setting *s)
{
    const size_t topics = s->population->grid.topics;
    double sum = 0.0, squares = 0.0, wins = 0.0, losses = 0.0;

    for (size_t t = 0; t < topics; t++) {
        sum += d[t];
        wins += d[t] > 0.0;
        losses += d[t] < 0.0;
    }
    const double mean = sum / (double)topics;
    for (size_t t = 0; t < topics; t++)
        squares += (d[t] - mean) * (d[t] - mean);
    if (s->what == SIGN_EFFECT)
        return wins + losses > 0.0 ? (wins - losses) / (wins + losses) : 0.0;
    return s->what == MEAN_EFFECT ? mean / sqrt(squares / (double)topics) : mean;
}

static int replicate(iv_tally *t, void *user, void *memory, size_t number, iv_stream *stream,
                     iv_err *err)
{
    const setting *s = user;
    work *w = memory;

    (void)number;
    choose_values(w->d, s, stream);
    const double truth = truth_of(w->d, s);
    for (size_t i = 0; i < s->n; i++)
        w->x[i] = w->d[iv_draw_below(stream, s->population->grid.topics)];
    return s->what == SIGN_EFFECT || s->what == MEAN_EFFECT
        ? effect_intervals(t, s, w, truth, err) : mean_intervals(t, s, w, truth, stream, err);
}

/* ------------------------------------------------------------------ series -- */

/* One interval on one population, for several numbers of topics. */
typedef struct series {
    iv_coverage_part part;
    const char *interval;
    quantity what;
    iv_interval_method method;
    size_t replicates;
    const char *unit;
} series;

enum { SIZES = 3 };
static const size_t sizes[SIZES] = { 10, 25, 50 };

static int run_series(iv_coverage *c, const iv_coverage_options *o, const series *x,
                      const iv_population *p, uint32_t study, iv_err *err)
{
    int rc = IV_OK;

    for (size_t i = 0; i < SIZES && rc == IV_OK; i++) {
        setting s = { p, x->what, x->method, sizes[i],
                      x->method == IV_INTERVAL_LOGIT ? 1000 : 1 };
        const iv_experiment e = { 1, iv_coverage_size(o, x->replicates), replicate, &s, work_new };
        iv_tally t;
        iv_covered row = { .part = x->part };
        rc = iv_experiment_run(&t, &e, (study << 4) + (uint32_t)i, c, err);
        if (rc != IV_OK)
            return rc;
        (void)snprintf(row.interval, sizeof row.interval, "%s", x->interval);
        (void)snprintf(row.data, sizeof row.data, "%s", p->data);
        (void)snprintf(row.setting, sizeof row.setting, "%zu %s", sizes[i], x->unit);
        iv_coverage_put(c, row, &t);
        iv_coverage_step_done(c);
    }
    return rc;
}

static int on_simulated(iv_coverage *c, const iv_coverage_options *o, const series *x,
                        iv_scored what, uint32_t study, iv_err *err)
{
    iv_population p;
    int rc = iv_population_simulate(&p, what, o, iv_coverage_work(c), err);

    if (rc != IV_OK)
        return rc;
    rc = run_series(c, o, x, &p, study, err);
    iv_population_free(&p);
    return rc;
}

static int on_scores(iv_coverage *c, const iv_coverage_options *o, const series *x,
                     uint32_t study, iv_err *err)
{
    return o->scores == NULL ? IV_OK
        : run_series(c, o, x, &(iv_population){ "matrix", *o->scores, NULL }, study, err);
}

int iv_coverage_eval(iv_coverage *c, const iv_coverage_options *o, iv_err *err)
{
    static const series logit = { IV_COVERAGE_EVAL, "mean of AP, logit", MEAN, IV_INTERVAL_LOGIT,
                                  8000, "topics" };
    static const series p10 = { IV_COVERAGE_EVAL, "mean of P@10, logit", MEAN,
                                IV_INTERVAL_LOGIT, 8000, "topics" };
    static const series dcg = { IV_COVERAGE_EVAL, "mean of DCG, t", MEAN, IV_INTERVAL_T, 10000,
                                "topics" };
    static const series gm = { IV_COVERAGE_EVAL, "geometric mean of AP, t of logarithms",
                               GEOMETRIC, IV_INTERVAL_T, 10000, "topics" };
    int rc;

    iv_coverage_steps(c, SIZES * (o->scores != NULL ? 6 : 4));
    rc = on_simulated(c, o, &logit, IV_SCORED_AP, 1, err);
    if (rc == IV_OK)
        rc = on_scores(c, o, &logit, 2, err);
    if (rc == IV_OK)
        rc = on_simulated(c, o, &p10, IV_SCORED_P10, 3, err);
    if (rc == IV_OK)
        rc = on_simulated(c, o, &dcg, IV_SCORED_DCG, 4, err);
    if (rc == IV_OK)
        rc = on_simulated(c, o, &gm, IV_SCORED_AP, 5, err);
    return rc == IV_OK ? on_scores(c, o, &gm, 6, err) : rc;
}

/* ------------------------------------------------------------------ compare -- */

enum { RANKED = 20 };

static void put_ranks(iv_coverage *c, const iv_rank_row *x, const char *data, double nominal)
{
    iv_covered row = { .part = IV_COVERAGE_COMPARE, .nominal = nominal, .below = NAN,
                       .above = NAN, .least = NAN, .width = x->width, .replicates = x->trials };

    (void)snprintf(row.data, sizeof row.data, "%s", data);
    (void)snprintf(row.setting, sizeof row.setting, "%zu topics, %d runs %s", x->topics, RANKED,
                   x->alike ? "made equal" : "as they are");
    (void)snprintf(row.interval, sizeof row.interval, "rank of a run");
    row.coverage = x->each;
    row.se = x->each_se;
    iv_coverage_put_row(c, &row);
    (void)snprintf(row.interval, sizeof row.interval, "ranks of all runs together");
    row.coverage = x->all;
    row.se = x->all_se;
    iv_coverage_put_row(c, &row);
}

static int ranks(iv_coverage *c, const iv_coverage_options *o, const iv_population *p,
                 iv_err *err)
{
    static const int64_t topics[] = { 50 };
    iv_rank_row rows[IV_COVERAGE_LEVELS][2];
    int rc = IV_OK;

    for (size_t k = 0; k < IV_COVERAGE_LEVELS && rc == IV_OK; k++) {
        const iv_power_study_options s = {
            .topics = { topics, 1 }, .alpha = 1.0 - iv_coverage_levels()[k],
            .trials = iv_coverage_size(o, 200), .runs = RANKED, .permutations = 999 };
        rc = iv_study_rank_intervals(rows[k], &p->grid, &s, iv_coverage_work(c), err);
        iv_coverage_step_done(c);
    }
    for (size_t alike = 0; alike < 2 && rc == IV_OK; alike++)
        for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++)
            put_ranks(c, &rows[k][alike], p->data, iv_coverage_levels()[k]);
    return rc;
}

int iv_coverage_compare(iv_coverage *c, const iv_coverage_options *o, iv_err *err)
{
    static const series t = { IV_COVERAGE_COMPARE, "difference of mean AP, t", DIFFERENCE,
                              IV_INTERVAL_T, 10000, "topics" };
    iv_population p;
    int rc = iv_population_simulate(&p, IV_SCORED_AP, o, iv_coverage_work(c), err);

    if (rc != IV_OK)
        return rc;
    const size_t populations = o->scores != NULL ? 2 : 1, collections = o->run_count > 0 ? 2 : 1;
    iv_coverage_steps(c, (SIZES + IV_COVERAGE_LEVELS) * populations + collections);
    rc = run_series(c, o, &t, &p, 7, err);
    if (rc == IV_OK)
        rc = on_scores(c, o, &t, 8, err);
    if (rc == IV_OK)
        rc = ranks(c, o, &p, err);
    if (rc == IV_OK && o->scores != NULL && o->scores->systems >= RANKED)
        rc = ranks(c, o, &(iv_population){ "matrix", *o->scores, NULL }, err);
    iv_population_free(&p);
    return rc == IV_OK ? iv_coverage_signs(c, o, err) : rc;
}

/* --------------------------------------------------------------------- plan -- */

int iv_coverage_plan_topics(iv_coverage *c, const iv_coverage_options *o, iv_err *err)
{
    static const series sign = { IV_COVERAGE_PLAN, "effect of the sign test, plan topics",
                                 SIGN_EFFECT, IV_INTERVAL_T, 600, "pilot topics" };
    static const series mean = { IV_COVERAGE_PLAN, "effect of the t test, plan topics",
                                 MEAN_EFFECT, IV_INTERVAL_T, 600, "pilot topics" };
    int rc = on_simulated(c, o, &sign, IV_SCORED_AP, 9, err);

    if (rc == IV_OK)
        rc = on_scores(c, o, &sign, 10, err);
    if (rc == IV_OK)
        rc = on_simulated(c, o, &mean, IV_SCORED_AP, 11, err);
    return rc == IV_OK ? on_scores(c, o, &mean, 12, err) : rc;
}
