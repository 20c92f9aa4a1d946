/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of means and differences of items that hang together: clusters of unequal size,
 * repeats, sets of a suite; beside each the interval that takes items for independent, and
 * the test of a difference that is 0.
 *
 * Scores are made from normal numbers: of an item's unit, of the item, of its repeat, of the
 * system on it; binary by a threshold, skewed as log-normal.  Two systems have the same
 * distribution, so that the truth of their difference is 0; that of a mean is known.
 */
#include <math.h>

#include "intervale/stat.h"
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
} setting;

enum { SYSTEMS = 2, TALLIES = 5 };

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

/* A latent number as a score; and the mean of such scores. */
static double score_of(kind_of shape, double latent)
{
    return shape == BINARY ? latent > -0.5 : exp(0.7 * latent);
}

static double truth_of(kind_of shape) { return shape == BINARY ? iv_norm_sf(-0.5) : exp(0.245); }

/* How many items each unit has: from 2 to all, most have few. */
static size_t draw_units(const setting *s, room *w, iv_stream *stream)
{
    size_t n = 0;

    for (size_t u = 0; u < s->units; u++) {
        const double share = iv_draw_uniform(stream);
        size_t size = 2 + (size_t)((double)(s->items - 2) * share * share);
        size = s->units == 1 ? s->items : size;
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
            w->grid[t * R + r] = score_of(s->shape, y);
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

static int replicate(iv_tally *t, void *user, void *memory, size_t number, iv_stream *stream,
                     iv_err *err)
{
    const setting *s = user;
    room *w = memory;
    double variance[SYSTEMS], df[SYSTEMS];
    const iv_compared_pair *pair;
    const iv_compared_test *test;
    iv_structured m;
    iv_comparison *c = NULL;

    const size_t n = draw_units(s, w, stream);
    const iv_stream shared = iv_stream_start(number + 1, IV_FOR_STUDY, 7777);
    for (size_t k = 0; k < SYSTEMS; k++)
        IV_TRY(score_items(s, w, k, n, &shared, stream, &variance[k], &df[k], err));
    const iv_structure of = { .cluster = s->sets || s->units == 1 ? NULL : w->unit,
                              .clusters = s->units, .suite = s->sets ? w->unit : NULL,
                              .suites = s->units, .sampled = s->sampled,
                              .repeat_variance = s->repeats > 0 ? variance : NULL,
                              .repeat_df = df };
    IV_TRY(iv_structured_mean(&m, w->x[0], n, &of, 0, err));
    for (size_t i = 0; i < SYSTEMS * n; i++)
        w->d[i] = w->x[i / n][i % n];
    const iv_compare_options how = { .structure = &of, .resamples = 1 };
    IV_TRY(iv_compare(&c, w->d, SYSTEMS, n, &how, &(iv_work){ .threads = 1 }, err));
    (void)iv_comparison_pairs(&pair, c);
    (void)iv_comparison_tests(&test, c, 0);
    for (size_t j = 0; j < n; j++)
        w->x[1][j] = w->d[j] - w->d[n + j];
    const double apart = iv_t_test(w->x[1], n, IV_TWO_SIDED).p;
    int rc = IV_OK;
    for (size_t k = 0; rc == IV_OK && k < IV_COVERAGE_LEVELS; k++) {
        iv_mean_interval i;
        rc = iv_structured_interval(&i, &m, s->shape == BINARY, IV_INTERVAL_AUTO,
                                    iv_coverage_levels()[k], err);
        if (rc == IV_OK)
            iv_tally_put(&t[0], k, i.lower, i.upper, truth_of(s->shape));
        put_t(&t[1], k, m.mean, m.se_apart, (double)(m.items - 1), truth_of(s->shape));
        put_t(&t[2], k, pair->found.mean, pair->found.sd / sqrt((double)pair->found.n), pair->df,
              0.0);
        put_test(&t[3], k, test->test.p);
        put_test(&t[4], k, apart);
    }
    iv_comparison_free(c);
    return rc;
}

static int run_setting(iv_coverage *c, setting *s, uint32_t number, iv_err *err)
{
    static const char *const names[] = { "mean", "mean, items taken for independent",
                                         "difference", "test of no difference",
                                         "t test, items taken for independent" };
    const iv_experiment e = { IV_COVERAGE_SCORES, "simulated", names, TALLIES, 5000,
                              (90 << 6) + number, replicate, s, room_new };
    const char *called = s->shape == BINARY ? "binary" : "skewed";

    if (s->repeats > 0)
        return iv_experiment_run(c, &e, err, "%zu items, %zu repeats, %g shared, %s", s->items,
                                 s->repeats, s->together, called);
    if (s->sets)
        return iv_experiment_run(c, &e, err, "%zu %s sets of 2 to %zu, icc %g, %s", s->units,
                                 s->sampled ? "sampled" : "fixed", s->items, s->icc, called);
    return iv_experiment_run(c, &e, err, "%zu clusters of 2 to %zu, icc %g, %s", s->units, s->items,
                             s->icc, called);
}

int iv_coverage_scores(iv_coverage *c, iv_err *err)
{
    static const size_t clusters[] = { 10, 20, 50 }, repeats[] = { 2, 5, 10 }, sets[] = { 5, 8, 20 };
    static const double icc[] = { 0.0, 0.2, 0.6 };
    uint32_t number = 0;

    iv_coverage_steps(c, 2 * (9 + 6 + 6));
    for (int kind = BINARY; kind <= SKEWED; kind++) {
        for (size_t i = 0; i < 9; i++)
            IV_TRY(run_setting(c, &(setting){ (kind_of)kind, clusters[i / 3], 0, 20, icc[i % 3],
                                              0.0, false, false }, number++, err));
        for (size_t i = 0; i < 6; i++)
            IV_TRY(run_setting(c, &(setting){ (kind_of)kind, 1, repeats[i % 3], 60, 0.0,
                                              i < 3 ? 0.0 : 0.05, false, false }, number++, err));
        for (size_t i = 0; i < 6; i++)
            IV_TRY(run_setting(c, &(setting){ (kind_of)kind, sets[i % 3], 0, 40, i < 3 ? 0.0 : 0.2,
                                              0.0, true, i >= 3 }, number++, err));
    }
    return IV_OK;
}
