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

#define GEOMETRIC_FLOOR 1e-5

/* Back from there. */
static double geometric(double y) { return exp(log(GEOMETRIC_FLOOR) * fmin(y, 1.0)); }

typedef struct setting {
    const iv_score_grid *population;
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
                     iv_take(own, s->population->topics, sizeof *w->d),
                     iv_take(own, s->resamples + 1, sizeof *w->means) };
    return w;
}

/* The population's values that the replicate is about, one a topic. */
static void choose_values(double *d, const setting *s, iv_stream *stream)
{
    const iv_score_grid *g = s->population;
    const size_t a = (size_t)iv_draw_below(stream, g->systems);
    const size_t b = (a + 1 + (size_t)iv_draw_below(stream, g->systems - 1)) % g->systems;

    for (size_t t = 0; t < g->topics; t++) {
        const double x = g->values[a * g->topics + t], y = g->values[b * g->topics + t];
        /* how far below 1, and trec_eval's floor, as eval has it */
        d[t] = s->what == MEAN ? x
            : s->what == GEOMETRIC ? log(fmax(x, GEOMETRIC_FLOOR)) / log(GEOMETRIC_FLOOR)
            : x - y;
    }
}

static int mean_intervals(iv_tally *t, const setting *s, work *w, double truth,
                          iv_stream *stream, iv_err *err)
{
    const double *const sample = w->x;
    const iv_resampling o = { 0.95, s->resamples };
    const iv_work own = { .threads = 1, .seed = iv_draw_bits(stream) };
    int rc = s->resamples == 0 ? IV_OK
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
            iv_tally_put(t, k, geometric(i.upper), geometric(i.lower), geometric(truth));
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
    const size_t topics = s->population->topics;
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
        w->x[i] = w->d[iv_draw_below(stream, s->population->topics)];
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
    iv_scored scored; /* IV_SCORES: the matrix that was given, if one was */
    uint32_t number;
} series;

enum { SIZES = 3 };
static const size_t sizes[SIZES] = { 10, 25, 50 };

static int run_series(iv_coverage *c, const series *x, size_t count, iv_err *err)
{
    for (size_t k = 0; k < count * SIZES; k++) {
        const series *of = &x[k / SIZES];
        const bool matrix = of->scored == IV_SCORES;
        const size_t n = sizes[k % SIZES];
        iv_score_grid p;
        if (matrix && c->o->scores == NULL)
            continue;
        if (matrix)
            p = *c->o->scores;
        else
            IV_TRY(iv_population_simulate(&p, c, of->scored, err));
        const bool drawn = of->method == IV_INTERVAL_AUTO || of->method == IV_INTERVAL_LOGIT;
        setting s = { &p, of->what, of->method, n, drawn ? 1000 : 0 };
        IV_TRY(iv_experiment_run(
            c, &(iv_experiment){ of->part, matrix ? "matrix" : "simulated", &of->interval, 1,
                                 of->replicates, (of->number << 4) + (uint32_t)(k % SIZES),
                                 replicate, &s, work_new }, err, "%zu %s", n, of->unit));
    }
    return IV_OK;
}

int iv_coverage_eval(iv_coverage *c, iv_err *err)
{
    static const char ap[] = "mean of AP, logit", p10[] = "mean of P@10, logit or logit-t";
    static const char dcg[] = "mean of DCG, log-t", gm[] = "geometric mean of AP, log-t";
    static const iv_coverage_part eval = IV_COVERAGE_EVAL;
    const series all[] = {
        { eval, ap, MEAN, IV_INTERVAL_AUTO, 8000, "topics", IV_SCORED_AP, 1 },
        { eval, ap, MEAN, IV_INTERVAL_AUTO, 8000, "topics", IV_SCORES, 2 },
        { eval, p10, MEAN, IV_INTERVAL_AUTO, 8000, "topics", IV_SCORED_P10, 3 },
        { eval, dcg, MEAN, IV_INTERVAL_T, 10000, "topics", IV_SCORED_DCG, 4 },
        { eval, gm, GEOMETRIC, IV_INTERVAL_T, 10000, "topics", IV_SCORED_AP, 5 },
        { eval, gm, GEOMETRIC, IV_INTERVAL_T, 10000, "topics", IV_SCORES, 6 } };

    iv_coverage_steps(c, SIZES * (c->o->scores != NULL ? 6 : 4) + IV_COVERAGE_VALUES_STEPS);
    IV_TRY(run_series(c, all, 6, err));
    return iv_coverage_values(c, err);
}

int iv_coverage_overlap(iv_coverage *c, iv_err *err)
{
    static const iv_coverage_part overlap = IV_COVERAGE_OVERLAP;
    const series all[] = {
        { overlap, "mean of RBO", MEAN, IV_INTERVAL_AUTO, 8000, "topics",
          IV_SCORED_RBO, 60 },
        { overlap, "mean of overlap@10", MEAN, IV_INTERVAL_AUTO, 8000, "topics",
          IV_SCORED_OVERLAP, 61 },
        { overlap, "mean of (tau + 1) / 2", MEAN, IV_INTERVAL_AUTO, 8000, "topics", IV_SCORED_TAU, 62 },
        { overlap, "mean of (tau_AP + 1) / 2", MEAN, IV_INTERVAL_AUTO, 8000, "topics",
          IV_SCORED_TAU_AP, 63 } };

    iv_coverage_steps(c, SIZES * 4);
    return run_series(c, all, 4, err);
}

/* ------------------------------------------------------------------ compare -- */

enum { RANKED = 20 };

static void put_ranks(iv_coverage *c, const iv_rank_row *x, const char *data, double nominal)
{
    for (int all = 0; all < 2; all++) {
        iv_covered *row = iv_coverage_add(
            c, IV_COVERAGE_COMPARE, all ? "ranks of all runs together" : "rank of a run", data,
            "%zu topics, %d runs %s", x->topics, RANKED, x->alike ? "made equal" : "as they are");
        row->nominal = nominal;
        row->width = x->width;
        row->replicates = x->trials;
        row->coverage = all ? x->all : x->each;
        row->se = all ? x->all_se : x->each_se;
    }
}

static int ranks(iv_coverage *c, const iv_score_grid *p, const char *data, iv_err *err)
{
    static const int64_t topics[] = { 50 };
    iv_rank_row rows[IV_COVERAGE_LEVELS][2];

    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
        const iv_power_study_options s = {
            .topics = { topics, 1 }, .alpha = 1.0 - iv_coverage_levels()[k],
            .trials = iv_coverage_size(c, 200), .runs = RANKED, .permutations = 999 };
        IV_TRY(iv_study_rank_intervals(rows[k], p, &s, &c->stage.work, err));
        iv_coverage_step_done(c);
    }
    for (size_t i = 0; i < 2 * IV_COVERAGE_LEVELS; i++)
        put_ranks(c, &rows[i % IV_COVERAGE_LEVELS][i / IV_COVERAGE_LEVELS], data,
                  iv_coverage_levels()[i % IV_COVERAGE_LEVELS]);
    return IV_OK;
}

/* Runs whose means are made equal: are none called different, do all intervals hold? */
static void put_families(iv_coverage *c, const iv_equal_row *x, const char *data, double nominal)
{
    for (int interval = 0; interval < 2; interval++) {
        const double miss = interval ? x->missed : x->error;
        iv_covered *row = iv_coverage_add(
            c, IV_COVERAGE_COMPARE, interval ? "differences of all pairs at once"
                                             : "equal runs, none called different", data,
            "%zu topics, %zu runs, %s, %s%s", x->topics, x->runs, iv_equal_kind_names()[x->kind],
            x->baseline ? "baseline" : "all pairs", x->dense ? "" : ", warned of");
        row->nominal = nominal;
        row->replicates = x->sets;
        row->coverage = 1.0 - miss;
        row->se = sqrt(miss * (1.0 - miss) / (double)x->sets);
    }
}

static int families(iv_coverage *c, const iv_score_grid *p, const char *data, iv_err *err)
{
    enum { ROWS = 2 * IV_EQUAL_SETTINGS, FEWEST = 10 };
    iv_equal_row rows[IV_COVERAGE_LEVELS][ROWS];

    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
        const int64_t none = 2; /* settings have topics and runs of their own */
        const iv_power_study_options s = {
            .topics = { &none, 1 }, .runs = 2, .alpha = 1.0 - iv_coverage_levels()[k],
            .trials = iv_coverage_size(c, 200), .permutations = 20 };
        IV_TRY(iv_study_equal_means(rows[k], p, &s, &c->stage.work, err));
        iv_coverage_step_done(c);
    }
    for (size_t i = 0; i < ROWS; i++)
        for (size_t k = 0; k < IV_COVERAGE_LEVELS && rows[0][i].sets >= FEWEST; k++)
            put_families(c, &rows[k][i], data, iv_coverage_levels()[k]);
    return IV_OK;
}

int iv_coverage_compare(iv_coverage *c, iv_err *err)
{
    static const char t[] = "difference of mean AP, t";
    static const series all[] = {
        { IV_COVERAGE_COMPARE, t, DIFFERENCE, IV_INTERVAL_T, 10000, "topics", IV_SCORED_AP, 7 },
        { IV_COVERAGE_COMPARE, t, DIFFERENCE, IV_INTERVAL_T, 10000, "topics", IV_SCORES, 8 } };
    const iv_score_grid *given = c->o->scores;
    const size_t populations = given != NULL ? 2 : 1, collections = c->o->run_count > 0 ? 2 : 1;
    iv_score_grid p;

    iv_coverage_steps(c, (SIZES + 2 * IV_COVERAGE_LEVELS) * populations + collections);
    IV_TRY(run_series(c, all, 2, err));
    IV_TRY(iv_population_simulate(&p, c, IV_SCORED_AP, err));
    IV_TRY(ranks(c, &p, "simulated", err));
    IV_TRY(families(c, &p, "simulated", err));
    if (given != NULL && given->systems >= RANKED) {
        IV_TRY(ranks(c, given, "matrix", err));
        IV_TRY(families(c, given, "matrix", err));
    }
    return iv_coverage_signs(c, err);
}

/* --------------------------------------------------------------------- plan -- */

int iv_coverage_plan_topics(iv_coverage *c, iv_err *err)
{
    static const char sign[] = "effect of the sign test, plan topics";
    static const char mean[] = "effect of the t test, plan topics", unit[] = "pilot topics";
    static const iv_coverage_part plan = IV_COVERAGE_PLAN;
    const series all[] = {
        { plan, sign, SIGN_EFFECT, IV_INTERVAL_T, 600, unit, IV_SCORED_AP, 9 },
        { plan, sign, SIGN_EFFECT, IV_INTERVAL_T, 600, unit, IV_SCORES, 10 },
        { plan, mean, MEAN_EFFECT, IV_INTERVAL_T, 600, unit, IV_SCORED_AP, 11 },
        { plan, mean, MEAN_EFFECT, IV_INTERVAL_T, 600, unit, IV_SCORES, 12 } };

    return run_series(c, all, 4, err);
}
