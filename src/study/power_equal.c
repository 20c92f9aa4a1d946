/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Familywise error where runs are not exchangeable: scores of the population less each
 * run's mean, so that all means are equal, and topics drawn with replacement.  Runs as
 * they are, families of near-copies, copies that hardly differ, values of 0 and 1, runs
 * that are nearest to one; all pairs, and against a baseline.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/parallel.h"
#include "stat/paired/significant.h"
#include "study/power_study.h"

static const struct setting {
    iv_equal_kind kind;
    bool baseline;
    size_t runs, topics;
} settings[IV_EQUAL_SETTINGS] = {
    { IV_EQUAL_RUNS, false, 5, 25 },     { IV_EQUAL_RUNS, false, 10, 50 },
    { IV_EQUAL_RUNS, false, 30, 25 },    { IV_EQUAL_RUNS, false, 100, 50 },
    { IV_EQUAL_RUNS, true, 30, 50 },     { IV_EQUAL_COPIES, false, 10, 50 },
    { IV_EQUAL_COPIES, true, 10, 50 },   { IV_EQUAL_SPARSE, false, 10, 50 },
    { IV_EQUAL_SPARSE, true, 10, 50 },   { IV_EQUAL_BINARY, false, 10, 50 },
    { IV_EQUAL_BINARY, true, 10, 50 },   { IV_EQUAL_NEAR, false, 10, 25 },
    { IV_EQUAL_NEAR, false, 10, 50 },    { IV_EQUAL_NEAR, true, 10, 50 },
};

const char *const *iv_equal_kind_names(void)
{
    static const char *const names[] = { "runs", "near-copies", "sparse copies", "0 and 1", "nearest",
                                         NULL };

    return names;
}

/* What one set gave. */
typedef struct outcome {
    bool dense, error, by_t, by_tukey, missed;
} outcome;

typedef struct work_of {
    const iv_score_grid *population;
    const iv_power_study_options *options;
    const struct setting *setting;
    double middle; /* of all scores: above it 1, else 0 */
    outcome *found;
    uint64_t seed;
} work_of;

/* A thread's set of runs. */
typedef struct set {
    double *plain, *centred, *shifted, *p, *d, *away;
    size_t *systems, *rows;
} set;

static void *set_new(iv_arena *own, void *user)
{
    const work_of *w = user;
    const size_t R = w->setting->runs, T = w->setting->topics;
    set *s = iv_take(own, 1, sizeof *s);

    if (s == NULL)
        return NULL;
    s->plain = iv_take(own, R * T, sizeof *s->plain);
    s->centred = iv_take(own, R * T, sizeof *s->centred);
    s->shifted = iv_take(own, R * T, sizeof *s->shifted);
    s->p = iv_take(own, iv_pair_count(R) + R, sizeof *s->p);
    s->d = iv_take(own, T, sizeof *s->d);
    s->away = iv_take(own, w->population->systems, sizeof *s->away);
    s->systems = iv_take(own, R, sizeof *s->systems);
    s->rows = iv_take(own, T, sizeof *s->rows);
    return s;
}

/*
 * The score of run r on a topic of the population.  The last two runs are as they are;
 * of the others, near-copies of the first move a tenth of the way to another run on half
 * of the topics, and sparse ones are that other run on one topic in ten.
 */
static double score(const work_of *w, const size_t *systems, size_t r, size_t topic)
{
    const iv_score_grid *x = w->population;
    const double own = x->values[systems[r] * x->topics + topic];
    const double base = x->values[systems[0] * x->topics + topic];
    const bool copy = r > 0 && r + 2 < w->setting->runs;
    /* Which topics: by run and topic, as if the copy were a run of the population. */
    const uint64_t chance = (uint64_t)(systems[r] + 1) * 2654435761u
        + (uint64_t)(topic + 1) * 40503u * 65537u;
    const unsigned of_ten = (unsigned)((chance ^ chance >> 15) % 10);

    if (w->setting->kind == IV_EQUAL_BINARY)
        return own > w->middle ? 1.0 : 0.0;
    if (w->setting->kind == IV_EQUAL_COPIES && copy)
        return of_ten < 5 ? base + 0.1 * (own - base) : base;
    if (w->setting->kind == IV_EQUAL_SPARSE && copy)
        return of_ten == 0 ? own : base;
    return own;
}

/* The sum of |difference| of two runs over all topics. */
static double distance(const iv_score_grid *x, size_t a, size_t b)
{
    double sum = 0.0;

    for (size_t t = 0; t < x->topics; t++)
        sum += fabs(x->values[a * x->topics + t] - x->values[b * x->topics + t]);
    return sum;
}

/* A family as a board has it: all but the last two become the runs nearest to the first. */
static void take_nearest(const work_of *w, set *s, iv_stream *stream)
{
    const iv_score_grid *x = w->population;
    const size_t R = w->setting->runs, first = s->systems[0];
    size_t chosen = 1;

    for (size_t k = 0; k < x->systems; k++)
        s->away[k] = k == first ? (double)INFINITY : distance(x, first, k);
    for (; chosen + 2 < R; chosen++) {
        size_t best = first;
        for (size_t k = 0; k < x->systems; k++)
            best = s->away[k] < s->away[best] ? k : best;
        s->systems[chosen] = best;
        s->away[best] = (double)INFINITY;
    }
    while (chosen < R) { /* any two others */
        const size_t k = (size_t)iv_draw_below(stream, x->systems);
        if (isinf(s->away[k]))
            continue;
        s->systems[chosen++] = k;
        s->away[k] = (double)INFINITY;
    }
}

static void draw_set(const work_of *w, set *s, size_t trial)
{
    const iv_score_grid *x = w->population;
    const size_t R = w->setting->runs, T = w->setting->topics;
    iv_stream stream = iv_power_stream(w->seed, IV_PART_EQUAL,
                                       trial * IV_EQUAL_SETTINGS + (size_t)(w->setting - settings));

    (void)iv_draw_sequence(&stream, s->systems, R, x->systems);
    if (w->setting->kind == IV_EQUAL_NEAR)
        take_nearest(w, s, &stream);
    for (size_t t = 0; t < T; t++)
        s->rows[t] = (size_t)iv_draw_below(&stream, x->topics);
    for (size_t r = 0; r < R; r++) {
        double mean = 0.0;
        for (size_t t = 0; t < x->topics; t++)
            mean += score(w, s->systems, r, t) / (double)x->topics;
        for (size_t t = 0; t < T; t++) {
            s->plain[r * T + t] = score(w, s->systems, r, s->rows[t]);
            s->centred[r * T + t] = s->plain[r * T + t] - mean;
            s->shifted[r * T + t] = s->centred[r * T + t] + 10.0 * (double)r;
        }
    }
}

/* Does every pair compared differ on ten topics or more?  And the smallest p of t. */
static bool look_at_pairs(double *least, const work_of *w, set *s)
{
    const size_t R = w->setting->runs, T = w->setting->topics;
    bool dense = true;

    *least = 1.0;
    for (size_t a = 0; a < R; a++) {
        for (size_t b = a + 1; b < R && (a == 0 || !w->setting->baseline); b++) {
            size_t differ = 0;
            for (size_t t = 0; t < T; t++)
                differ += s->plain[a * T + t] != s->plain[b * T + t];
            dense = dense && differ >= 10;
            (void)iv_pair_differences(s->d, s->centred + a * T, s->centred + b * T, T);
            const iv_test test = iv_t_test(s->d, T, IV_TWO_SIDED);
            *least = isnan(test.p) ? *least : fmin(*least, test.p);
        }
    }
    return dense;
}

/* What compare does: is a pair called different, does an interval miss the truth? */
static int ask_compare(outcome *o, const work_of *w, const set *s, iv_err *err)
{
    static const size_t first[] = { 0 };
    const size_t R = w->setting->runs, T = w->setting->topics;
    const iv_compare_options how = { .baselines = first, .baseline_count = w->setting->baseline,
                                     .confidence = 1.0 - w->options->alpha, .resamples = 1 };
    const iv_work alone = { .threads = 1, .seed = 1 };

    for (int shifted = 0; shifted < 2; shifted++) {
        iv_comparison *c = NULL;
        const iv_compared_pair *p;
        IV_TRY(iv_compare(&c, shifted ? s->shifted : s->centred, R, T, &how, &alone, err));
        for (size_t i = 0; i < iv_comparison_pairs(&p, c); i++) {
            const iv_compared_test *t;
            const double truth = 10.0 * ((double)p[i].a - (double)p[i].b);
            (void)iv_comparison_tests(&t, c, i);
            /* Equal differences have no interval; they miss a truth that is another. */
            const bool none = isnan(p[i].lower_adjusted);
            if (shifted)
                o->missed = o->missed
                    || (none ? p[i].found.mean : p[i].lower_adjusted) > truth + 1e-12
                    || (none ? p[i].found.mean : p[i].upper_adjusted) < truth - 1e-12;
            else
                o->error = o->error || iv_significant(t->p_adjusted, w->options->alpha);
        }
        iv_comparison_free(c);
    }
    return IV_OK;
}

static int try_set(void *user, void *memory, size_t trial, iv_err *err)
{
    const work_of *w = user;
    set *s = memory;
    const size_t R = w->setting->runs, T = w->setting->topics;
    const size_t pairs = w->setting->baseline ? R - 1 : iv_pair_count(R);
    const iv_score_grid grid = { s->centred, R, T };
    const iv_work alone = { .threads = 1, .seed = iv_power_seed(w->seed, trial) };
    outcome *o = &w->found[trial];
    double least;

    draw_set(w, s, trial);
    o->dense = look_at_pairs(&least, w, s);
    o->by_t = iv_significant(least * (double)pairs, w->options->alpha);
    IV_TRY(iv_tukey_pairs(s->p, &grid, w->setting->baseline ? 1 : IV_NO_BASELINE,
                          w->options->permutations, IV_TWO_SIDED, &alone, err));
    for (size_t i = 0; i < (w->setting->baseline ? R : pairs); i++)
        o->by_tukey = o->by_tukey || iv_significant(s->p[i], w->options->alpha);
    /* Its p is at least that of t, and its intervals are no shorter. */
    return o->by_t ? ask_compare(o, w, s, err) : IV_OK;
}

static void sum_up(iv_equal_row *out, const work_of *w, bool dense)
{
    const struct setting *k = w->setting;
    size_t error = 0, by_t = 0, by_tukey = 0, missed = 0, sets = 0;

    for (size_t t = 0; t < w->options->trials; t++) {
        const outcome *o = &w->found[t];
        if (o->dense != dense)
            continue;
        sets++;
        error += o->error;
        by_t += o->by_t;
        by_tukey += o->by_tukey;
        missed += o->missed;
    }
    const double n = sets > 0 ? (double)sets : (double)NAN;
    *out = (iv_equal_row){ k->kind, k->baseline, k->runs, k->topics, dense, sets,
                           (double)error / n, sets > 0 ? iv_share_se((double)error / n, sets) : n,
                           (double)missed / n, (double)by_t / n, (double)by_tukey / n };
}

static double middle_of(const iv_score_grid *x, iv_arena *own)
{
    double *all = iv_take(own, x->systems * x->topics, sizeof *all);

    if (all == NULL)
        return 0.0;
    for (size_t i = 0; i < x->systems * x->topics; i++)
        all[i] = x->values[i];
    qsort(all, x->systems * x->topics, sizeof *all, iv_rising);
    return all[x->systems * x->topics / 2];
}

int iv_study_equal_means(iv_equal_row *out, const iv_score_grid *population,
                         const iv_power_study_options *o, const iv_work *work, iv_err *err)
{
    iv_arena own = { 0 };
    work_of w = { .population = population, .options = o, .seed = iv_work_seed(work),
                  .middle = middle_of(population, &own) };
    int rc = iv_power_check(population, o, err);

    w.found = iv_take(&own, o->trials, sizeof *w.found);
    if (rc == IV_OK)
        rc = iv_taken(&own, err);
    for (size_t k = 0; rc == IV_OK && k < IV_EQUAL_SETTINGS; k++) {
        iv_stage stage;
        w.setting = &settings[k];
        for (size_t t = 0; t < o->trials; t++)
            w.found[t] = (outcome){ false, false, false, false, false };
        /* A population that is too small has no such sets. */
        const bool enough = w.setting->runs <= population->systems;
        if (enough)
            rc = iv_parallel(&(iv_loop){ o->trials, try_set, &w, set_new },
                             iv_work_nth(&stage, work, k, IV_EQUAL_SETTINGS), err);
        for (int dense = 1; rc == IV_OK && dense >= 0; dense--) {
            sum_up(&out[2 * k + (dense == 0)], &w, dense == 1);
            if (!enough)
                out[2 * k + (dense == 0)].sets = 0;
        }
    }
    iv_arena_free(&own);
    return rc;
}
