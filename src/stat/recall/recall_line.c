/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The probability that two independent yields lie on one side of a line.
 *
 *     recall <= x   R0 >= R1 (1-x)/x                      R1 <= R0 x/(1-x)
 *     F <= x        R0 >= (R1 (1+b2-x b2) - x N1)/(x b2)  R1 <= x (b2 R0 + N1)/(1+b2-x b2)
 *     yield <= x    R0 <= x - R1                          R1 <= x - R0
 *
 * One side, the outer, is summed over; of the other, the inner, only the mass
 * above a point is needed.  Atoms on the line itself are told by evaluating
 * the quantity there, correctly rounded, never by rounding the line.
 *
 * Quantiles are found on the scales logit(x) and probit(P), on which the distribution function
 * is nearly a straight line.
 */
#include "base/err.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "num/dist.h"
#include "num/logit.h"
#include "num/pmf.h"
#include "stat/recall/recall_limits.h"
#include "stat/recall/recall_methods.h"
#include "stat/recall/recall_outcomes.h"
#include "stat/recall/recall_yield.h"

#include <math.h>
#include <stdlib.h>

/* The event as a line over the outer yield. */
typedef struct line {
    const iv_event *event;
    const iv_yield *outer, *inner;
    bool outer_retrieved;
    bool upward; /* the event is inner >= line, else inner <= line */
    double slope, intercept;
    size_t from, to; /* of the outer cells: of exact sides those for which it meets the inner */
} line;

/* The quantity at a pair of yields. */
static double event_value(const iv_event *e, double R1, double R0)
{
    return iv_recall_value(e->quantity, e->beta2, e->N1, NAN, R1, R0);
}

static bool happens(const line *l, double outer, double inner)
{
    const double value = l->outer_retrieved ? event_value(l->event, outer, inner)
                                            : event_value(l->event, inner, outer);

    return l->event->strict ? value < l->event->x : value <= l->event->x;
}

static line line_over(const iv_event *e, const iv_yield *retrieved,
                      const iv_yield *unretrieved, bool outer_retrieved)
{
    line l = { .event = e, .outer_retrieved = outer_retrieved,
               .outer = outer_retrieved ? retrieved : unretrieved,
               .inner = outer_retrieved ? unretrieved : retrieved };
    const double x = e->x, b2 = e->beta2, top = 1.0 + b2 - x * b2;

    if (e->quantity == IV_RECALL_YIELD) {
        l.slope = -1.0;
        l.intercept = x;
    } else if (e->quantity == IV_RECALL_F) {
        l.upward = outer_retrieved;
        l.slope = outer_retrieved ? top / (x * b2) : x * b2 / top;
        l.intercept = outer_retrieved ? -e->N1 / b2 : x * e->N1 / top;
    } else {
        l.upward = outer_retrieved;
        l.slope = outer_retrieved ? (1.0 - x) / x : x / (1.0 - x);
    }
    return l;
}

/*
 * The first whole inner value k such that the event is inner >= k (upward), or
 * inner < k, for the outer value.
 */
static inline double boundary(const line *l, double outer)
{
    const double t = l->slope * outer + l->intercept;
    const double below = floor(t), part = t - below;
    const double unsure = 1e-14 * fabs(t) + 1e-13 * fabs(l->intercept) + 1e-300;

    if (part > unsure && part < 1.0 - unsure)
        return below + 1.0;
    const double nearest = rint(t);
    if (fabs(nearest) > 4.5e15)
        return nearest;
    return happens(l, outer, nearest) == l->upward ? nearest : nearest + 1.0;
}

static size_t clamp_index(double i, size_t count)
{
    return !(i > 0.0) ? 0 : i >= (double)count ? count : (size_t)i;
}

static void set_window(line *l)
{
    const size_t count = l->outer->cells;
    const double at_low = (l->inner->low - 1.0 - l->intercept) / l->slope - l->outer->low;
    const double at_high = (l->inner->high + 1.0 - l->intercept) / l->slope - l->outer->low;

    l->to = count;
    if (!(l->outer->exact && l->inner->exact) || l->slope == 0.0)
        return;
    l->from = clamp_index(floor(fmin(at_low, at_high)) - 1.0, count);
    l->to = clamp_index(ceil(fmax(at_low, at_high)) + 2.0, count);
}

/* Summed over the side of which fewer atoms matter, or over the narrower one: there the other
 * is smooth. */
static line best_line(const iv_event *e, const iv_yield *r1, const iv_yield *r0)
{
    const bool narrower = e->quantity == IV_RECALL_YIELD ? r1->sd <= r0->sd
        : r1->sd / fmax(r1->mean, 1e-300) <= r0->sd / fmax(r0->mean, 1e-300);
    line one = line_over(e, r1, r0, true), other = line_over(e, r1, r0, false);

    set_window(&one);
    set_window(&other);
    return (r1->exact && r0->exact ? one.to - one.from <= other.to - other.from : narrower)
        ? one : other;
}

double iv_event_probability(const iv_event *e, const iv_yield *retrieved,
                            const iv_yield *unretrieved)
{
    const line l = best_line(e, retrieved, unretrieved);
    const iv_yield *o = l.outer, *in = l.inner;
    const bool whole = o->curves[0].discrete;
    /* Beyond the window the line is below all of the inner side, or above it. */
    double sum = l.slope >= 0.0 ? o->above[0] - o->above[l.from] : o->above[l.to];
    size_t near = 0;

    for (size_t i = l.from; i < l.to; i++) {
        const double width = o->edge[i + 1] - o->edge[i], at = o->edge[i] + 0.5 * width;
        const double mass = o->above[i] - o->above[i + 1];
        /* Over a cell that passes many inner atoms the next one is half an atom off on average. */
        if (!whole || (width > 1.0 && fabs(l.slope) != 1.0 && width * fabs(l.slope) >= 1.0)) {
            sum += mass * iv_yield_above(in, l.slope * at + l.intercept, &near);
            continue;
        }
        const double k = boundary(&l, at);
        if (in->exact) /* its atoms begin at low */
            sum += mass * in->above[(size_t)fmin(fmax(k - in->low, 0.0), (double)in->cells)];
        else
            sum += mass * iv_yield_above(in, k - 0.5, &near);
    }
    return l.upward ? sum : o->above[0] - sum;
}

/* Of exact sides: the largest attainable value for which the event happens. */
static double largest_value(const iv_event *e, const iv_yield *retrieved,
                            const iv_yield *unretrieved)
{
    const line l = best_line(e, retrieved, unretrieved);
    double most = 0.0;

    for (double at = l.outer->low; at <= l.outer->high; at += 1.0) {
        const double k = boundary(&l, at);
        const double inner = l.upward ? fmax(k, l.inner->low) : fmin(k - 1.0, l.inner->high);
        if (inner >= l.inner->low && inner <= l.inner->high)
            most = fmax(most, l.outer_retrieved ? event_value(e, at, inner)
                                                : event_value(e, inner, at));
    }
    return most;
}

/* Sums of 1e5 atoms are good to about 1e-14; q itself may be attained. */
static const double slack = 1e-12;

/* ------------------------------------------------- one side by itself -- */

double iv_yield_at_least(const iv_yield *y, double k)
{
    size_t near = 0;

    return iv_yield_above(y, k - 0.5, &near);
}

static double yield_zero(const iv_yield *y)
{
    if (y->low > 0.0)
        return 0.0;
    if (!y->curves[0].discrete) /* continuous: only when it is known */
        return y->high == 0.0 ? 1.0 : 0.0;
    return y->above[0] - iv_yield_at_least(y, 1.0);
}

/* The least k with P(R <= k) >= q; whole unless continuous. */
static double yield_quantile(const iv_yield *y, double q)
{
    const bool discrete = y->curves[0].discrete;
    double low = y->low - 1.0, high = y->high;
    size_t near = 0;

    /* 200 halvings end every double; discrete ones end at 1. */
    for (int i = 0; i < 200 && high - low > (discrete ? 1.0 : 1e-13 * high); i++) {
        const double middle = discrete ? floor(0.5 * (low + high)) : 0.5 * (low + high);
        const double above = iv_yield_above(y, discrete ? middle + 0.5 : middle, &near);
        if (1.0 - above >= q - slack)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* ------------------------------------------------------ both together -- */

static double to_value(iv_recall_quantity quantity, double y)
{
    return quantity == IV_RECALL_YIELD ? y : iv_logistic(y);
}

static double probit(double p)
{
    return iv_norm_quantile(fmin(fmax(p, 1e-300), 1.0 - 1e-16));
}

/* A share k / size of one side: P(R <= size x), or P(R < size x). */
static double share_probability(const iv_yield *y, double x, bool strict)
{
    const double k = x * y->size, nearest = rint(k);
    const bool whole = fabs(k - nearest) <= 1e-9 * fmax(1.0, k);

    if (!y->curves[0].discrete)
        return 1.0 - iv_yield_at_least(y, k + 0.5);
    if (whole)
        return 1.0 - iv_yield_at_least(y, strict ? nearest : nearest + 1.0);
    return 1.0 - iv_yield_at_least(y, floor(k) + 1.0);
}

/* Recall and F where the line would be upright: x at 0 or 1 and beyond. */
static bool at_the_ends(double *out, const iv_recall_posterior *p,
                        iv_recall_quantity quantity, double x, bool strict)
{
    const double some = 1.0 - p->both_zero;

    if (x < 0.0 || (x == 0.0 && strict)) {
        *out = 0.0;
    } else if (x == 0.0) {
        *out = quantity == IV_RECALL_RECALL
                   ? (yield_zero(&p->side[1]) - p->both_zero) / some
                   : yield_zero(&p->side[1]);
    } else if (x > 1.0 || (x == 1.0 && !strict)) {
        *out = 1.0;
    } else if (x == 1.0 && quantity == IV_RECALL_RECALL) {
        *out = (1.0 - yield_zero(&p->side[0])) / some;
    } else {
        return false;
    }
    return true;
}

static double probability(const iv_recall_posterior *p, iv_recall_quantity quantity,
                          double beta, double x, bool strict)
{
    const iv_event e = { quantity, strict, x, iv_beta2(beta), p->side[1].size };
    double out;

    if (!p->set || isnan(x))
        return NAN;
    if (quantity == IV_RECALL_PRECISION || quantity == IV_RECALL_ELUSION)
        return share_probability(&p->side[quantity == IV_RECALL_PRECISION], x, strict);
    if (quantity != IV_RECALL_YIELD && at_the_ends(&out, p, quantity, x, strict))
        return out;
    if (quantity == IV_RECALL_YIELD && p->side[0].curves[0].discrete) {
        /* Between whole numbers nothing happens. */
        const iv_event whole = { quantity, false, strict ? ceil(x) - 1.0 : floor(x),
                                 e.beta2, p->side[1].size };
        out = iv_event_probability(&whole, &p->side[1], &p->side[0]);
    } else {
        out = iv_event_probability(&e, &p->side[1], &p->side[0]);
    }
    if (quantity == IV_RECALL_RECALL)
        out = (out - p->both_zero) / (1.0 - p->both_zero);
    return isnan(out) ? out : fmin(1.0, fmax(0.0, out));
}

double iv_recall_cdf(const iv_recall_posterior *p, iv_recall_quantity quantity, double beta,
                     double x)
{
    return probability(p, quantity, beta, x, false);
}

double iv_recall_below(const iv_recall_posterior *p, iv_recall_quantity quantity, double beta,
                       double x)
{
    return probability(p, quantity, beta, x, true);
}

double iv_recall_at_least(const iv_recall_posterior *p, iv_recall_quantity quantity, double beta,
                          double x)
{
    return 1.0 - probability(p, quantity, beta, x, true);
}

/* Where the quantile should be, and how wide the distribution is there. */
static void guess(double *at, double *sd, const iv_recall_posterior *p,
                  iv_recall_quantity quantity, double beta, double q)
{
    const iv_yield *r1 = &p->side[1], *r0 = &p->side[0];
    const double z = iv_norm_quantile(q), b2 = iv_beta2(beta);

    if (quantity == IV_RECALL_YIELD) {
        *sd = fmax(sqrt(r1->sd * r1->sd + r0->sd * r0->sd), 0.5);
        *at = r1->mean + r0->mean + z * *sd;
        return;
    }
    const double m1 = fmax(r1->mean, 1e-3), m0 = fmax(r0->mean, 1e-3);
    const double c1 = fmin(r1->sd / m1, 2.0), c0 = fmin(r0->sd / m0, 2.0);
    *sd = fmax(sqrt(c1 * c1 + c0 * c0), 1e-9);
    *at = log(m1) - log(m0) + z * *sd;
    if (quantity == IV_RECALL_F) {
        const double f = (1.0 + b2) * m1 / (b2 * (m1 + m0) + r1->size);
        *at = log(f) - log1p(-fmin(f, 1.0 - 1e-9)) + z * *sd;
    }
}

/*
 * Step i of a search between two ends, where probit(P) - probit(q) is g: the guess, a little to its
 * other side, then where a straight line crosses 0, moved towards the middle by about the square of
 * the width, so that both ends close in.  Every fourth step halves.
 *
 * Ref: Oliveira and Takahashi (2020), ACM TOMS 47(1), 5 (ITP).
 */
static double next_step(const double end[2], const double g[2], int i, double at, double sd,
                        double tolerance)
{
    const double width = end[1] - end[0], middle = 0.5 * (end[0] + end[1]);

    if (i == 1)
        at = end[1] == at ? at - 0.3 * sd : at + 0.3 * sd;
    if (i > 1 && i % 4 != 3) {
        const double nudge = fmax(0.05 * width * (width / sd), 0.4 * tolerance);
        at = end[0] - g[0] * width / (g[1] - g[0]);
        at = at < middle ? fmin(at + nudge, middle) : fmax(at - nudge, middle);
    }
    return i % 4 != 3 && at > end[0] && at < end[1] ? at : middle;
}

/* The least value whose probability is q. */
static double search(const iv_recall_posterior *p, iv_recall_quantity quantity, double beta,
                     double q)
{
    const bool yield = quantity == IV_RECALL_YIELD;
    const bool exact = p->side[0].exact && p->side[1].exact;
    const bool whole = yield && p->side[0].curves[0].discrete;
    double end[2] = { yield ? p->side[0].low + p->side[1].low - 1.0 : -37.0,
                      yield ? p->side[0].high + p->side[1].high : 37.0 };
    double off[2] = { -38.0, 9.0 };
    double at, sd;

    guess(&at, &sd, p, quantity, beta, q);
    for (int i = 0; i < 300; i++) {
        /* Two values of an exact posterior differ by more than 1e-12. */
        const double tolerance = whole ? 0.25
                                       : (exact ? 1e-12 : p->tolerance) * fmax(1.0, fabs(end[1]));
        if (end[1] - end[0] <= tolerance)
            break;
        const double y = next_step(end, off, i, at, sd, tolerance);
        const double P = iv_recall_cdf(p, quantity, beta, to_value(quantity, y));
        const double g = probit(P) - probit(q);
        if (isnan(P))
            return NAN;
        if (P >= q - slack) {
            end[1] = y;
            off[1] = fmax(g, 0.0);
        } else {
            end[0] = y;
            off[0] = fmin(g, -1e-300);
        }
    }
    if (yield)
        return whole ? floor(end[1]) : end[1];
    const iv_event e = { quantity, false, to_value(quantity, end[1]), iv_beta2(beta),
                         p->side[1].size };
    return exact ? largest_value(&e, &p->side[1], &p->side[0]) : e.x;
}

double iv_recall_quantile(const iv_recall_posterior *p, iv_recall_quantity quantity, double beta,
                          double q)
{
    if (!p->set || !(q > 0.0 && q < 1.0)
        || (quantity == IV_RECALL_RECALL && p->both_zero >= 1.0))
        return NAN;
    if (quantity == IV_RECALL_PRECISION)
        return yield_quantile(&p->side[1], q) / p->side[1].size;
    if (quantity == IV_RECALL_ELUSION)
        return yield_quantile(&p->side[0], q) / p->side[0].size;
    if (p->side[0].low == p->side[0].high && p->side[1].low == p->side[1].high) {
        const iv_event known = { quantity, false, 0.0, iv_beta2(beta), p->side[1].size };
        return event_value(&known, p->side[1].low, p->side[0].low);
    }
    if (quantity != IV_RECALL_YIELD) {
        if (iv_recall_cdf(p, quantity, beta, 0.0) >= q - slack)
            return 0.0;
        if (iv_recall_below(p, quantity, beta, 1.0) < q - slack)
            return 1.0;
    }
    return search(p, quantity, beta, q);
}

/*
 * The joint posterior of the two yields, and what it says about recall,
 * precision, F, yield and elusion.
 *
 * Recall is 0/0 when both yields are 0.  That has mass only when no sampled
 * document is relevant, and everything said about recall is then given that a
 * document is.
 */

int iv_recall_posterior_new(iv_recall_posterior **out, iv_err *err)
{
    iv_recall_posterior *p = calloc(1, sizeof *p);

    if (p == NULL)
        return iv_fail(err, IV_ENOMEM, "no memory for a posterior");
    const int rc = iv_convolver_new(&p->convolver, err);
    if (rc < 0) {
        free(p);
        return rc;
    }
    *out = p;
    return IV_OK;
}

void iv_recall_posterior_free(iv_recall_posterior *p)
{
    if (p == NULL)
        return;
    for (int i = 0; i < 2; i++) {
        iv_yield_free(&p->side[i]);
        iv_yield_free(&p->floor[i]);
    }
    iv_convolver_free(p->convolver);
    free(p);
}

/* N / n of a stratum of which every sampled document is relevant, and some are not judged. */
static double full_weight(const iv_stratum *s)
{
    return s->relevant > 0 && s->relevant == s->sampled && s->sampled < s->size
               ? (double)s->size / (double)s->sampled : 0.0;
}

/*
 * What strata may hold at the least, thought of one by one: makes those without a find such that
 * hold nothing relevant, for certain, and gives those of which the whole sample is relevant the
 * segment's prior of documents that are not, `whole`, shared by them alone: with a small part of
 * it, three of three would say that all the others are relevant, too.  Does that change anything,
 * while some have finds?
 */
static bool recall_floor(iv_stratum *strata, double *b, size_t count, double whole)
{
    double full = 0.0;
    size_t open = 0, found = 0;

    for (size_t i = 0; i < count; i++)
        full += full_weight(&strata[i]);
    for (size_t i = 0; i < count; i++) {
        open += strata[i].relevant == 0 && strata[i].sampled < strata[i].size;
        found += strata[i].relevant > 0;
        if (strata[i].relevant == 0)
            strata[i].sampled = strata[i].size;
        if (full_weight(&strata[i]) > 0.0)
            b[i] = fmax(b[i], whole * full_weight(&strata[i]) / full);
    }
    return found > 0 && (open > 0 || (full > 0.0 && count > 1));
}

static int set_side(iv_recall_posterior *p, int side, const iv_stratum *given, size_t count,
                    const iv_recall_options *o, iv_arena *own, iv_err *err)
{
    const bool discrete = o->method != IV_RECALL_JEFFREYS;
    double *a = iv_take(own, count, sizeof *a), *b = iv_take(own, count, sizeof *b);
    iv_stratum *strata = iv_take(own, count, sizeof *strata);

    IV_TRY(iv_taken(own, err));
    iv_recall_pool(strata, given, count, o->method);
    IV_TRY(iv_recall_priors(a, b, strata, count, o, err));
    IV_TRY(iv_yield_curves(&p->side[side], strata, count, a, b, discrete, err));
    for (size_t i = 0; i < count; i++) {
        const double m = (double)(strata[i].size - strata[i].sampled);
        if (m > 0.0)
            p->prior_yield += m * a[i] / (a[i] + b[i] + (double)strata[i].sampled);
    }
    p->floored[side] = o->method == IV_RECALL_BETABIN_WEIGHTED
                       && recall_floor(strata, b, count, o->b);
    return p->floored[side]
        ? iv_yield_curves(&p->floor[side], strata, count, a, b, discrete, err) : IV_OK;
}

/* Exact if both sides together have few atoms. */
static int spread_out(iv_recall_posterior *p, iv_err *err)
{
    iv_fineness f = iv_fine;

    if (p->side[0].high - p->side[0].low + p->side[1].high - p->side[1].low >= IV_RECALL_ATOMS)
        f.atoms = f.points;
    for (int i = 0; i < 2; i++) {
        IV_TRY(iv_yield_spread(&p->side[i], p->convolver, &f, err));
        if (p->floored[i])
            IV_TRY(iv_yield_spread(&p->floor[i], p->convolver, &f, err));
    }
    return IV_OK;
}

/* What follows from the sides. */
static void put_together(iv_recall_posterior *p, double tolerance)
{
    p->mean_yield = p->side[0].mean + p->side[1].mean;
    p->both_zero = p->side[0].none && p->side[1].none
                       ? yield_zero(&p->side[0]) * yield_zero(&p->side[1])
                       : 0.0;
    p->tolerance = tolerance;
    p->set = true;
}

int iv_recall_posterior_set(iv_recall_posterior *p, const iv_segments *s,
                            const iv_recall_options *o, iv_err *err)
{
    iv_recall_options all;
    iv_arena own = { 0 };

    p->set = false;
    p->prior_yield = 0.0;
    IV_TRY(iv_segments_check(s, err));
    IV_TRY(iv_recall_fill(&all, o, err));
    if (!iv_recall_has_posterior(all.method))
        return iv_fail(err, IV_EARG, "%s has no posterior", iv_recall_method_names()[all.method]);
    int rc = set_side(p, 1, s->retrieved, s->retrieved_count, &all, &own, err);
    if (rc == IV_OK)
        rc = set_side(p, 0, s->unretrieved, s->unretrieved_count, &all, &own, err);
    iv_arena_free(&own);
    IV_TRY(rc);
    IV_TRY(spread_out(p, err));
    put_together(p, iv_fine.tolerance);
    return IV_OK;
}

double iv_recall_prior_share(const iv_recall_posterior *p)
{
    return !p->set ? NAN : p->mean_yield > 0.0 ? p->prior_yield / p->mean_yield : 0.0;
}

/* A quantile of recall with a side at its floor. */
static double floor_quantile(const iv_recall_posterior *p, int side, double q)
{
    iv_recall_posterior with = *p;

    with.side[side] = p->floor[side];
    return iv_recall_quantile(&with, IV_RECALL_RECALL, 1.0, q);
}

iv_limits iv_recall_limits(const iv_recall_posterior *p, iv_recall_quantity quantity,
                           double beta, double confidence, bool one_sided)
{
    const double tail = (1.0 - confidence) / (one_sided ? 1.0 : 2.0);
    const iv_yield *r1 = &p->side[1], *r0 = &p->side[0];
    const bool share = quantity == IV_RECALL_PRECISION || quantity == IV_RECALL_ELUSION;
    const iv_yield *own = quantity == IV_RECALL_ELUSION ? r0 : r1;
    bool zero, one;

    zero = quantity == IV_RECALL_YIELD ? r1->none && r0->none : own->none;
    one = quantity == IV_RECALL_RECALL  ? r0->none
          : quantity == IV_RECALL_F     ? r0->none && r1->all
          : quantity == IV_RECALL_YIELD ? r0->all && r1->all : share && own->all;
    const double most = quantity == IV_RECALL_YIELD ? r1->size + r0->size : 1.0;
    if (quantity == IV_RECALL_RECALL && p->both_zero >= 1.0)
        return (iv_limits){ NAN, NAN }; /* nothing is relevant, and that is known */
    if (quantity == IV_RECALL_RECALL && r1->none && r0->none
        && (yield_zero(r1) >= 1.0 || yield_zero(r0) >= 1.0)) { /* of a side judged in full */
        const double known = yield_zero(r0) >= 1.0 ? 1.0 : 0.0;
        return (iv_limits){ known, known };
    }
    double lower = zero ? 0.0 : iv_recall_quantile(p, quantity, beta, tail);
    double upper = one ? most : iv_recall_quantile(p, quantity, beta, 1.0 - tail);
    for (int i = 0; i < 2 && quantity == IV_RECALL_RECALL; i++) {
        const double end = p->floored[i] ? floor_quantile(p, i, i == 1 ? tail : 1.0 - tail) : NAN;
        if (i == 1 && end < lower)
            lower = end;
        if (i == 0 && end > upper)
            upper = end;
    }
    /* All but known, the two may differ by a rounding. */
    return (iv_limits){ lower, upper < lower ? lower : upper };
}

static bool all_judged(const iv_segments *s)
{
    return iv_strata_sampled(s->retrieved, s->retrieved_count)
               == iv_strata_size(s->retrieved, s->retrieved_count)
           && iv_strata_sampled(s->unretrieved, s->unretrieved_count)
                  == iv_strata_size(s->unretrieved, s->unretrieved_count);
}

int iv_recall_interval_of(iv_limits *out, const iv_segments *s,
                          const iv_recall_options *o, iv_recall_posterior *w, iv_err *err)
{
    iv_recall_options all;

    IV_TRY(iv_segments_check(s, err));
    IV_TRY(iv_recall_fill(&all, o, err));
    if (all_judged(s) && isnan(iv_recall_estimate(s)))
        return iv_fail(err, IV_ENODATA, "everything is judged and nothing is relevant: there is "
                       "no recall");
    if (all.method == IV_RECALL_KOOPMAN)
        return iv_recall_by_koopman(out, s, &all, err);
    if (all.method == IV_RECALL_EXACT)
        return iv_recall_guaranteed(out, s, IV_RECALL_RECALL, 1.0, all.confidence,
                                    all.one_sided, err);
    if (!iv_recall_has_posterior(all.method))
        return iv_recall_by_normal(out, s, &all, err);
    IV_TRY(iv_recall_posterior_set(w, s, &all, err));
    const iv_limits limits = iv_recall_limits(w, IV_RECALL_RECALL, 1.0, all.confidence,
                                              all.one_sided);
    if (isnan(limits.lower) || isnan(limits.upper))
        return all.confidence > 1.0 - 1e-14
            ? iv_fail(err, IV_EARG, "the confidence is too near to 1 for an interval of recall")
            : iv_fail(err, IV_ENUM, "the posterior of recall was not reached to its accuracy");
    *out = limits;
    return IV_OK;
}

/*
 * Many outcomes of one design share their sides: the posterior of a side
 * depends on its own (n, r) only, so each is tabulated once and a pair costs
 * no more than two quantile searches.
 */

static int compare(const void *a, const void *b)
{
    const iv_outcome *x = a, *y = b;

    if (x->n1 != y->n1)
        return x->n1 < y->n1 ? -1 : 1;
    if (x->r1 != y->r1)
        return x->r1 < y->r1 ? -1 : 1;
    if (x->n0 != y->n0)
        return x->n0 < y->n0 ? -1 : 1;
    return (x->r0 > y->r0) - (x->r0 < y->r0);
}

size_t iv_outcomes_merge(iv_outcome *outcomes, size_t count)
{
    size_t kept = 0;

    qsort(outcomes, count, sizeof *outcomes, compare);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && compare(&outcomes[kept - 1], &outcomes[i]) == 0)
            outcomes[kept - 1].times += outcomes[i].times;
        else
            outcomes[kept++] = outcomes[i];
    }
    return kept;
}

/* Outcomes and the tables they need, one an (n, r) of a side: what the threads share. */
typedef struct tabled {
    const iv_outcome *outcomes;
    int64_t N[2]; /* documents: unretrieved, retrieved; so below */
    const iv_recall_options *o;
    iv_limits *out;
    double recall; /* that lower limits are to reach */
    bool *reached;
    iv_yield *table[2];
    size_t tables[2];
    size_t *of[2]; /* the table of each outcome */
} tabled;

/* Finds the different (n, r) of a side and which outcome has which; and the curves of each. */
static int make_tables(tabled *t, int side, size_t count, iv_arena *own, iv_err *err)
{
    iv_outcome *keys = iv_take(own, count, sizeof *keys); /* as outcomes of one side */
    double a = 0.0, b = 0.0;

    t->table[side] = iv_take(own, count, sizeof *t->table[side]);
    t->of[side] = iv_take(own, count, sizeof *t->of[side]);
    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < count; i++) {
        const iv_outcome *x = &t->outcomes[i];
        keys[i] = (iv_outcome){ .n1 = side == 1 ? x->n1 : x->n0, .r1 = side == 1 ? x->r1 : x->r0,
                                .times = i };
    }
    qsort(keys, count, sizeof *keys, compare);
    for (size_t i = 0; i < count; i++) {
        const iv_stratum s = { t->N[side], keys[i].n1, keys[i].r1 };
        /* The conservative prior depends on n alone: n is sorted. */
        if (i == 0 || keys[i].n1 != keys[i - 1].n1)
            IV_TRY(iv_recall_priors(&a, &b, &s, 1, t->o, err));
        if (i == 0 || compare(&keys[i - 1], &keys[i]) != 0)
            IV_TRY(iv_yield_curves(&t->table[side][t->tables[side]++], &s, 1, &a, &b,
                                   t->o->method != IV_RECALL_JEFFREYS, err));
        t->of[side][keys[i].times] = t->tables[side] - 1;
    }
    return IV_OK;
}

static void posterior_end(void *p) { iv_recall_posterior_free(p); }

void *iv_recall_memory(iv_arena *own, void *user)
{
    iv_recall_posterior *p = NULL;

    (void)user;
    return iv_recall_posterior_new(&p, NULL) == IV_OK ? iv_own(own, p, posterior_end) : NULL;
}

static int fill_table(void *user, void *memory, size_t i, iv_err *err)
{
    const tabled *t = user;
    const size_t first = t->tables[0];

    (void)memory;
    return iv_yield_spread(i < first ? &t->table[0][i] : &t->table[1][i - first], NULL, &iv_coarse,
                           err);
}

static int pair_tables(void *user, void *memory, size_t i, iv_err *err)
{
    const tabled *t = user;
    const iv_outcome *x = &t->outcomes[i];
    iv_recall_posterior p = { .side = { t->table[0][t->of[0][i]], t->table[1][t->of[1][i]] } };

    (void)memory;
    put_together(&p, iv_coarse.tolerance);
    t->out[i] = iv_recall_limits(&p, IV_RECALL_RECALL, 1.0, t->o->confidence, t->o->one_sided);
    if (!isnan(t->out[i].lower) && !isnan(t->out[i].upper))
        return IV_OK;
    return iv_fail(err, IV_ENUM, "%s was not reached to its accuracy for %lld,%lld,%lld and "
                   "%lld,%lld,%lld", iv_recall_method_names()[t->o->method], (long long)t->N[1],
                   (long long)x->n1, (long long)x->r1, (long long)t->N[0], (long long)x->n0,
                   (long long)x->r0);
}

/* By itself: the interval, or whether its lower limit is high enough. */
static int by_itself(void *user, void *memory, size_t i, iv_err *err)
{
    const tabled *t = user;
    const iv_stratum one = { t->N[1], t->outcomes[i].n1, t->outcomes[i].r1 };
    const iv_stratum zero = { t->N[0], t->outcomes[i].n0, t->outcomes[i].r0 };
    const iv_segments s = { &one, &zero, 1, 1 };

    return t->reached == NULL ? iv_recall_interval_of(&t->out[i], &s, t->o, memory, err)
        : iv_recall_guarantees(&t->reached[i], &s, t->recall, t->o->confidence, t->o->one_sided,
                               err);
}

static int from_tables(tabled *t, size_t count, iv_arena *own, const iv_work *work, iv_err *err)
{
    iv_stage stage;

    for (int side = 0; side < 2; side++)
        IV_TRY(make_tables(t, side, count, own, err));
    IV_TRY(iv_parallel(&(iv_loop){ t->tables[0] + t->tables[1], fill_table, t, NULL },
                       iv_work_part(&stage, work, 0.0, 0.2), err));
    return iv_parallel(&(iv_loop){ count, pair_tables, t, NULL },
                       iv_work_part(&stage, work, 0.2, 1.0), err);
}

int iv_outcome_intervals(iv_limits *out, const iv_outcome *outcomes, size_t count,
                         int64_t N1, int64_t N0, const iv_recall_options *o,
                         const iv_work *work, iv_err *err)
{
    iv_recall_options all = { 0 };
    tabled t = { .outcomes = outcomes, .N = { N0, N1 }, .o = &all, .out = out };
    iv_arena own = { 0 };

    IV_TRY(iv_recall_fill(&all, o, err));
    if (!iv_recall_has_posterior(all.method))
        return iv_parallel(&(iv_loop){ count, by_itself, &t, NULL }, work, err);
    const int rc = from_tables(&t, count, &own, work, err);
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < t.tables[side]; i++)
            iv_yield_free(&t.table[side][i]);
    iv_arena_free(&own);
    return rc;
}

int iv_outcomes_reach(bool *out, double recall, const iv_outcome *outcomes, size_t count,
                      int64_t N1, int64_t N0, const iv_recall_options *o, const iv_work *work,
                      iv_err *err)
{
    iv_recall_options all = { 0 };
    tabled t = { .outcomes = outcomes, .N = { N0, N1 }, .o = &all, .recall = recall,
                 .reached = out };

    IV_TRY(iv_recall_fill(&all, o, err));
    if (all.method == IV_RECALL_EXACT)
        return iv_parallel(&(iv_loop){ count, by_itself, &t, NULL }, work, err);
    iv_limits *limits = malloc(count * sizeof *limits);
    if (limits == NULL)
        return iv_fail(err, IV_ENOMEM, "no memory for %zu outcomes", count);
    const int rc = iv_outcome_intervals(limits, outcomes, count, N1, N0, &all, work, err);
    for (size_t i = 0; i < count && rc == IV_OK; i++)
        out[i] = limits[i].lower >= recall;
    free(limits);
    return rc;
}
