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
 */
#include <math.h>

#include "stat/recall_yield.h"

/* The event as a line over the outer yield. */
typedef struct line {
    const iv_event *event;
    const iv_yield *outer, *inner;
    bool outer_retrieved;
    bool upward; /* the event is inner >= line, else inner <= line */
    double slope, intercept;
} line;

double iv_event_value(const iv_event *e, double R1, double R0)
{
    switch (e->quantity) {
    case IV_RECALL_F:
        return (1.0 + e->beta2) * R1 / (e->beta2 * (R1 + R0) + e->N1);
    case IV_RECALL_YIELD:
        return R1 + R0;
    default:
        return R1 + R0 > 0.0 ? R1 / (R1 + R0) : 0.0;
    }
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

/* The outer atoms, from <= i < to, for which the line meets the inner ones. */
typedef struct window {
    size_t from, to;
} window;

static size_t clamp_index(double i, size_t count)
{
    return !(i > 0.0) ? 0 : i >= (double)count ? count : (size_t)i;
}

static window window_of(const line *l)
{
    const size_t count = l->outer->atoms.count;
    const double at_low = (l->inner->low - 1.0 - l->intercept) / l->slope - l->outer->low;
    const double at_high = (l->inner->high + 1.0 - l->intercept) / l->slope - l->outer->low;

    if (l->slope == 0.0)
        return (window){ 0, count };
    return (window){ clamp_index(floor(fmin(at_low, at_high)) - 1.0, count),
                     clamp_index(ceil(fmax(at_low, at_high)) + 2.0, count) };
}

/* The line over the side of which fewer atoms matter. */
static line shorter_line(window *w, const iv_event *e, const iv_yield *retrieved,
                         const iv_yield *unretrieved)
{
    const line one = line_over(e, retrieved, unretrieved, true);
    const line other = line_over(e, retrieved, unretrieved, false);
    const window w1 = window_of(&one), w0 = window_of(&other);
    const bool first = w1.to - w1.from <= w0.to - w0.from;

    *w = first ? w1 : w0;
    return first ? one : other;
}

/* Sum of P(outer) P(inner >= boundary) over atoms. */
static double sum_atoms(const line *l, window w)
{
    const iv_yield *outer = l->outer, *inner = l->inner;
    const double *p = outer->atoms.p, *above = inner->above;
    const double low = inner->low, span = (double)inner->atoms.count;
    const double t_most = fmax(fabs(low), fabs(inner->high)) + fabs(l->intercept) + 1.0;
    const double unsure = 1e-13 * t_most, sure = 1.0 - unsure;
    double sum[2] = { 0.0, 0.0 };

    for (size_t i = w.from; i < w.to; i++) {
        const double at = outer->low + (double)i;
        const double t = l->slope * at + l->intercept;
        const double down = floor(t), part = t - down;
        double k = down + 1.0 - low;
        if (part < unsure || part > sure)
            k = boundary(l, at) - low;
        k = k < 0.0 ? 0.0 : k > span ? span : k;
        sum[i & 1] += p[i] * above[(int64_t)k];
    }
    /* Beyond the window the line is below all of the inner side, or above it. */
    const double rest = l->slope >= 0.0 ? outer->above[0] - outer->above[w.from]
                                        : outer->above[w.to];
    return sum[0] + sum[1] + rest * above[0];
}

/*
 * How much lower than 1/2 the mean of ceil(t) - t is when x is a simple
 * fraction and t therefore runs over multiples of 1/d only: 1/(2d).
 */
static double tie_shift(const line *l)
{
    if (l->event->quantity == IV_RECALL_YIELD)
        return 0.5;
    if (l->event->quantity != IV_RECALL_RECALL)
        return 0.0;
    for (double d = 1.0; d <= 1000.0; d += 1.0) {
        const double n = l->event->x * d;
        if (fabs(n - rint(n)) <= 1e-15 * d) {
            const double multiple = l->outer_retrieved ? rint(n) : d - rint(n);
            return multiple > 0.0 ? 0.5 / multiple : 0.0;
        }
    }
    return 0.0;
}

/* Sum over the outer nodes, the inner one being smooth between its atoms. */
static double sum_nodes(const line *l)
{
    const iv_cells *o = &l->outer->cells, *in = &l->inner->cells;
    const bool whole = l->inner->curves[0].discrete;
    const double tie = whole ? tie_shift(l) : 0.0;
    const double shift = (l->upward != l->event->strict ? -tie : tie);
    double sum = 0.0;
    size_t hint = 0;

    for (size_t i = 0; i < o->nodes; i++) {
        double u;
        if (whole && o->width[i] == 1.0)
            u = boundary(l, o->at[i]) - 0.5;
        else
            u = l->slope * o->at[i] + l->intercept + shift;
        sum += o->weight[i] * iv_cells_above(in, u, &hint);
    }
    return sum;
}

/*
 * The same when the line runs over few atoms of the inner side only: those are
 * summed one by one, against the outer side.  back is the line the other way
 * round, so its outer is l's inner.
 */
static double sum_window(const line *back, double from, double to)
{
    const iv_cells *o = &back->outer->cells, *in = &back->inner->cells;
    size_t ho = 0, hi = 0;
    double sum = 0.0, above = iv_cells_above(o, from - 0.5, &ho);
    const bool outside = back->slope >= 0.0; /* far out the line is high */

    /* Below the window the line is under all of the inner side, or over it. */
    sum += outside ? 1.0 - above : 0.0;
    for (double k = from; k <= to; k += 1.0) {
        const double next = iv_cells_above(o, k + 0.5, &ho);
        const double u = boundary(back, k) - 0.5;
        sum += (above - next) * iv_cells_above(in, u, &hi);
        above = next;
    }
    return sum + (outside ? 0.0 : above);
}

enum { WINDOW = 4096 };

static double sum_cells(const iv_event *e, const iv_yield *r1, const iv_yield *r0)
{
    const double narrow1 = r1->sd / fmax(r1->mean, 1e-300);
    const double narrow0 = r0->sd / fmax(r0->mean, 1e-300);
    /* Over the narrower side the other one is smooth. */
    const bool over_retrieved = e->quantity == IV_RECALL_YIELD ? r1->sd <= r0->sd
                                                               : narrow1 <= narrow0;
    const line l = line_over(e, r1, r0, over_retrieved);
    const double a = l.slope * l.outer->low + l.intercept;
    const double b = l.slope * l.outer->high + l.intercept;
    const double from = fmax(l.inner->low, floor(fmin(a, b)) - 1.0);
    const double to = fmin(l.inner->high, ceil(fmax(a, b)) + 1.0);
    double sum;

    if (l.inner->curves[0].discrete && to - from < WINDOW) {
        const line back = line_over(e, r1, r0, !over_retrieved);
        sum = from > to ? (from > back.outer->high ? 1.0 : 0.0) : sum_window(&back, from, to);
        if (from > to && back.slope < 0.0)
            sum = 1.0 - sum;
        return back.upward ? sum : 1.0 - sum;
    }
    sum = sum_nodes(&l);
    return l.upward ? sum : 1.0 - sum;
}

/* The density times 1 + P(inner above the line): 1 keeps it from vanishing, so
 * that a relative tolerance means an absolute one. */
static double beta_integrand(double angle, void *user)
{
    const line *l = user;
    const iv_curve *o = &l->outer->beta, *in = &l->inner->beta;
    const double s = sin(angle), c = cos(angle), x = s * s;

    if (!(x > 0.0 && c > 0.0 && x < 1.0))
        return 0.0;
    const double density = exp(iv_beta_log_pdf(x, o->a, o->b)) * 2.0 * s * c;
    const double u = l->slope * (o->r + (double)o->m * x) + l->intercept;
    if (in->m == 0)
        return u <= in->r ? 2.0 * density : density;
    const double z = (u - in->r) / (double)in->m;
    const double above = z <= 0.0 ? 1.0 : z >= 1.0 ? 0.0 : iv_beta_sf(z, in->a, in->b);
    return density + density * above;
}

/* The outer mass between two angles. */
static double beta_mass(const iv_curve *o, double from, double to)
{
    const double x = sin(from) * sin(from), y = sin(to) * sin(to);

    return x * (o->a + o->b) < o->a
               ? iv_beta_cdf(y, o->a, o->b) - iv_beta_cdf(x, o->a, o->b)
               : iv_beta_sf(x, o->a, o->b) - iv_beta_sf(y, o->a, o->b);
}

/* The angle at which the line passes an inner value, inside (low, high). */
static bool kink(double *angle, const line *l, double inner, double low, double high)
{
    const double outer = (inner - l->intercept) / l->slope;
    const double x = (outer - l->outer->beta.r) / (double)l->outer->beta.m;

    if (!(x > 0.0 && x < 1.0))
        return false;
    *angle = asin(sqrt(x));
    return *angle > low && *angle < high;
}

/* Where to split the integral: the ends, the bulk, the kinks; increasing. */
static size_t cuts_of(double cut[6], const line *l)
{
    const iv_curve *o = &l->outer->beta, *in = &l->inner->beta;
    const double low = o->a < 1.0 ? 0.0 : asin(sqrt(iv_beta_quantile(1e-17, o->a, o->b)));
    const double high = asin(o->b < 1.0 ? 1.0 : sqrt(iv_beta_isf(1e-17, o->a, o->b)));
    double extra[3] = { asin(sqrt(o->a / (o->a + o->b))), 0.0, 0.0 };
    size_t extras = 1, cuts = 1;

    extras += kink(&extra[extras], l, in->r, low, high);
    extras += in->m > 0 && kink(&extra[extras], l, in->r + (double)in->m, low, high);
    cut[0] = low;
    for (size_t i = 0; i < extras; i++) {
        size_t at = cuts++;
        for (; at > 1 && cut[at - 1] > extra[i]; at--)
            cut[at] = cut[at - 1];
        cut[at] = extra[i];
    }
    cut[cuts++] = high;
    return cuts;
}

/* Over the angle of the outer share, pi = sin^2: there the density is smooth. */
static double sum_beta(const iv_event *e, const iv_yield *r1, const iv_yield *r0)
{
    line l = line_over(e, r1, r0, r1->beta.m > 0);
    double cut[6], sum = 0.0;

    if (l.outer->beta.m == 0) /* both are known */
        return happens(&l, l.outer->beta.r, l.inner->beta.r) ? 1.0 : 0.0;
    const size_t cuts = cuts_of(cut, &l);
    for (size_t i = 0; i + 1 < cuts; i++) {
        iv_integral part;
        const double mass = beta_mass(&l.outer->beta, cut[i], cut[i + 1]);
        if (!(mass > 1e-14))
            continue;
        if (iv_integrate(&part, beta_integrand, &l, cut[i], cut[i + 1], 1e-11, NULL) < 0)
            return NAN;
        sum += part.value - mass;
    }
    sum = fmin(1.0, fmax(0.0, sum));
    return l.upward ? sum : 1.0 - sum;
}

double iv_event_probability(const iv_event *e, const iv_yield *retrieved,
                            const iv_yield *unretrieved)
{
    if (retrieved->form == IV_YIELD_BETA)
        return sum_beta(e, retrieved, unretrieved);
    if (retrieved->form == IV_YIELD_CELLS)
        return sum_cells(e, retrieved, unretrieved);
    window w;
    const line l = shorter_line(&w, e, retrieved, unretrieved);
    const double sum = sum_atoms(&l, w);
    return l.upward ? sum : l.outer->above[0] - sum;
}

double iv_event_count(const iv_event *from, const iv_event *to, const iv_yield *retrieved,
                      const iv_yield *unretrieved)
{
    window w;
    const line b = shorter_line(&w, to, retrieved, unretrieved);
    const line a = line_over(from, retrieved, unretrieved, b.outer_retrieved);
    const double middle = b.outer->low + 0.5 * (double)(w.from + w.to);
    const double gap = fabs((a.slope - b.slope) * middle + (a.intercept - b.intercept));

    return (double)(w.to - w.from) * fmin(gap, (double)a.inner->atoms.count);
}

bool iv_event_between(iv_attainable *out, size_t *count, size_t room, const iv_event *from,
                      const iv_event *to, const iv_yield *retrieved,
                      const iv_yield *unretrieved)
{
    window wa, w;
    const line b = shorter_line(&w, to, retrieved, unretrieved);
    const line a = line_over(from, retrieved, unretrieved, b.outer_retrieved);
    const iv_yield *inner = a.inner;
    size_t n = 0;

    wa = window_of(&a);
    w.from = wa.from < w.from ? wa.from : w.from;
    w.to = wa.to > w.to ? wa.to : w.to;
    for (size_t i = w.from; i < w.to; i++) {
        const double outer = a.outer->low + (double)i;
        const double ka = boundary(&a, outer), kb = boundary(&b, outer);
        const double low = fmax(inner->low, a.upward ? kb : ka);
        const double high = fmin(inner->high + 1.0, a.upward ? ka : kb);
        for (double k = low; k < high; k += 1.0) {
            if (n == room)
                return false;
            out[n].value = b.outer_retrieved ? iv_event_value(to, outer, k)
                                             : iv_event_value(to, k, outer);
            out[n++].mass = a.outer->atoms.p[i]
                            * inner->atoms.p[(size_t)(k - inner->low)];
        }
    }
    *count = n;
    return true;
}
