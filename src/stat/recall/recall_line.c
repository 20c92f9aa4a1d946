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
#include <math.h>

#include "stat/recall/recall_yield.h"
#include "num/num_private.h"

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
static double iv_event_value(const iv_event *e, double R1, double R0)
{
    return iv_recall_value(e->quantity, e->beta2, e->N1, NAN, R1, R0);
}

static bool happens(const line *l, double outer, double inner)
{
    const double value = l->outer_retrieved ? iv_event_value(l->event, outer, inner)
                                            : iv_event_value(l->event, inner, outer);

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
            most = fmax(most, l.outer_retrieved ? iv_event_value(e, at, inner)
                                                : iv_event_value(e, inner, at));
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

double iv_yield_zero(const iv_yield *y)
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
                   ? (iv_yield_zero(&p->side[1]) - p->both_zero) / some
                   : iv_yield_zero(&p->side[1]);
    } else if (x > 1.0 || (x == 1.0 && !strict)) {
        *out = 1.0;
    } else if (x == 1.0 && quantity == IV_RECALL_RECALL) {
        *out = (1.0 - iv_yield_zero(&p->side[0])) / some;
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
        return iv_event_value(&known, p->side[1].low, p->side[0].low);
    }
    if (quantity != IV_RECALL_YIELD) {
        if (iv_recall_cdf(p, quantity, beta, 0.0) >= q - slack)
            return 0.0;
        if (iv_recall_below(p, quantity, beta, 1.0) < q - slack)
            return 1.0;
    }
    return search(p, quantity, beta, q);
}
