/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of means and differences of items that hang together: clusters of unequal size,
 * repeats, sets of a suite; beside each the interval that takes items for independent, and
 * the test of a difference that is 0.
 *
 * Scores are made from normal numbers: of an item's unit, of the item, of its repeat, of the
 * system on it; binary by a threshold, skewed as log-normal.  Two systems have the same
 * distribution, so that the truth of their difference is 0; that of a mean is known.  A third
 * one, of shares that are told, has half their odds: few items differ, and not evenly.
 */
#include <math.h>

#include "intervale/stat.h"
#include "stat/interval/units.h"
#include "stat/paired/paired_parts.h"
#include "study/coverage_parts.h"

typedef enum kind_of { BINARY, SKEWED } kind_of;

/* A grid's point. */
typedef struct setting {
    kind_of shape;
    size_t units;    /* clusters; or sets ... */
    size_t repeats;  /* 0: one score an item */
    size_t items;    /* of a unit at most; of all, without clusters and sets */
    double icc;      /* of the latent numbers within a unit */
    double together; /* variance that a repeat brings to all items */
    bool sets, sampled;
    double share; /* of binary scores that are 1; 0: .69 */
    size_t least; /* items of a unit; 0: 2, and most units have few */
} setting;

enum { SYSTEMS = 3, TALLIES = 7 };

typedef struct room {
    double *x[SYSTEMS], *d, *grid; /* scores by item; differences; items x repeats */
    uint32_t *unit;
} room;

static size_t most_items(const setting *s) { return s->units * s->items; }

static void *room_new(iv_arena *own, void *user)
{
    const setting *s = user;
    const size_t n = most_items(s) + 1, R = s->repeats > 0 ? s->repeats : 1;
    room *w = iv_take(own, 1, sizeof *w);

    for (size_t k = 0; k < SYSTEMS && w != NULL; k++)
        w->x[k] = iv_take(own, n, sizeof(double));
    if (w != NULL) {
        w->d = iv_take(own, SYSTEMS * n, sizeof(double));
        w->grid = iv_take(own, n * R, sizeof(double));
        w->unit = iv_take(own, n, sizeof *w->unit);
    }
    return own->failed ? NULL : w;
}

/* The mean of a system's scores, and what of its latent numbers is a 1. */
static double truth_of(const setting *s, size_t system)
{
    const double share = s->share > 0.0 ? s->share : iv_norm_sf(-0.5);

    return s->shape == SKEWED ? exp(0.245) : system < 2 ? share : share / (2.0 - share);
}

static double score_of(const setting *s, double threshold, double latent)
{
    return s->shape == BINARY ? latent > threshold : exp(0.7 * latent);
}

/* How many items each unit has, most have few: from 2 to all, or of each size alike as to its
 * logarithm. */
static size_t draw_size(const setting *s, iv_stream *stream)
{
    const double share = iv_draw_uniform(stream), most = (double)s->items;

    return s->units == 1 ? s->items
        : s->least > 0 ? (size_t)nearbyint(most * pow((double)s->least / most, share))
        : 2 + (size_t)((most - 2.0) * share * share);
}

static size_t draw_units(const setting *s, room *w, iv_stream *stream)
{
    size_t n = 0;

    for (size_t u = 0; u < s->units; u++) {
        const size_t size = draw_size(s, stream);
        for (size_t i = 0; i < size; i++)
            w->unit[n++] = (uint32_t)u;
    }
    return n;
}

/* One system's scores: the unit's and item's parts are shared by both systems. */
static int score_items(const setting *s, room *w, size_t k, size_t n, const iv_stream *shared,
                          iv_stream *stream, double *variance, double *df, iv_err *err)
{
    const size_t R = s->repeats > 0 ? s->repeats : 1;
    const double rest = 1.0 - s->icc - s->together, item = 0.5 * rest, own = rest - item;
    const double threshold = s->shape == BINARY ? iv_norm_isf(truth_of(s, k)) : 0.0;
    iv_stream same = *shared;
    double effect[16], unit = 0.0, mine = 0.0;

    for (size_t r = 0; r < R; r++)
        effect[r] = sqrt(s->together) * iv_draw_normal(stream);
    for (size_t t = 0; t < n; t++) {
        if (t == 0 || w->unit[t] != w->unit[t - 1]) {
            unit = sqrt(0.5 * s->icc) * iv_draw_normal(&same);
            mine = sqrt(0.5 * s->icc) * iv_draw_normal(stream);
        }
        const double base = unit + mine + sqrt(item) * iv_draw_normal(&same);
        w->x[k][t] = 0.0;
        for (size_t r = 0; r < R; r++) {
            const double y = base + effect[r] + sqrt(own) * iv_draw_normal(stream);
            w->grid[t * R + r] = score_of(s, threshold, y);
            w->x[k][t] += w->grid[t * R + r] / (double)R;
        }
    }
    *variance = 0.0;
    *df = 1.0;
    return R > 1 ? iv_repeat_variance(variance, df, w->grid, n, R, err) : IV_OK;
}

static void put_t(iv_tally *t, size_t k, double mean, double se, double df, double truth)
{
    const double half = iv_t_isf(0.5 * (1.0 - iv_coverage_levels()[k]), df) * se;

    iv_tally_put(t, k, mean - half, mean + half, truth);
}

/* As an interval that holds 0 unless the test rejects. */
static void put_test(iv_tally *t, size_t k, double p)
{
    const bool rejects = p < 1.0 - iv_coverage_levels()[k] - 1e-12;

    iv_tally_put(t, k, rejects ? 1.0 : -1.0, 2.0, 0.0);
}

/* Differences of the first system to another: an interval by each level, and the test. */
static int compare(iv_tally *difference, iv_tally *test, const setting *s, room *w, size_t other,
                   size_t n, const iv_structure *of, iv_err *err)
{
    const double truth = truth_of(s, 0) - truth_of(s, other);
    const iv_compare_options how = { .structure = of, .resamples = 1 };
    const iv_compared_pair *pair;
    const iv_compared_test *found;
    iv_comparison *c = NULL;

    for (size_t i = 0; i < 2 * n; i++)
        w->d[i] = w->x[i / n * other][i % n];
    IV_TRY(iv_compare(&c, w->d, 2, n, &how, &(iv_work){ .threads = 1 }, err));
    (void)iv_comparison_pairs(&pair, c);
    (void)iv_comparison_tests(&found, c, 0);
    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
        double lower, upper;
        if (pair->shares.items > 0.0) { /* not of sampled sets */
            iv_shares_limits(&lower, &upper, &pair->shares, 0.5 * (1.0 - iv_coverage_levels()[k]));
            iv_tally_put(difference, k, lower, upper, truth);
        } else {
            put_t(difference, k, pair->found.mean, pair->found.sd / sqrt((double)pair->found.n),
                  pair->df, truth);
        }
        if (test != NULL)
            put_test(test, k, found->test.p);
    }
    iv_comparison_free(c);
    return IV_OK;
}

/* What takes items for independent. */
static void put_apart(iv_tally *mean, iv_tally *test, iv_tally *difference, const setting *s,
                      room *w, const iv_structured *m, size_t n)
{
    const size_t other = difference != NULL ? 2 : 1;
    iv_differences d[SYSTEMS] = { { 0 } };
    double p = 1.0;

    for (size_t k = 1; k <= other; k++) {
        for (size_t j = 0; j < n; j++)
            w->d[j] = w->x[0][j] - w->x[k][j];
        d[k] = iv_describe_differences(w->d, n);
        p = k == 1 ? iv_t_test(w->d, n, IV_TWO_SIDED).p : p;
    }
    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
        put_t(mean, k, m->mean, m->se_apart, (double)(m->items - 1), truth_of(s, 0));
        put_test(test, k, p);
        if (difference != NULL)
            put_t(difference, k, d[2].mean, d[2].sd / sqrt((double)n), (double)(n - 1),
                  truth_of(s, 0) - truth_of(s, 2));
    }
}

static int replicate(iv_tally *t, void *user, void *memory, size_t number, iv_stream *stream,
                     iv_err *err)
{
    const setting *s = user;
    const bool shares = s->share > 0.0;
    room *w = memory;
    double variance[SYSTEMS], df[SYSTEMS];
    iv_structured m;

    const size_t n = draw_units(s, w, stream);
    const iv_stream shared = iv_stream_start(number + 1, IV_FOR_STUDY, 7777);
    for (size_t k = 0; k < (shares ? 3U : 2U); k++)
        IV_TRY(score_items(s, w, k, n, &shared, stream, &variance[k], &df[k], err));
    const iv_structure of = { .cluster = s->sets || s->units == 1 ? NULL : w->unit,
                              .clusters = s->units, .suite = s->sets ? w->unit : NULL,
                              .suites = s->units, .sampled = s->sampled,
                              .repeat_variance = s->repeats > 0 ? variance : NULL,
                              .repeat_df = df };
    IV_TRY(iv_structured_mean(&m, w->x[0], n, &of, 0, err));
    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
        iv_mean_interval i;
        IV_TRY(iv_structured_interval(&i, &m, s->shape == BINARY, IV_INTERVAL_AUTO,
                                      iv_coverage_levels()[k], err));
        IV_TRY(iv_set_shares(&i, w->x[0], n, &of, iv_coverage_levels()[k], err));
        iv_tally_put(&t[0], k, i.lower, i.upper, truth_of(s, 0));
    }
    put_apart(&t[1], &t[4], shares ? &t[6] : NULL, s, w, &m, n);
    IV_TRY(compare(&t[2], &t[3], s, w, 1, n, &of, err));
    return shares ? compare(&t[5], NULL, s, w, 2, n, &of, err) : IV_OK;
}

static int run_setting(iv_coverage *c, setting *s, uint32_t number, iv_err *err)
{
    static const char *const names[] = { "mean", "mean, items taken for independent",
                                         "difference", "test of no difference",
                                         "t test, items taken for independent",
                                         "difference to half the odds",
                                         "the same, items taken for independent" };
    const iv_experiment e = { IV_COVERAGE_SCORES, "simulated", names,
                              s->share > 0.0 ? TALLIES : TALLIES - 2, 5000,
                              (90 << 6) + number, replicate, s, room_new };
    const char *called = s->shape == BINARY ? "binary" : "skewed";
    const char *kind = s->sets ? "fixed sets" : "clusters";

    if (s->repeats > 0)
        return iv_experiment_run(c, &e, err, "%zu items, %zu repeats, %g shared, %s", s->items,
                                 s->repeats, s->together, called);
    if (s->share > 0.0)
        return iv_experiment_run(c, &e, err, "%zu %s of %zu to %zu, icc %g, share %g", s->units,
                                 kind, s->least > 0 ? s->least : 2, s->items, s->icc, s->share);
    if (s->sets)
        return iv_experiment_run(c, &e, err, "%zu %s sets of 2 to %zu, icc %g, %s", s->units,
                                 s->sampled ? "sampled" : "fixed", s->items, s->icc, called);
    return iv_experiment_run(c, &e, err, "%zu clusters of 2 to %zu, icc %g, %s", s->units, s->items,
                             s->icc, called);
}

/* Shares from even to sparse: in sets of one size and of many sizes, and in clusters. */
static int run_shares(iv_coverage *c, uint32_t number, iv_err *err)
{
    static const size_t units[] = { 5, 8, 20, 10, 20, 50 };
    static const double share[] = { 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.02 };

    for (size_t k = 0; k < 7; k++) {
        for (size_t i = 0; i < 6; i++)
            IV_TRY(run_setting(c, &(setting){ BINARY, units[i % 3], 0, i < 3 ? 10 : 300, 0.0, 0.0,
                                              true, false, share[k], 10 }, number++, err));
        for (size_t i = 3; i < 6; i++)
            IV_TRY(run_setting(c, &(setting){ BINARY, units[i], 0, 20, 0.2, 0.0, false, false,
                                              share[k], 0 }, number++, err));
    }
    return IV_OK;
}

int iv_coverage_scores(iv_coverage *c, iv_err *err)
{
    static const size_t clusters[] = { 10, 20, 50 }, repeats[] = { 2, 5, 10 }, sets[] = { 5, 8, 20 };
    static const double icc[] = { 0.0, 0.2, 0.6 };
    uint32_t number = 0;

    iv_coverage_steps(c, 2 * (9 + 6 + 6) + 7 * 9 + IV_COVERAGE_VARIANCE_STEPS);
    for (int kind = BINARY; kind <= SKEWED; kind++) {
        for (size_t i = 0; i < 9; i++)
            IV_TRY(run_setting(c, &(setting){ (kind_of)kind, clusters[i / 3], 0, 20, icc[i % 3],
                                              0.0, false, false, 0.0, 0 }, number++, err));
        for (size_t i = 0; i < 6; i++)
            IV_TRY(run_setting(c, &(setting){ (kind_of)kind, 1, repeats[i % 3], 60, 0.0,
                                              i < 3 ? 0.0 : 0.05, false, false, 0.0, 0 },
                               number++, err));
        for (size_t i = 0; i < 6; i++)
            IV_TRY(run_setting(c, &(setting){ (kind_of)kind, sets[i % 3], 0, 40, i < 3 ? 0.0 : 0.2,
                                              0.0, true, i >= 3, 0.0, 0 }, number++, err));
    }
    IV_TRY(run_shares(c, number, err));
    return iv_coverage_variance(c, err);
}
