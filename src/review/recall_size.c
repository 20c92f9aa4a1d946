/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expected recall intervals of a design, the best split of a sample, and the least size.
 *
 * Ref: Webber (2013), section 4.3, figures 14 and 15.
 */
#include "base/arguments.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "num/dist.h"
#include "num/pmf.h"
#include "review/recall_plan.h"
#include "stat/recall/recall_outcomes.h"

#include <math.h>
#include <string.h>

/*
 * ROUGH: few outcomes, enough to compare splits; LIMITS: limits as they are shown, the probability
 * of a wanted one by interpolation, good to 0.02; CHANCE: that probability, and limits by a quick
 * method; WHOLE: all as shown.
 */
typedef enum depth_of_plan { ROUGH, LIMITS, CHANCE, WHOLE } depth_of_plan;

/* The same by a method that is quick: a posterior, for limits that take long. */
static iv_recall_plan quick_plan(const iv_recall_plan *p)
{
    iv_recall_plan quick = *p;

    if (quick.how.method == IV_RECALL_EXACT)
        quick.how.method = IV_RECALL_AUTO;
    return quick;
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

/* Where a split is looked for, and of intervals that take milliseconds each. */
enum { FEW_OUTCOMES = 7 };

/* Samples of one segment: some yields, with those between them shared out. */
typedef struct grouped {
    int64_t r[IV_PLAN_OUTCOMES];
    double mass[IV_PLAN_OUTCOMES];
    size_t count;
    iv_pmf pmf; /* of all yields */
} grouped;

/*
 * At most so many yields, evenly apart on the scale of square roots
 * (where their spread does not depend on the mean); those between two of them
 * share their probability by distance, which is exact for whatever is linear.
 */
static int group_samples(grouped *out, int64_t N, int64_t R, int64_t n, size_t most,
                         iv_err *err)
{
    const int rc = iv_pmf_hyper(&out->pmf, N, R, n, 1e-5, err);
    const iv_pmf pmf = out->pmf;
    double sum = 0.0;

    if (rc < 0)
        return rc;
    const double low = sqrt((double)pmf.offset);
    const double high = sqrt((double)pmf.offset + (double)pmf.count - 1.0);
    for (size_t i = 0; i < most; i++) {
        const double root = low + (high - low) * (double)i / ((double)most - 1.0);
        const int64_t r = pmf.count <= most ? pmf.offset + (int64_t)i
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
                       const iv_limits *limits, double wanted)
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
                     const grouped *zero, int64_t n1, int64_t n0, iv_arena *own,
                     const iv_work *work, iv_err *err)
{
    const size_t count = one->pmf.count;
    const double first = (double)zero->pmf.offset, end = first + (double)zero->pmf.count;
    sought *all = iv_take(own, count, sizeof *all);
    iv_outcome *outcomes = iv_take(own, count, sizeof *outcomes);
    bool *reached = iv_take(own, count, sizeof *reached);
    size_t *of = iv_take(own, count, sizeof *of), open = 1;

    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < count; i++)
        all[i] = (sought){ first - 1.0, end, last[i], 1.0 };
    while (open > 0) {
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
            IV_TRY(iv_outcomes_reach(reached, p->wanted_lower, outcomes, open, p->retrieved,
                                     p->population - p->retrieved, &p->how, work, err));
        for (size_t k = 0; k < open; k++) {
            sought *s = &all[of[k]];
            *(reached[k] ? &s->reaches : &s->misses) = s->at;
            s->at += reached[k] ? s->step : -s->step;
            s->step *= 2.0;
        }
    }
    for (size_t i = 0; i < count; i++)
        last[i] = all[i].reaches;
    return IV_OK;
}

/* P(lower limit >= wanted); by interpolation alone, good to .02, if no more depth is asked for. */
static int find_assurance(double *out, const iv_recall_plan *p, const grouped *one,
                          const grouped *zero, const iv_limits *limits, int64_t n1,
                          int64_t n0, depth_of_plan depth, const iv_work *work,
                          iv_err *err)
{
    iv_arena own = { 0 };
    double *last = iv_take(&own, one->pmf.count, sizeof *last);
    int rc = iv_taken(&own, err);

    if (rc == IV_OK) {
        guess_last(last, one, zero, limits, p->wanted_lower);
        rc = depth < CHANCE ? IV_OK : find_last(last, p, one, zero, n1, n0, &own, work, err);
    }
    if (rc == IV_OK)
        *out = assurance(one, zero, last);
    iv_arena_free(&own);
    return rc;
}

static int expect_one(iv_recall_expected *out, const iv_recall_plan *p, size_t guess, int64_t n1,
                      int64_t n0, depth_of_plan depth, const iv_work *work, iv_err *err)
{
    const int64_t N1 = p->retrieved, N0 = p->population - p->retrieved;
    const iv_recall_options how = depth == CHANCE ? quick_plan(p).how : p->how;
    const size_t most = depth == ROUGH || how.method == IV_RECALL_EXACT ? FEW_OUTCOMES
        : IV_PLAN_OUTCOMES;
    const double yield = rint(p->guesses[guess].precision * (double)N1);
    const double rest = fmin((double)N0, rint(yield / p->guesses[guess].recall - yield));
    iv_outcome outcomes[IV_PLAN_OUTCOMES * IV_PLAN_OUTCOMES];
    iv_limits limits[IV_PLAN_OUTCOMES * IV_PLAN_OUTCOMES];
    grouped one = { .count = 0 }, zero = { .count = 0 };
    int rc = group_samples(&one, N1, (int64_t)yield, n1, most, err);

    if (rc == IV_OK)
        rc = group_samples(&zero, N0, (int64_t)rest, n0, most, err);
    if (rc < 0)
        goto done;
    for (size_t i = 0; i < one.count * zero.count; i++)
        outcomes[i] = (iv_outcome){ n1, one.r[i / zero.count], n0, zero.r[i % zero.count], 1 };
    rc = iv_outcome_intervals(limits, outcomes, one.count * zero.count, N1, N0, &how, work, err);
    if (rc < 0)
        goto done;
    *out = (iv_recall_expected){ .p_lower = NAN };
    for (size_t i = 0; i < one.count * zero.count; i++) {
        /* A standard error of 0 comes from an empty cell: it tells nothing. */
        if (limits[i].upper - limits[i].lower <= 0.0 && !(n1 == N1 && n0 == N0)
            && p->how.method >= IV_RECALL_NAIVE && p->how.method <= IV_RECALL_NORMAL_UNCORRECTED)
            limits[i] = (iv_limits){ 0.0, 1.0 };
        limits[i].lower = fmax(limits[i].lower, 0.0);
        limits[i].upper = fmin(limits[i].upper, 1.0);
        const double mass = one.mass[i / zero.count] * zero.mass[i % zero.count];
        out->lower += mass * limits[i].lower;
        out->upper += mass * limits[i].upper;
    }
    out->width = out->upper - out->lower;
    iv_stage last; /* nobody knows how often it looks: no progress, but it can be stopped */
    if (p->wanted_lower > 0.0)
        rc = find_assurance(&out->p_lower, p, &one, &zero, limits, n1, n0, depth,
                            iv_work_part(&last, work, 1.0, 1.0), err);
done:
    iv_pmf_free(&one.pmf);
    iv_pmf_free(&zero.pmf);
    return rc;
}

static int expect_to(iv_recall_expected *out, const iv_recall_plan *p, int64_t n1, int64_t n0,
                        depth_of_plan depth, const iv_work *work, iv_err *err)
{
    iv_recall_expected all[IV_PLAN_GUESSES];
    int rc = IV_OK;

    IV_TRY(check_plan(p, err));
    if (n1 < 1 || n0 < 1 || n1 > p->retrieved || n0 > p->population - p->retrieved)
        return iv_fail(err, IV_EARG, "%lld and %lld documents to judge, expected at least 1 of "
                       "each segment, and no more than there are", (long long)n1, (long long)n0);
    for (size_t i = 0; i < p->guess_count && rc == IV_OK; i++) {
        iv_stage stage;
        const double n = (double)p->guess_count;
        rc = expect_one(&all[i], p, i, n1, n0, depth,
                        iv_work_part(&stage, work, (double)i / n, (double)(i + 1) / n), err);
    }
    if (rc == IV_OK)
        memcpy(out, all, p->guess_count * sizeof *out);
    return rc;
}

int iv_recall_expect(iv_recall_expected *out, const iv_recall_plan *p, int64_t n1, int64_t n0,
                     const iv_work *work, iv_err *err)
{
    return expect_to(out, p, n1, n0, WHOLE, work, err);
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
    iv_recall_plan rough; /* as asked, by a method that is quick */
    int64_t n, least, most; /* of n1 */
    iv_recall_goal goal;
    const iv_work *work;
    int tries;
    int rc;
    iv_err err;
} splitting;

/* A split of the search: the share of n that goes to the retrieved, and what to make small. */
typedef struct tried {
    double share, loss;
} tried;

enum { USUAL_TRIES = 8, MOST_TRIES = 24 };

static int64_t clamp_n1(const splitting *s, double share)
{
    return (int64_t)fmin(fmax(rint(share * (double)s->n), (double)s->least), (double)s->most);
}

/* All tries but the last few fill the progress evenly. */
static tried try_split(splitting *s, double share)
{
    const double from = fmin(s->tries, USUAL_TRIES - 1), to = fmin(from + 1.0, USUAL_TRIES);
    const int64_t n1 = clamp_n1(s, share);
    const size_t count = s->rough.guess_count;
    iv_recall_expected e[IV_PLAN_GUESSES];
    iv_stage stage;

    s->tries++;
    if (s->rc == IV_OK)
        s->rc = expect_to(e, &s->rough, n1, s->n - n1, ROUGH,
                                    iv_work_part(&stage, s->work, from / USUAL_TRIES,
                                                 to / USUAL_TRIES), &s->err);
    if (s->rc < 0)
        return (tried){ share, INFINITY };
    const double value = value_of(e, count, s->goal);
    /* Equal probabilities are told apart by the limits themselves. */
    const double loss = s->goal == IV_GOAL_WIDTH ? value
        : s->goal == IV_GOAL_LOWER ? -value
        : -value - 1e-3 * value_of(e, count, IV_GOAL_LOWER);
    return (tried){ share, loss };
}

/*
 * By propagated error the variance of log R1 - log R0 is least at n1 : n0 as
 * sqrt((1 - p1) / p1) : sqrt((1 - p0) / p0): where to begin, the mean over guesses.
 */
static double usual_share(const splitting *s)
{
    const iv_recall_plan *p = &s->rough;
    const double N1 = (double)p->retrieved, N0 = (double)(p->population - p->retrieved);
    double sum = 0.0;

    for (size_t i = 0; i < p->guess_count; i++) {
        const iv_recall_guess *g = &p->guesses[i];
        const double p1 = fmin(g->precision, 1.0 - 0.5 / N1);
        const double rest = fmax(g->precision * N1 * (1.0 / g->recall - 1.0), 0.5);
        const double p0 = fmin(rest / N0, 1.0 - 0.5 / N0);
        sum += 0.5 * log((1.0 - p1) / p1 * p0 / (1.0 - p0));
    }
    const double odds = exp(sum / (double)p->guess_count);
    return fmin(fmax(odds / (1.0 + odds), 0.02), 0.9);
}

static double moved(double share, double factor)
{
    const double odds = factor * share / (1.0 - share);

    return odds / (1.0 + odds);
}

/* Three splits, the middle one best: from the usual one downhill, in longer steps. */
static void enclose(tried at[3], splitting *s)
{
    const double lowest = 0.5 / (double)s->n, highest = 1.0 - lowest;

    at[1] = try_split(s, usual_share(s));
    at[0] = try_split(s, moved(at[1].share, 1.0 / 1.5));
    at[2] = try_split(s, moved(at[1].share, 1.5));
    for (double factor = 2.0; s->tries < MOST_TRIES && s->rc == IV_OK; factor *= 1.5) {
        if (at[0].loss < at[1].loss && at[0].loss <= at[2].loss && at[0].share > lowest) {
            at[2] = at[1];
            at[1] = at[0];
            at[0] = try_split(s, fmax(lowest, moved(at[1].share, 1.0 / factor)));
        } else if (at[2].loss < at[1].loss && at[2].share < highest) {
            at[0] = at[1];
            at[1] = at[2];
            at[2] = try_split(s, fmin(highest, moved(at[1].share, factor)));
        } else {
            break;
        }
    }
}

/* The lowest point of the parabola through three splits; golden section where it is none. */
static double vertex(const tried at[3])
{
    const double a = at[1].share - at[0].share, b = at[2].share - at[1].share;
    const double down = (at[0].loss - at[1].loss) / a, up = (at[2].loss - at[1].loss) / b;
    const double y = at[1].share + 0.5 * (down * b - up * a) / (down + up);

    if (down + up > 0.0 && y > at[0].share && y < at[2].share)
        return y;
    return a > b ? at[1].share - 0.382 * a : at[1].share + 0.382 * b;
}

/* Parabolas until the best split moves by less than 1 % of n. */
static int64_t find_split(splitting *s)
{
    tried at[3];

    enclose(at, s);
    while (s->rc == IV_OK && s->tries < MOST_TRIES
           && at[2].share - at[0].share > 0.01 + 1.0 / (double)s->n) {
        const double y = vertex(at);
        if (clamp_n1(s, y) == clamp_n1(s, at[1].share) || fabs(y - at[1].share) < 0.01)
            break;
        const tried new = try_split(s, y);
        const bool left = y < at[1].share;
        if (new.loss < at[1].loss) {
            at[left ? 2 : 0] = at[1];
            at[1] = new;
        } else {
            at[left ? 0 : 2] = new;
        }
    }
    return clamp_n1(s, at[1].share);
}

int iv_recall_best_split(iv_recall_design *out, const iv_recall_plan *p, int64_t n,
                         iv_recall_goal goal, const iv_work *work, iv_err *err)
{
    iv_stage looking, telling;
    splitting s = { .n = n, .goal = goal, .work = iv_work_part(&looking, work, 0.0, 0.7) };
    iv_recall_expected e[IV_PLAN_GUESSES];

    IV_TRY(check_plan(p, err));
    if (n < 2 || n > p->population)
        return iv_fail(err, IV_EARG, "%lld documents to judge of %lld, expected at least 2 and "
                       "no more than there are", (long long)n, (long long)p->population);
    if (goal == IV_GOAL_ASSURANCE && p->wanted_lower == 0.0)
        return iv_fail(err, IV_EARG, "an assurance needs a wanted lower limit");
    const int64_t N0 = p->population - p->retrieved;
    if (p->all_read && n <= p->retrieved)
        return iv_fail(err, IV_EARG, "%lld documents to judge, expected more than the %lld "
                       "retrieved, which are all read", (long long)n, (long long)p->retrieved);
    s.rough = quick_plan(p);
    s.least = n - N0 > 1 ? n - N0 : 1;
    s.most = n - 1 < p->retrieved ? n - 1 : p->retrieved;
    const int64_t n1 = p->all_read ? p->retrieved : find_split(&s);
    if (s.rc < 0)
        return iv_fail_as(err, &s.err);
    IV_TRY(expect_to(e, p, n1, n - n1, goal == IV_GOAL_ASSURANCE ? CHANCE : LIMITS,
                               iv_work_part(&telling, work, 0.7, 1.0), err));
    *out = (iv_recall_design){ n1, n - n1, value_of(e, p->guess_count, goal) };
    return IV_OK;
}

/* -------------------------------------------------------------- the size -- */

static bool reached(double value, iv_recall_goal goal, double wanted)
{
    return goal == IV_GOAL_WIDTH ? value <= wanted : value >= wanted;
}

enum { MOST_GUARANTEED = 100000000 }; /* sampled: beyond it guaranteed limits take minutes */

/* A search for a size.  Of values that fall about with the root of n the logarithm is
 * near a line over log n. */
typedef struct sizing {
    const iv_recall_plan *p;
    iv_recall_goal goal;
    double wanted;
    const iv_work *work;
    double done; /* for the progress alone */
    int64_t low, high; /* low misses it, high reaches it */
    int64_t most;      /* that is looked at */
    int64_t base;      /* documents that are judged anyway: sizes count from there */
    double x[2], y[2]; /* the last two sizes, as logarithms, and their values on a line */
    int tries;
} sizing;

/* Less than 0 where more is reached than wanted; NaN: there is no line. */
static double on_line(const sizing *s, double value)
{
    double recall = 1.0;

    if (s->goal == IV_GOAL_WIDTH)
        return log(value / s->wanted);
    if (s->goal == IV_GOAL_ASSURANCE)
        return iv_norm_quantile(fmin(fmax(s->wanted, 1e-9), 1.0 - 1e-9))
            - iv_norm_quantile(fmin(fmax(value, 1e-9), 1.0 - 1e-9));
    for (size_t i = 0; i < s->p->guess_count; i++)
        recall = fmin(recall, s->p->guesses[i].recall);
    return log((recall - value) / (recall - s->wanted));
}

static int try_size(iv_recall_design *best, sizing *s, int64_t n, iv_err *err)
{
    const double to = fmin(s->done + 0.1, 1.0);
    iv_recall_design d;
    iv_stage stage;

    IV_TRY(iv_recall_best_split(&d, s->p, n, s->goal, iv_work_part(&stage, s->work, s->done, to),
                                err));
    s->done = to;
    s->tries++;
    s->x[0] = s->x[1];
    s->y[0] = s->y[1];
    s->x[1] = log((double)(n - s->base));
    s->y[1] = on_line(s, d.value);
    if (reached(d.value, s->goal, s->wanted)) {
        s->high = n;
        *best = d;
    } else if (n == s->most) {
        return iv_fail(err, IV_ENODATA, "judging %s%lld documents gives %g, not the wanted %g%s",
                       n == s->p->population ? "all " : "", (long long)n, d.value, s->wanted,
                       n == s->p->population ? ""
                       : "; plans with guaranteed limits look at no larger sample");
    } else {
        s->low = n;
    }
    return IV_OK;
}

/*
 * Where the line through the last two crosses 0, a little beyond it on the side that is
 * less known; the middle when that does not close in.
 */
static int64_t next_size(const sizing *s)
{
    const double slope = s->tries > 1 ? (s->y[1] - s->y[0]) / (s->x[1] - s->x[0]) : -0.5;
    const double low = log(fmax((double)(s->low - s->base), 1.0));
    const double high = log((double)(s->high - s->base));
    const bool enclosed = s->low > s->base + 1 && s->high < s->most;
    double x = s->x[1] - s->y[1] / fmin(slope, -0.05);

    if (enclosed && (s->tries > 10 || !isfinite(x)))
        x = 0.5 * (low + high);
    else if (!isfinite(x))
        x = s->x[1] + (s->y[1] < 0.0 || s->low < s->high / 2 ? 0.7 : -0.7);
    x = fmin(fmax(x, s->x[1] - 2.8), s->x[1] + 2.8);
    x += high - x > x - low ? 0.004 : -0.004;
    const double n = (double)s->base + rint(exp(fmin(fmax(x, low), high)));
    return (int64_t)fmin(fmax(n, (double)s->low + 1.0), (double)s->high - 1.0);
}

int iv_recall_least_size(iv_recall_design *out, const iv_recall_plan *p, iv_recall_goal goal,
                         double wanted, const iv_work *work, iv_err *err)
{
    iv_recall_design best = { 0, 0, 0.0 };
    const int64_t base = p->all_read ? p->retrieved : 0;
    const int64_t most = p->how.method != IV_RECALL_EXACT
        || p->population - base <= MOST_GUARANTEED ? p->population : base + MOST_GUARANTEED;
    sizing s = { .p = p, .goal = goal, .wanted = wanted, .work = work,
                 .low = p->all_read ? base : 1, .high = most, .most = most,
                 .base = base };

    if ((unsigned)goal > IV_GOAL_ASSURANCE)
        return iv_fail(err, IV_EARG, "there is no goal number %d", (int)goal);
    IV_TRY(check_plan(p, err));
    if (isnan(wanted))
        return iv_fail(err, IV_EARG, "no width or limit is wanted");
    const double lower = goal == IV_GOAL_LOWER ? wanted : p->wanted_lower;
    for (size_t i = 0; i < p->guess_count && goal != IV_GOAL_WIDTH; i++) {
        if (lower >= p->guesses[i].recall)
            return iv_fail(err, IV_ENODATA, "a recall of %g cannot be demonstrated if recall is "
                           "%g; expected a lower target, or a higher assumed recall", lower,
                           p->guesses[i].recall);
    }
    if (most < p->population) /* refused at once, not after a search */
        IV_TRY(try_size(&best, &s, most, err));
    IV_TRY(try_size(&best, &s, p->population < base + 200 ? p->population : base + 200, err));
    while (s.high - s.low > 1 && (double)(s.high - s.low) > 0.01 * (double)(s.high - base))
        IV_TRY(try_size(&best, &s, next_size(&s), err));
    if (best.n1 == 0) /* the largest was not asked for yet */
        IV_TRY(try_size(&best, &s, most, err));
    *out = best;
    return IV_OK;
}
