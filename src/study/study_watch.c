/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often watch alarms falsely, and how long a loss goes unnoticed, beside a plain nightly test
 * and an EWMA chart with the same false alarms that knows all variances.
 */
#include "base/err.h"
#include "result/wording.h"
#include "stat/sequential/nights.h"
#include "study/study.h"

enum { WATCH, PLAIN, CHART, RULES, LONGEST = 365, CHANGE = 30, AFTER = 100 };

#define EWMA_WEIGHT 0.2

/* A series of nights and its baseline. */
typedef struct series_design {
    const char *data;
    size_t nights, items, repeats, baseline; /* repeats of the baseline; 0: run every night */
    bool binary, rebuilt; /* rebuilt: items change and their mean does not */
    double loss;          /* from night CHANGE on */
    double shift;         /* of whole nights, in standard errors of a night */
    iv_night_levels levels;
    double chart;         /* the limit of the EWMA chart */
    bool easy;            /* nearly all scores are 1 */
} series_design;

/* ---------------------------------------------------------------- drawing -- */

/* The mean of an item's repeats. */
static double draw_score(const series_design *d, double p, size_t repeats, iv_stream *s)
{
    double sum = 0.0;

    if (!d->binary)
        return p + 0.2 * iv_draw_normal(s) / sqrt((double)repeats);
    for (size_t r = 0; r < repeats; r++)
        sum += iv_draw_uniform(s) < p ? 1.0 : 0.0;
    return sum / (double)repeats;
}

/* Of one score. */
static double variance_of(const series_design *d, double p)
{
    return d->binary ? p * (1.0 - p) : 0.04;
}

/* Differences, night by night; items have an easiness from 0.15 to 0.95, or from
 * 0.9 to 1, with mean 0.967.  Returns the variance of
 * the mean of a night that its items' scores bring. */
static double draw_series(double *x, double *p, const series_design *d, iv_stream *s)
{
    const size_t n = d->items;
    double *base = p + n, *now = base + n, variance = 0.0, easiness = 0.0;

    for (size_t i = 0; i < n; i++) {
        const double u = iv_draw_uniform(s);
        p[i] = d->easy ? 1.0 - 0.1 * u * u : 0.15 + 0.8 * sqrt(u);
        now[i] = d->rebuilt ? fmin(1.0, fmax(0.0, p[i] + (iv_draw_uniform(s) < 0.5 ? -0.1 : 0.1)))
                            : p[i];
        if (d->rebuilt && d->binary) /* so that the mean stays at both ends */
            now[i] = p[i] > 0.9 || p[i] < 0.1 ? p[i] : now[i];
        variance += variance_of(d, p[i]) / (double)(n * n * d->repeats);
        easiness += p[i] / (double)n;
    }
    const double sd = d->shift * sqrt(variance), first = sd * iv_draw_normal(s);
    for (size_t i = 0; i < n; i++)
        base[i] = d->baseline > 0 ? draw_score(d, p[i], d->baseline, s) + first : 0.0;
    for (size_t t = 0; t < d->nights; t++) {
        const double shift = sd * iv_draw_normal(s), left = t < CHANGE ? 0.0 : d->loss;
        for (size_t i = 0; i < n; i++) {
            const double own = d->baseline > 0 ? base[i]
                : draw_score(d, p[i], d->repeats, s) + shift;
            x[t * n + i] = draw_score(d, now[i] * (1.0 - left / easiness), d->repeats, s) + shift
                - own;
        }
    }
    return variance;
}

/* ------------------------------------------------------------------ rules -- */

/* Standardised EWMA of nightly means of variance 1, beside a baseline of variance `common`. */
static double chart_step(double *ewma, double *kept, double x, double common)
{
    const double w = EWMA_WEIGHT;

    *ewma = (1.0 - w) * *ewma + w * x;
    *kept *= 1.0 - w;
    const double own = w / (2.0 - w) * (1.0 - *kept * *kept), part = 1.0 - *kept;
    return *ewma / sqrt(own + part * part * common);
}

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The limit that the lowest of `nights` values falls below with probability alpha. */
static double chart_limit(size_t nights, double common, double alpha, iv_stream *s)
{
    enum { HISTORIES = 4000 };
    static double lowest[HISTORIES];

    for (size_t h = 0; h < HISTORIES; h++) {
        const double base = sqrt(common) * iv_draw_normal(s);
        double ewma = 0.0, kept = 1.0;
        lowest[h] = INFINITY;
        for (size_t t = 0; t < nights; t++)
            lowest[h] = fmin(lowest[h], chart_step(&ewma, &kept, iv_draw_normal(s) - base, common));
    }
    qsort(lowest, HISTORIES, sizeof *lowest, rising);
    return lowest[(size_t)(alpha * HISTORIES)];
}

static double common_of(const series_design *d)
{
    return d->baseline > 0 ? (double)d->repeats / (double)d->baseline : 0.0;
}

/* The first alarm of each rule, from 1 on; SIZE_MAX: none. */
static int find_alarms(size_t first[RULES], const series_design *d, const double *x,
                       double variance, iv_night *night, iv_err *err)
{
    const iv_nights q = { .x = x, .nights = d->nights, .items = d->items, .low = NAN, .high = NAN,
                          .baselines = d->baseline > 0 ? 1 : 0, .p_only = true,
                          .unit = !d->binary ? 0.0
                              : 1.0 / (double)(d->baseline > 0 ? d->baseline : d->repeats) };
    iv_night_levels levels = d->levels;
    const double alone = levels.alpha / (double)levels.horizon;
    const double sd = sqrt(variance * (d->baseline > 0 ? 1.0 : 2.0));
    double ewma = 0.0, kept = 1.0;

    for (size_t k = 0; k < RULES; k++)
        first[k] = SIZE_MAX;
    IV_TRY(iv_nights_test(night, &q, &levels, err));
    for (size_t t = 0; t < d->nights; t++) {
        const iv_night_test *tonight = &night[t].of[0];
        const double z = chart_step(&ewma, &kept, tonight->mean / sd, common_of(d));
        const bool alarms[RULES] = { night[t].alarm, tonight->p < alone, z < d->chart };
        for (size_t k = 0; k < RULES; k++)
            first[k] = first[k] == SIZE_MAX && alarms[k] ? t + 1 : first[k];
    }
    return IV_OK;
}

static int watch_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    const series_design *d = user;
    iv_study_room *w = memory;
    iv_arena own = { 0 };
    iv_night *night = iv_take(&own, d->nights, sizeof *night);
    size_t first[RULES];
    int rc = iv_taken(&own, err);

    if (rc == IV_OK) {
        const double variance = draw_series(w->x, w->y, d, stream);
        rc = find_alarms(first, d, w->x, variance, night, err);
    }
    const bool average = d->levels.promise == IV_PROMISE_AVERAGE;
    for (size_t k = 0; rc == IV_OK && k < (average ? 1 : RULES); k++) {
        const size_t nights = first[k] - CHANGE;
        if (average)
            for (size_t i = 0; i < d->nights; i++)
                iv_tally_decision(&t[k], night[i].alarm, 0.0);
        else if (d->loss == 0.0)
            iv_tally_decision(&t[k], first[k] != SIZE_MAX, 0.0);
        else if (first[k] > CHANGE) /* no false alarm before */
            iv_tally_decision(&t[k], first[k] != SIZE_MAX,
                              (double)(first[k] == SIZE_MAX ? AFTER : nights));
    }
    iv_arena_free(&own);
    return rc;
}

/* --------------------------------------------------------------- settings -- */

static int run_series(iv_study *s, series_design *d, iv_promise promise, size_t horizon,
                      iv_err *err)
{
    const bool average = promise == IV_PROMISE_AVERAGE;
    const double alpha = iv_study_alpha(s), nominal = d->loss > 0.0 ? (double)NAN : alpha;
    const char *what = d->loss > 0.0 ? "noticed in 100 nights" : "false alarm";
    const iv_studied methods[RULES] = {
        { average ? "false alarm, a night" : what, "watch", true,
          average ? 1.0 / (double)horizon : nominal },
        { what, "nightly test, Bonferroni", true, nominal },
        { what, "EWMA chart, variances known", true, nominal } };
    const iv_experiment e = { d->data, methods, average ? 1 : RULES, 1000, watch_replicate, d,
                              .room = { d->nights * d->items, 3 * d->items } };
    iv_stream stream = iv_stream_start(iv_work_seed(s->work), IV_FOR_STUDY, d->repeats);

    d->chart = chart_limit(horizon, common_of(d), alpha, &stream);
    iv_night_levels_begin(&d->levels, alpha, horizon, promise);
    for (size_t i = 0; i < IV_NIGHT_STEPS; i++) /* threads only read them */
        (void)iv_night_levels_of(&d->levels, ((double)i + 0.5) / IV_NIGHT_STEPS);
    if (d->loss > 0.0)
        return iv_experiment_run(s, &e, err, "%zu items, loss of %g, %zu repeat%s, baseline %zu",
                                 d->items, d->loss, d->repeats, iv_plural(d->repeats), d->baseline);
    return iv_experiment_run(s, &e, err, "%zu nights, %zu items, %zu repeat%s, baseline %zu, "
                             "shift %g", d->nights, d->items, d->repeats, iv_plural(d->repeats),
                             d->baseline, d->shift);
}

int iv_study_watch(iv_study *s, iv_err *err)
{
    static const size_t nights[] = { 30, 100, LONGEST }, items[] = { 50, 500 };
    static const series_design others[] = {
        { "0/1, easy", 30, 50, 1, 1, true, false, 0.0, 0.0, { 0 }, 0.0, true },
        { "0/1, easy", 100, 50, 1, 1, true, false, 0.0, 0.0, { 0 }, 0.0, true },
        { "0/1, easy", 100, 500, 1, 1, true, false, 0.0, 0.0, { 0 }, 0.0, true },
        { "0/1, easy", 100, 50, 3, 3, true, false, 0.0, 0.0, { 0 }, 0.0, true },
        { "0/1, easy, baseline every night", 100, 50, 1, 0, true, false, 0.0, 0.0, { 0 }, 0.0,
          true },
        { "0/1", 100, 500, 3, 3, true, false, 0.0, 0.0, { 0 }, 0.0 },
        { "0/1", 100, 500, 1, 10, true, false, 0.0, 0.0, { 0 }, 0.0 },
        { "0/1, baseline every night", 100, 500, 1, 0, true, false, 0.0, 0.0, { 0 }, 0.0 },
        { "0/1, rebuilt", 100, 500, 3, 3, true, true, 0.0, 0.0, { 0 }, 0.0 },
        { "graded, shifts", 100, 500, 1, 1, false, false, 0.0, 0.5, { 0 }, 0.0 },
        { "graded, shifts", 100, 500, 1, 1, false, false, 0.0, 1.0, { 0 }, 0.0 },
        { "graded, shifts", 100, 500, 1, 1, false, false, 0.0, 3.0, { 0 }, 0.0 },
        { "graded, shifts, baseline every night", 100, 500, 1, 0, false, false, 0.0, 3.0, { 0 },
          0.0 } };
    static const double losses[] = { 0.02, 0.05, 0.1 };
    const size_t other_count = sizeof others / sizeof *others;

    iv_study_steps(s, 12 + other_count + 1 + 12);
    for (size_t i = 0; i < 12; i++) {
        series_design d = { i % 2 == 0 ? "0/1" : "graded", .nights = nights[i / 4],
                            .items = items[i / 2 % 2], .repeats = 1, .baseline = 1,
                            .binary = i % 2 == 0 };
        IV_TRY(run_series(s, &d, IV_PROMISE_YEAR, d.nights, err));
    }
    for (size_t i = 0; i < other_count; i++) {
        series_design d = others[i];
        IV_TRY(run_series(s, &d, IV_PROMISE_YEAR, d.nights, err));
    }
    series_design often = { "0/1, on average", .nights = 100, .items = 500, .repeats = 1,
                            .baseline = 1, .binary = true };
    IV_TRY(run_series(s, &often, IV_PROMISE_AVERAGE, 100, err));
    for (size_t i = 0; i < 12; i++) {
        const bool sure = i / 3 % 2 == 1;
        series_design d = { "0/1", .nights = CHANGE + AFTER, .items = items[i / 6],
                            .repeats = sure ? 3 : 1, .baseline = sure ? 9 : 1, .binary = true,
                            .loss = losses[i % 3] };
        IV_TRY(run_series(s, &d, IV_PROMISE_YEAR, LONGEST, err));
    }
    return IV_OK;
}
