/* SPDX-License-Identifier: Apache-2.0 */
/* Thresholds and curves of scored items, from resamples as weights of the sorted items. */
#include <math.h>
#include <string.h>

#include "base/checking.h"
#include "base/parallel.h"
#include "intervale/num.h"
#include "intervale/stat/interval.h"
#include "stat/scored/scored_order.h"

enum { RESAMPLES = 2000, CHOOSING = 0x74687265, DRAWING = 0x63757276 };

const char *const *iv_threshold_goal_names(void)
{
    static const char *const names[] = { "f1", "accuracy", "youden", NULL };

    return names;
}

/* All items as counts by group; a resample, or the items themselves. */
typedef struct weights {
    double *hits, *misses; /* positives and negatives in each group */
    uint32_t *counts;
} weights;

/* What all resamples share. */
typedef struct scored_job {
    const iv_scored_items *items;
    iv_score_order o;
    iv_threshold_goal goal;
    uint64_t seed;
    weights all;
    size_t best;       /* the group whose score is the threshold */
    double *outside, *there; /* by resample: its choice on items that are not in it, and the
                                goal at `best` in it */
    double *roc, *precision;  /* IV_CURVE_POINTS a resample */
    size_t resamples;
} scored_job;

static void take_weights(weights *w, iv_arena *own, const iv_score_order *o)
{
    w->hits = iv_take(own, o->groups, sizeof(double));
    w->misses = iv_take(own, o->groups, sizeof(double));
    w->counts = iv_take(own, o->count, sizeof(uint32_t));
}

static void *weights_new(iv_arena *own, void *user)
{
    const scored_job *j = user;
    weights *w = iv_take(own, 1, sizeof *w);

    if (w != NULL)
        take_weights(w, own, &j->o);
    return own->failed ? NULL : w;
}

/* counts NULL: each item once; outside: each once that has count 0. */
static void weigh(weights *w, const scored_job *j, const uint32_t *counts, bool outside)
{
    for (size_t g = 0, from = 0; g < j->o.groups; from = j->o.end[g++]) {
        w->hits[g] = w->misses[g] = 0.0;
        for (size_t i = from; i < j->o.end[g]; i++) {
            const size_t k = j->o.item[i];
            *(j->items->positive[k] ? &w->hits[g] : &w->misses[g]) += counts == NULL ? 1.0
                : outside ? (double)(counts[k] == 0) : (double)counts[k];
        }
    }
}

static double goal_of(iv_threshold_goal goal, double tp, double fp, double P, double N)
{
    if (goal == IV_BEST_F1)
        return tp > 0.0 ? 2.0 * tp / (P + tp + fp) : 0.0;
    if (goal == IV_BEST_ACCURACY)
        return (tp + N - fp) / (P + N);
    return (P > 0.0 ? tp / P : 0.0) - (N > 0.0 ? fp / N : 0.0);
}

/* The goal with groups up to `at` called positive; IV_BEST: with the best, which is told. */
#define IV_BEST SIZE_MAX
static double goal_at(const scored_job *j, const weights *w, size_t at, size_t *best)
{
    double P = 0.0, N = 0.0, tp = 0.0, fp = 0.0, most = -INFINITY;

    for (size_t g = 0; g < j->o.groups; g++) {
        P += w->hits[g];
        N += w->misses[g];
    }
    for (size_t g = 0; g < j->o.groups; g++) {
        tp += w->hits[g];
        fp += w->misses[g];
        const double x = goal_of(j->goal, tp, fp, P, N);
        if (g == at)
            return x;
        if (x > most) {
            most = x;
            *best = g;
        }
    }
    return most;
}

static int choose_once(void *user, void *memory, size_t k, iv_err *err)
{
    scored_job *j = user;
    weights *w = memory;
    iv_stream s = iv_stream_start(j->seed, CHOOSING, k);
    size_t best = 0, ignored;

    (void)err;
    iv_draw_resample(&s, w->counts, j->o.count);
    weigh(w, j, w->counts, false);
    (void)goal_at(j, w, IV_BEST, &best);
    j->there[k] = goal_at(j, w, j->best, &ignored);
    weigh(w, j, w->counts, true);
    j->outside[k] = goal_at(j, w, best, &ignored);
    return IV_OK;
}

/*
 * The limits: Student's t on the scale of logits, with the spread that the goal has at the
 * threshold over resamples.  Where no item is on the wrong side there is none, and that
 * of the end is taken; where there is none for another reason, there are no limits.
 */
static void around(iv_threshold *out, const scored_job *j, double confidence)
{
    const double few = fmin((double)j->o.positives, (double)j->o.negatives);
    const double least = j->goal == IV_BEST_YOUDEN ? -1.0 : 0.0, range = 1.0 - least;
    const double edge = 0.25 / few; /* at the ends, as if an item had that much to lose */
    const double x = (out->value - least) / range, a = fmin(fmax(x, edge), 1.0 - edge);
    double mean = 0.0, squares = 0.0;

    for (size_t k = 0; k < j->resamples; k++)
        mean += j->there[k] / (double)j->resamples;
    for (size_t k = 0; k < j->resamples; k++)
        squares += (j->there[k] - mean) * (j->there[k] - mean);
    const double sd = fmax(sqrt(squares / (double)j->resamples) / range, a != x ? edge : 0.0);
    const double t = few > 1.0 ? iv_t_isf(0.5 * (1.0 - confidence), few - 1.0) : INFINITY;
    const bool clean = out->apparent == 1.0;
    const double middle = log(a / (1.0 - a));
    const double spread = sd > 1e-12 ? t * sd / (a * (1.0 - a)) : NAN; /* less is rounding's */
    const double step = clean ? fmax(spread, t / (1.0 - edge)) : spread;
    out->lower = x < a ? least : least + range / (1.0 + exp(step - middle));
    out->upper = x > a || clean ? 1.0 : least + range / (1.0 + exp(-step - middle));
}

static int choose(iv_threshold *out, scored_job *j, iv_arena *memory, double confidence,
                  const iv_work *work, iv_err *err)
{
    double outside = 0.0;

    take_weights(&j->all, memory, &j->o);
    j->outside = iv_take(memory, j->resamples, sizeof(double));
    j->there = iv_take(memory, j->resamples, sizeof(double));
    IV_TRY(iv_taken(memory, err));
    weigh(&j->all, j, NULL, false);
    out->apparent = goal_at(j, &j->all, IV_BEST, &j->best);
    IV_TRY(iv_parallel(&(iv_loop){ j->resamples, choose_once, j, weights_new }, work, err));
    out->at = j->items->scores[j->o.item[j->o.end[j->best] - 1]];
    for (size_t k = 0; k < j->resamples; k++)
        outside += j->outside[k] / (double)j->resamples;
    /* A resample has .632 of the items: the rest are harder than new ones are. */
    out->optimism = (1.0 - exp(-1.0)) * (out->apparent - outside);
    out->value = out->apparent - out->optimism;
    around(out, j, confidence);
    return IV_OK;
}

int iv_threshold_choose(iv_threshold *out, const iv_scored_items *items, iv_threshold_goal goal,
                        double confidence, size_t resamples, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_choice(goal, iv_threshold_goal_names(), "what a threshold is for", err));
    scored_job j = { .items = items, .goal = goal, .seed = iv_work_seed(work),
                     .resamples = resamples == 0 ? RESAMPLES : resamples };
    iv_arena memory = { 0 };
    int rc = iv_score_order_make(&j.o, &memory, items, confidence, err);

    if (rc == IV_OK)
        rc = choose(out, &j, &memory, confidence == 0.0 ? 0.95 : confidence, work, err);
    iv_arena_free(&memory);
    return rc;
}

/* -------------------------------------------------------------------- curves -- */

/* Both curves at the points x = 0, .01, ..., 1: between thresholds the ROC curve is
 * straight; the precision is that of the first threshold whose recall is x or more. */
static void curves_of(double *roc, double *precision, const scored_job *j, const weights *w)
{
    const double P = (double)j->o.positives, N = (double)j->o.negatives;
    double tp = 0.0, fp = 0.0;
    size_t x = 0, r = 0;

    for (size_t g = 0; g < j->o.groups; g++) {
        const double tp0 = tp, fp0 = fp;
        tp += w->hits[g];
        fp += w->misses[g];
        for (; x < IV_CURVE_POINTS && (fp / N > 0.01 * (double)x || g + 1 == j->o.groups); x++) {
            const double part = fp > fp0 ? (0.01 * (double)x * N - fp0) / (fp - fp0) : 1.0;
            roc[x] = (tp0 + fmin(fmax(part, 0.0), 1.0) * (tp - tp0)) / P;
        }
        for (; r < IV_CURVE_POINTS && tp > 0.0 && tp / P >= 0.01 * (double)r - 1e-12; r++)
            precision[r] = tp / (tp + fp);
    }
    roc[IV_CURVE_POINTS - 1] = 1.0;
}

/* Each class is resampled apart: both are there each time. */
static int draw_once(void *user, void *memory, size_t k, iv_err *err)
{
    scored_job *j = user;
    weights *w = memory;
    iv_stream s = iv_stream_start(j->seed, DRAWING, k);
    size_t at[2] = { 0, j->o.positives };

    (void)err;
    iv_draw_resample(&s, w->counts, j->o.positives);
    iv_draw_resample(&s, w->counts + j->o.positives, j->o.negatives);
    for (size_t g = 0, from = 0; g < j->o.groups; from = j->o.end[g++]) {
        w->hits[g] = w->misses[g] = 0.0;
        for (size_t i = from; i < j->o.end[g]; i++) {
            if (j->items->positive[j->o.item[i]])
                w->hits[g] += w->counts[at[0]++];
            else
                w->misses[g] += w->counts[at[1]++];
        }
    }
    curves_of(j->roc + k * IV_CURVE_POINTS, j->precision + k * IV_CURVE_POINTS, j, w);
    return IV_OK;
}

/*
 * Resamples of few items are all alike, and their bands have no room: a band ends no nearer than
 * the limits of a share, hits of hits and misses; `more` hits for the upper one.  Of positive
 * items found that is Clopper and Pearson's (1).  Of items taken until so many are positive, the
 * negative binomial's (0).
 */
static void make_room(iv_curve_point *p, double hits, double misses, double more, double confidence)
{
    const double tail = 0.5 * (1.0 - confidence);

    if (hits > 1e-9)
        p->lower = fmin(p->lower, iv_beta_quantile(tail, hits, misses + 1.0));
    if (misses > 1e-9)
        p->upper = fmax(p->upper, iv_beta_isf(tail, hits + more, misses));
}

static int draw(iv_curve_point *roc, iv_curve_point *precision, scored_job *j, iv_arena *memory,
                double confidence, const iv_work *work, iv_err *err)
{
    const size_t B = j->resamples, each = IV_CURVE_POINTS;
    double seen[2][IV_CURVE_POINTS] = { { 0.0 } };
    double *column = iv_take(memory, B, sizeof *column);

    take_weights(&j->all, memory, &j->o);
    j->roc = iv_take(memory, B * each, sizeof(double));
    j->precision = iv_take(memory, B * each, sizeof(double));
    IV_TRY(iv_taken(memory, err));
    weigh(&j->all, j, NULL, false);
    curves_of(seen[0], seen[1], j, &j->all);
    IV_TRY(iv_parallel(&(iv_loop){ B, draw_once, j, weights_new }, work, err));
    for (int curve = 0; curve < 2; curve++) {
        const double *from = curve == 0 ? j->roc : j->precision;
        for (size_t x = 0; x < each; x++) {
            for (size_t k = 0; k < B; k++)
                column[k] = from[k * each + x];
            (curve == 0 ? roc : precision)[x] = (iv_curve_point){
                0.01 * (double)x, seen[curve][x],
                iv_quantile(column, B, 0.5 * (1.0 - confidence)),
                iv_quantile(column, B, 0.5 * (1.0 + confidence)) };
        }
    }
    for (size_t x = 0; x < each; x++) {
        const double P = (double)j->o.positives, tp = fmax(1.0, ceil(0.01 * (double)x * P - 1e-9));
        make_room(&roc[x], P * roc[x].y, P * (1.0 - roc[x].y), 1.0, confidence);
        make_room(&precision[x], tp, tp / precision[x].y - tp, 0.0, confidence);
    }
    return IV_OK;
}

int iv_scored_curves(iv_curve_point *roc, iv_curve_point *precision,
                     const iv_scored_items *items, double confidence, size_t resamples,
                     const iv_work *work, iv_err *err)
{
    scored_job j = { .items = items, .seed = iv_work_seed(work),
                     .resamples = resamples == 0 ? RESAMPLES : resamples };
    iv_arena memory = { 0 };
    int rc = iv_score_order_make(&j.o, &memory, items, confidence, err);

    if (rc == IV_OK)
        rc = draw(roc, precision, &j, &memory, confidence == 0.0 ? 0.95 : confidence, work, err);
    iv_arena_free(&memory);
    return rc;
}
