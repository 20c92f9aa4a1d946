/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expected recall intervals of a design, its best split, and the least size.
 *
 * Ref: Webber (2013), section 4.3, figures 14 and 15.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checking.h"
#include "base/parallel.h"
#include "intervale/plan/recall_size.h"
#include "stat/recall/recall_outcomes.h"

static int check_goal(iv_recall_goal goal, iv_err *err)
{
    static const char *const goals[] = { "width", "lower limit", "assurance", NULL };

    return iv_check_choice(goal, goals, "the goal", err);
}

static int check_plan(const iv_recall_plan *p, iv_err *err)
{
    IV_TRY(iv_check_given(p, "a plan", err));
    IV_TRY(iv_check_list(p->guesses, p->guess_count, "guess", err));
    const double N1 = (double)p->retrieved, N0 = (double)(p->population - p->retrieved);

    if (p->retrieved < 1 || p->population <= p->retrieved || p->population > IV_STRATUM_MAX)
        return iv_fail(err, IV_EARG, "%lld retrieved of %lld documents, expected at least 1 and "
                       "fewer than all", (long long)p->retrieved, (long long)p->population);
    if (p->wanted_lower < 0.0 || p->wanted_lower > 1.0)
        return iv_fail(err, IV_EARG, "a lower limit of %g is wanted, expected 0 to 1",
                       p->wanted_lower);
    if (p->guess_count < 1 || p->guess_count > IV_PLAN_GUESSES)
        return iv_fail(err, IV_EARG, "%zu guesses, expected 1 to %d", p->guess_count,
                       IV_PLAN_GUESSES);
    for (size_t i = 0; i < p->guess_count; i++) {
        const iv_recall_guess *g = &p->guesses[i];
        if (!(g->recall > 0.0 && g->recall <= 1.0 && g->precision > 0.0
              && g->precision <= 1.0))
            return iv_fail(err, IV_EARG, "recall %g and precision %g, expected above 0, at most "
                           "1", g->recall, g->precision);
        if (rint(g->precision * N1) < 1.0)
            return iv_fail(err, IV_EARG, "precision %g of %lld retrieved documents leaves none "
                           "relevant", g->precision, (long long)p->retrieved);
        if (g->precision * N1 * (1.0 / g->recall - 1.0) > N0)
            return iv_fail(err, IV_EARG, "recall %g at precision %g would need %.0f relevant "
                           "documents among %.0f not retrieved", g->recall, g->precision,
                           g->precision * N1 * (1.0 / g->recall - 1.0), N0);
    }
    return IV_OK;
}

/* Samples of one segment: some yields, with those between them shared out. */
typedef struct grouped {
    int64_t r[IV_PLAN_OUTCOMES];
    double mass[IV_PLAN_OUTCOMES];
    size_t count;
    iv_pmf pmf; /* of all yields */
} grouped;

/*
 * At most IV_PLAN_OUTCOMES yields, evenly apart on the scale of square roots
 * (where their spread does not depend on the mean); those between two of them
 * share their probability by distance, which is exact for whatever is linear.
 */
static int group_samples(grouped *out, int64_t N, int64_t R, int64_t n, iv_err *err)
{
    const int rc = iv_pmf_hyper(&out->pmf, N, R, n, 1e-5, err);
    const iv_pmf pmf = out->pmf;
    double sum = 0.0;

    if (rc < 0)
        return rc;
    const double low = sqrt((double)pmf.offset);
    const double high = sqrt((double)pmf.offset + (double)pmf.count - 1.0);
    for (int i = 0; i < IV_PLAN_OUTCOMES; i++) {
        const double root = low + (high - low) * i / (IV_PLAN_OUTCOMES - 1.0);
        const int64_t r = pmf.count <= IV_PLAN_OUTCOMES ? pmf.offset + i
                                                        : (int64_t)rint(root * root);
        if (r < pmf.offset + (int64_t)pmf.count && (i == 0 || r > out->r[out->count - 1]))
            out->r[out->count++] = r;
    }
    size_t at = 0;
    for (size_t i = 0; i < pmf.count; i++) {
        const int64_t r = pmf.offset + (int64_t)i;
        while (at + 2 < out->count && r > out->r[at + 1])
            at++;
        const double u = out->count == 1 ? 0.0
                         : (double)(r - out->r[at]) / (double)(out->r[at + 1] - out->r[at]);
        out->mass[at] += (1.0 - u) * pmf.p[i];
        if (out->count > 1)
            out->mass[at + 1] += u * pmf.p[i];
        sum += pmf.p[i];
    }
    for (size_t i = 0; i < out->count; i++)
        out->mass[i] /= sum;
    for (size_t i = 0; i < pmf.count; i++)
        pmf.p[i] /= sum;
    return IV_OK;
}

/*
 * The largest yield of the unretrieved sample at which the lower limit, linear
 * between those known, is still at least `wanted`; -1: none.
 */
static double last_reaching(const grouped *zero, const double *lower, double wanted)
{
    size_t k = 0;

    if (lower[0] < wanted)
        return -1.0;
    while (k + 1 < zero->count && lower[k + 1] >= wanted)
        k++;
    if (k + 1 == zero->count)
        return (double)zero->r[k];
    return floor((double)zero->r[k] + (lower[k] - wanted) / (lower[k] - lower[k + 1])
                 * (double)(zero->r[k + 1] - zero->r[k]) + 1e-9);
}

/* The last yield that reaches `wanted` for each of the retrieved sample, by
 * interpolation. */
static void guess_last(double *last, const grouped *one, const grouped *zero,
                       const iv_recall_interval *limits, double wanted)
{
    size_t row = 0;

    for (size_t i = 0; i < one->pmf.count; i++) {
        const int64_t r = one->pmf.offset + (int64_t)i;
        double lower[IV_PLAN_OUTCOMES] = { 0.0 };
        while (row + 2 < one->count && r > one->r[row + 1])
            row++;
        const size_t next = one->count == 1 ? row : row + 1;
        const double u = next == row ? 0.0 : (double)(r - one->r[row])
                                                 / (double)(one->r[next] - one->r[row]);
        for (size_t k = 0; k < zero->count; k++)
            lower[k] = (1.0 - u) * limits[row * zero->count + k].lower
                       + u * limits[next * zero->count + k].lower;
        last[i] = last_reaching(zero, lower, wanted);
    }
}

/* P(lower limit >= wanted), over all samples, from the last yields that reach it. */
static double assurance(const grouped *one, const grouped *zero, const double *last)
{
    double p = 0.0;

    for (size_t i = 0; i < one->pmf.count; i++) {
        double mass = 0.0;
        for (size_t k = 0; k < zero->pmf.count; k++) {
            if ((double)zero->pmf.offset + (double)k > last[i])
                break;
            mass += zero->pmf.p[k];
        }
        p += one->pmf.p[i] * mass;
    }
    return fmin(p, 1.0);
}

/* A yield of the retrieved sample, and where its last one is looked for. */
typedef struct sought {
    double reaches, misses, at, step; /* yields of the other sample */
} sought;

/*
 * Makes guesses right: the limits at the guessed yields and next to them, again where
 * they do not yet enclose the last one that reaches what is wanted.
 */
static int find_last(double *last, const iv_recall_plan *p, const grouped *one,
                     const grouped *zero, int64_t n1, int64_t n0, iv_outcome_work *w,
                     const iv_work *work, iv_err *err)
{
    const size_t count = one->pmf.count;
    const double first = (double)zero->pmf.offset, end = first + (double)zero->pmf.count;
    sought *all = malloc(count * sizeof *all);
    iv_outcome *outcomes = malloc(count * sizeof *outcomes);
    iv_recall_interval *limits = malloc(count * sizeof *limits);
    size_t *of = malloc(count * sizeof *of), open = 1;
    int rc = all == NULL || outcomes == NULL || limits == NULL || of == NULL
                 ? iv_fail(err, IV_ENOMEM, "no memory for %zu outcomes", count) : IV_OK;

    for (size_t i = 0; i < count && rc == IV_OK; i++)
        all[i] = (sought){ first - 1.0, end, last[i], 1.0 };
    while (rc == IV_OK && open > 0) {
        open = 0;
        for (size_t i = 0; i < count; i++) {
            sought *s = &all[i];
            s->at = fmin(fmax(s->at, s->reaches + 1.0), s->misses - 1.0);
            if (s->misses - s->reaches <= 1.0)
                continue;
            of[open] = i;
            outcomes[open++] = (iv_outcome){ n1, one->pmf.offset + (int64_t)i, n0,
                                             (int64_t)s->at, 1 };
        }
        if (open > 0)
            rc = iv_outcome_intervals(limits, outcomes, open, p->retrieved,
                                      p->population - p->retrieved, &p->how, w, work, err);
        for (size_t k = 0; k < open && rc == IV_OK; k++) {
            sought *s = &all[of[k]];
            const bool reached = limits[k].lower >= p->wanted_lower;
            *(reached ? &s->reaches : &s->misses) = s->at;
            s->at += reached ? s->step : -s->step;
            s->step *= 2.0;
        }
    }
    for (size_t i = 0; i < count && rc == IV_OK; i++)
        last[i] = all[i].reaches;
    free(all);
    free(outcomes);
    free(limits);
    free(of);
    return rc;
}

/* P(lower limit >= wanted); `rough`: by interpolation alone, good to .02. */
static int find_assurance(double *out, const iv_recall_plan *p, const grouped *one,
                          const grouped *zero, const iv_recall_interval *limits, int64_t n1,
                          int64_t n0, bool rough, iv_outcome_work *w, const iv_work *work,
                          iv_err *err)
{
    double *last = malloc(one->pmf.count * sizeof *last);
    int rc = last == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    if (rc == IV_OK) {
        guess_last(last, one, zero, limits, p->wanted_lower);
        rc = rough ? IV_OK : find_last(last, p, one, zero, n1, n0, w, work, err);
    }
    if (rc == IV_OK)
        *out = assurance(one, zero, last);
    free(last);
    return rc;
}

static int expect_one(iv_recall_expected *out, const iv_recall_plan *p, size_t guess, int64_t n1,
                      int64_t n0, bool rough, iv_outcome_work *w, const iv_work *work, iv_err *err)
{
    const int64_t N1 = p->retrieved, N0 = p->population - p->retrieved;
    const double yield = rint(p->guesses[guess].precision * (double)N1);
    const double rest = fmin((double)N0, rint(yield / p->guesses[guess].recall - yield));
    iv_outcome outcomes[IV_PLAN_OUTCOMES * IV_PLAN_OUTCOMES];
    iv_recall_interval limits[IV_PLAN_OUTCOMES * IV_PLAN_OUTCOMES];
    grouped one = { .count = 0 }, zero = { .count = 0 };
    int rc = group_samples(&one, N1, (int64_t)yield, n1, err);

    if (rc == IV_OK)
        rc = group_samples(&zero, N0, (int64_t)rest, n0, err);
    if (rc < 0)
        goto done;
    for (size_t i = 0; i < one.count * zero.count; i++)
        outcomes[i] = (iv_outcome){ n1, one.r[i / zero.count], n0, zero.r[i % zero.count], 1 };
    rc = iv_outcome_intervals(limits, outcomes, one.count * zero.count, N1, N0, &p->how, w, work,
                              err);
    if (rc < 0)
        goto done;
    *out = (iv_recall_expected){ .p_lower = NAN };
    for (size_t i = 0; i < one.count * zero.count; i++) {
        const double mass = one.mass[i / zero.count] * zero.mass[i % zero.count];
        out->lower += mass * limits[i].lower;
        out->upper += mass * limits[i].upper;
    }
    out->width = out->upper - out->lower;
    if (p->wanted_lower > 0.0)
        rc = find_assurance(&out->p_lower, p, &one, &zero, limits, n1, n0, rough, w, NULL, err);
done:
    iv_pmf_free(&one.pmf);
    iv_pmf_free(&zero.pmf);
    return rc;
}

/* rough: the probability of a wanted lower limit by interpolation. */
static int expect(iv_recall_expected *out, const iv_recall_plan *p, int64_t n1, int64_t n0,
                  bool rough, const iv_work *work, iv_err *err)
{
    iv_recall_expected all[IV_PLAN_GUESSES];
    iv_outcome_work w = { 0 };

    IV_TRY(check_plan(p, err));
    if (n1 < 1 || n0 < 1 || n1 > p->retrieved || n0 > p->population - p->retrieved)
        return iv_fail(err, IV_EARG, "%lld and %lld documents to judge, expected at least 1 of "
                       "each segment, and no more than there are", (long long)n1, (long long)n0);
    int rc = iv_outcome_work_init(&w, err);
    for (size_t i = 0; i < p->guess_count && rc == IV_OK; i++) {
        iv_stage stage;
        const double n = (double)p->guess_count;
        rc = expect_one(&all[i], p, i, n1, n0, rough, &w,
                        iv_work_part(&stage, work, (double)i / n, (double)(i + 1) / n), err);
    }
    if (rc == IV_OK)
        memcpy(out, all, p->guess_count * sizeof *out);
    iv_outcome_work_free(&w);
    return rc;
}

int iv_recall_expect(iv_recall_expected *out, const iv_recall_plan *p, int64_t n1, int64_t n0,
                     const iv_work *work, iv_err *err)
{
    return expect(out, p, n1, n0, false, work, err);
}

/* ------------------------------------------------------------- the split -- */

/* The goal's value over all guesses, and as something to make small. */
static double value_of(const iv_recall_expected *e, size_t count, iv_recall_goal goal)
{
    double worst = goal == IV_GOAL_WIDTH ? 0.0 : 1.0;

    for (size_t i = 0; i < count; i++) {
        if (goal == IV_GOAL_WIDTH)
            worst = fmax(worst, e[i].width);
        else
            worst = fmin(worst, goal == IV_GOAL_LOWER ? e[i].lower : e[i].p_lower);
    }
    return worst;
}

typedef struct splitting {
    const iv_recall_plan *p;
    int64_t n, least, most; /* of n1 */
    iv_recall_goal goal;
    const iv_work *work;
    int tries;
    int rc;
    iv_err err;
} splitting;

enum { USUAL_TRIES = 20 }; /* of a split */

/* What to expect at n1; all tries but the last few fill the progress evenly. */
static int try_split(iv_recall_expected *out, splitting *s, int64_t n1, bool rough)
{
    const double from = fmin(s->tries, USUAL_TRIES - 1), to = fmin(from + 1.0, USUAL_TRIES);
    iv_stage stage;

    s->tries++;
    return expect(out, s->p, n1, s->n - n1, rough,
                  iv_work_part(&stage, s->work, from / USUAL_TRIES, to / USUAL_TRIES), &s->err);
}

static int64_t clamp_n1(const splitting *s, double n1)
{
    return (int64_t)fmin(fmax(rint(n1), (double)s->least), (double)s->most);
}

/* What to make small at n1. */
static double loss_at(splitting *s, int64_t n1)
{
    iv_recall_expected e[IV_PLAN_GUESSES];

    if (s->rc == IV_OK)
        s->rc = try_split(e, s, n1, true);
    if (s->rc < 0)
        return INFINITY;
    const double value = value_of(e, s->p->guess_count, s->goal);
    /* Equal probabilities are told apart by the limits themselves. */
    if (s->goal == IV_GOAL_ASSURANCE)
        return -value - 1e-3 * value_of(e, s->p->guess_count, IV_GOAL_LOWER);
    return s->goal == IV_GOAL_WIDTH ? value : -value;
}

/* A grid, then golden sections around its best point, to 1 % of n. */
static int64_t find_split(splitting *s)
{
    static const double grid[] = { 0.02, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75, 0.9 };
    const double golden = 0.3819660112501051;
    double best = INFINITY;
    size_t at = 0;

    for (size_t i = 0; i < 8; i++) {
        const double loss = loss_at(s, clamp_n1(s, grid[i] * (double)s->n));
        if (loss < best) {
            best = loss;
            at = i;
        }
    }
    double low = (double)s->n * (at == 0 ? 0.0 : grid[at - 1]);
    double high = (double)s->n * (at == 7 ? 1.0 : grid[at + 1]);
    double x = (double)s->n * grid[at];
    while (high - low > fmax(1.0, 0.01 * (double)s->n) && s->rc == IV_OK) {
        const bool left = x - low > high - x;
        const double y = left ? x - golden * (x - low) : x + golden * (high - x);
        const double loss = loss_at(s, clamp_n1(s, y));
        if (loss < best) {
            *(left ? &high : &low) = x;
            x = y;
            best = loss;
        } else {
            *(left ? &low : &high) = y;
        }
    }
    return clamp_n1(s, x);
}

int iv_recall_best_split(iv_recall_design *out, const iv_recall_plan *p, int64_t n,
                         iv_recall_goal goal, const iv_work *work, iv_err *err)
{
    IV_TRY(check_goal(goal, err));
    splitting s = { .p = p, .n = n, .goal = goal, .work = work };
    iv_recall_expected e[IV_PLAN_GUESSES];
    int rc = check_plan(p, err);

    if (rc < 0)
        return rc;
    if (n < 2 || n > p->population)
        return iv_fail(err, IV_EARG, "%lld documents to judge of %lld, expected at least 2",
                       (long long)n, (long long)p->population);
    if (goal == IV_GOAL_ASSURANCE && p->wanted_lower == 0.0)
        return iv_fail(err, IV_EARG, "an assurance needs a wanted lower limit");
    const int64_t N0 = p->population - p->retrieved;
    s.least = n - N0 > 1 ? n - N0 : 1;
    s.most = n - 1 < p->retrieved ? n - 1 : p->retrieved;
    const int64_t n1 = find_split(&s);
    if (s.rc == IV_OK)
        s.rc = try_split(e, &s, n1, false);
    if (s.rc < 0)
        return iv_fail_as(err, &s.err);
    *out = (iv_recall_design){ n1, n - n1, value_of(e, p->guess_count, goal) };
    return IV_OK;
}

/* -------------------------------------------------------------- the size -- */

static bool reached(double value, iv_recall_goal goal, double wanted)
{
    return goal == IV_GOAL_WIDTH ? value <= wanted : value >= wanted;
}

/* A search for a size: how far it is, for the progress alone. */
typedef struct sizing {
    const iv_recall_plan *p;
    iv_recall_goal goal;
    const iv_work *work;
    double done;
} sizing;

static int try_size(iv_recall_design *out, sizing *s, int64_t n, iv_err *err)
{
    const double to = fmin(s->done + 0.05, 1.0);
    iv_stage stage;
    const int rc = iv_recall_best_split(out, s->p, n < 2 ? 2 : n, s->goal,
                                        iv_work_part(&stage, s->work, s->done, to), err);

    s->done = to;
    return rc;
}

int iv_recall_least_size(iv_recall_design *out, const iv_recall_plan *p, iv_recall_goal goal,
                         double wanted, const iv_work *work, iv_err *err)
{
    IV_TRY(check_goal(goal, err));
    iv_recall_design best = { 0, 0, 0.0 }, d;
    sizing s = { p, goal, work, 0.0 };
    int64_t low = 1, high = 50 < p->population ? 50 : p->population;
    int rc = IV_OK;

    if (isnan(wanted))
        return iv_fail(err, IV_EARG, "no width or limit is wanted");
    for (;; high = high < p->population / 2 ? 2 * high : p->population) {
        rc = try_size(&d, &s, high, err);
        if (rc < 0)
            return rc;
        if (reached(d.value, goal, wanted))
            break;
        if (high == p->population)
            return iv_fail(err, IV_ENODATA, "judging all %lld documents gives %g, not the wanted "
                           "%g", (long long)p->population, d.value, wanted);
        low = high;
    }
    best = d;
    while (high - low > 1 && (double)(high - low) > 0.01 * (double)high) {
        const int64_t middle = low + (high - low) / 2;
        rc = try_size(&d, &s, middle, err);
        if (rc < 0)
            return rc;
        if (reached(d.value, goal, wanted)) {
            high = middle;
            best = d;
        } else {
            low = middle;
        }
    }
    *out = best;
    return IV_OK;
}
