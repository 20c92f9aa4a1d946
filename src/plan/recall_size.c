/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The best split of a recall sample, and the least size.
 *
 * Ref: Webber (2013), section 4.3, figures 14 and 15.
 */
#include <math.h>

#include "base/checking.h"
#include "base/parallel.h"
#include "intervale/num.h"
#include "plan/recall_expected.h"

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
        s->rc = iv_recall_expect_to(e, &s->rough, n1, s->n - n1, IV_ROUGH,
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

/* The method whose split is looked for: a posterior, for limits that take long. */
static iv_recall_plan quick_plan(const iv_recall_plan *p)
{
    iv_recall_plan quick = *p;

    if (quick.how.method == IV_RECALL_EXACT)
        quick.how.method = IV_RECALL_AUTO;
    return quick;
}

static int check_goal(iv_recall_goal goal, iv_err *err)
{
    static const char *const goals[] = { "width", "lower limit", "assurance", NULL };

    return iv_check_choice(goal, goals, "the goal", err);
}

int iv_recall_best_split(iv_recall_design *out, const iv_recall_plan *p, int64_t n,
                         iv_recall_goal goal, const iv_work *work, iv_err *err)
{
    iv_stage looking, telling;
    splitting s = { .n = n, .goal = goal, .work = iv_work_part(&looking, work, 0.0, 0.7) };
    iv_recall_expected e[IV_PLAN_GUESSES];

    IV_TRY(check_goal(goal, err));
    IV_TRY(iv_recall_plan_check(p, err));
    if (n < 2 || n > p->population)
        return iv_fail(err, IV_EARG, "%lld documents to judge of %lld, expected at least 2",
                       (long long)n, (long long)p->population);
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
    IV_TRY(iv_recall_expect_to(e, p, n1, n - n1, goal == IV_GOAL_ASSURANCE ? IV_WHOLE : IV_LIMITS,
                               iv_work_part(&telling, work, 0.7, 1.0), err));
    *out = (iv_recall_design){ n1, n - n1, value_of(e, p->guess_count, goal) };
    return IV_OK;
}

/* -------------------------------------------------------------- the size -- */

static bool reached(double value, iv_recall_goal goal, double wanted)
{
    return goal == IV_GOAL_WIDTH ? value <= wanted : value >= wanted;
}

/* A search for a size.  Of values that fall about with the root of n the logarithm is
 * near a line over log n. */
typedef struct sizing {
    const iv_recall_plan *p;
    iv_recall_goal goal;
    double wanted;
    const iv_work *work;
    double done; /* for the progress alone */
    int64_t low, high; /* low misses it, high reaches it */
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
    } else if (n == s->p->population) {
        return iv_fail(err, IV_ENODATA, "judging all %lld documents gives %g, not the wanted %g",
                       (long long)n, d.value, s->wanted);
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
    const bool enclosed = s->low > s->base + 1 && s->high < s->p->population;
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
    sizing s = { .p = p, .goal = goal, .wanted = wanted, .work = work,
                 .low = p->all_read ? base : 1, .high = p->population, .base = base };

    IV_TRY(check_goal(goal, err));
    if (isnan(wanted))
        return iv_fail(err, IV_EARG, "no width or limit is wanted");
    IV_TRY(try_size(&best, &s, p->population < base + 200 ? p->population : base + 200, err));
    while (s.high - s.low > 1 && (double)(s.high - s.low) > 0.01 * (double)(s.high - base))
        IV_TRY(try_size(&best, &s, next_size(&s), err));
    if (best.n1 == 0) /* all of them were not asked for yet */
        IV_TRY(try_size(&best, &s, p->population, err));
    *out = best;
    return IV_OK;
}
