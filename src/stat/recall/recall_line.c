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

#include "stat/recall/recall_yield.h"

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
 * How much lower than 1/2 the mean of ceil(t) - t is when the slope is a simple
 * fraction and t therefore runs over multiples of 1/d only: 1/(2d).
 */
static double tie_shift(const line *l)
{
    for (double d = 1.0; d <= 1000.0; d += 1.0) {
        const double n = fabs(l->slope) * d, c = l->intercept * d;
        if (fabs(n - rint(n)) <= 1e-14 * n)
            return fabs(c - rint(c)) <= 1e-12 * fabs(c) ? 0.5 / d : 0.0;
    }
    return 0.0;
}

/* A walk over one outer cell, for the mass above the line on the inner side. */
typedef struct walk {
    const line *l;
    const iv_cells *outer, *inner;
    double slope, shift; /* the line, ties taken into account */
    bool whole;          /* both sides have atoms */
    size_t cell, hint;   /* the outer cell, and where the inner side was last */
} walk;

/*
 * From u to `to`, between edges of both sides: both are cubics there, and
 * three Gauss nodes are exact for their product.
 */
static double smooth_part(walk *w, double u, double to)
{
    static const double node[3] = { 0.11270166537925831, 0.5, 0.88729833462074169 };
    static const double weight[3] = { 5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0 };
    double sum = 0.0;

    for (int k = 0; k < 3; k++) {
        const double at = u + (to - u) * node[k];
        sum += weight[k] * iv_cells_density(w->outer, w->cell, at)
               * iv_cells_above(w->inner, w->slope * at + w->shift, &w->hint);
    }
    return (to - u) * sum;
}

/* From u to `to`, where the line lies between two neighbouring inner atoms. */
static double between_atoms(walk *w, double u, double to)
{
    const double at = w->slope * 0.5 * (u + to) + w->shift;
    const double mass = iv_cells_above_in(w->outer, w->cell, u)
                        - iv_cells_above_in(w->outer, w->cell, to);

    return mass * iv_cells_above(w->inner, floor(at) + 0.5, &w->hint);
}

/* The outer atom between u and u + 1, by itself. */
static double one_atom(walk *w, double u)
{
    const double mass = iv_cells_above_in(w->outer, w->cell, u)
                        - iv_cells_above_in(w->outer, w->cell, u + 1.0);

    return mass * iv_cells_above(w->inner, boundary(w->l, u + 0.5) - 0.5, &w->hint);
}

/* The integral of P(outer) P(inner above the line) over one wide outer cell. */
static double cell_integral(walk *w)
{
    const double to = w->outer->edge[w->cell + 1], steep = fabs(w->slope);
    const bool up = w->slope > 0.0;
    double sum = 0.0, u = w->outer->edge[w->cell];

    while (u < to) {
        const double v = w->slope * u + w->shift;
        const double width = iv_cells_width(w->inner, v, up, &w->hint);
        const bool atoms = w->whole && width == 1.0;
        double edge = iv_cells_next_edge(w->inner, v, up, &w->hint);
        if (atoms && steep <= 1.0)
            edge = up ? floor(v) + 1.0 : ceil(v) - 1.0;
        double next = fmin((edge - w->shift) / w->slope, to);
        if (w->whole && steep > 1.0) {
            /* From half-integer to half-integer. */
            next = width < 4.0 * steep ? u : u + floor(next - u);
            if (next < u + 1.0) {
                sum += one_atom(w, u);
                u += 1.0;
                continue;
            }
        }
        if (!(next > u))
            next = fmin(u + 1e-9 * fmax(1.0, fabs(u)), to);
        sum += atoms ? between_atoms(w, u, next) : smooth_part(w, u, next);
        u = next;
    }
    return sum;
}

/* Sum over the outer cells: atoms one by one, the others as smooth. */
static double sum_smooth(const line *l)
{
    const iv_cells *o = &l->outer->cells, *in = &l->inner->cells;
    const bool whole = l->inner->curves[0].discrete;
    const double tie = whole ? tie_shift(l) : 0.0;
    walk w = { l, o, in, l->slope,
               l->intercept + (l->upward != l->event->strict ? -tie : tie), whole, 0, 0 };
    double sum = o->above[o->edges - 1]
               * iv_yield_above(l->inner, l->slope * o->edge[o->edges - 1] + w.shift);

    for (; w.cell + 1 < o->edges; w.cell++) {
        const double mass = o->above[w.cell] - o->above[w.cell + 1];
        if (whole && o->edge[w.cell + 1] - o->edge[w.cell] == 1.0) {
            const double u = boundary(l, o->edge[w.cell] + 0.5) - 0.5;
            sum += mass * iv_cells_above(in, u, &w.hint);
        } else if (l->slope == 0.0) {
            sum += mass * iv_cells_above(in, w.shift, &w.hint);
        } else {
            sum += cell_integral(&w);
        }
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

/* Over the narrower side the other one is smooth. */
static bool retrieved_is_narrower(const iv_event *e, const iv_yield *r1, const iv_yield *r0)
{
    if (e->quantity == IV_RECALL_YIELD)
        return r1->sd <= r0->sd;
    return r1->sd / fmax(r1->mean, 1e-300) <= r0->sd / fmax(r0->mean, 1e-300);
}

enum { WINDOW = 512 };

static double sum_cells(const iv_event *e, const iv_yield *r1, const iv_yield *r0)
{
    const bool over_retrieved = retrieved_is_narrower(e, r1, r0);
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
    sum = sum_smooth(&l);
    return l.upward ? sum : 1.0 - sum;
}

/* The density times 1 + P(inner above the line): 1 keeps it from vanishing, so
 * that a relative tolerance means an absolute one. */
static double beta_integrand(const line *l, double angle)
{
    const iv_curve *o = &l->outer->beta, *in = &l->inner->beta;
    const double s = sin(angle), c = cos(angle), x = s * s;

    if (!(s > 0.0 && c > 0.0))
        return 0.0;
    /* Where the density does not vanish at an end, 1 - x must not round to 0. */
    const double density =
        o->a < 1.0 || o->b < 1.0
            ? 2.0 * exp((2.0 * o->a - 1.0) * log(s) + (2.0 * o->b - 1.0) * log(c)
                        - iv_log_beta(o->a, o->b))
            : exp(iv_beta_log_pdf(x, o->a, o->b)) * 2.0 * s * c;
    const double u = l->slope * (o->r + (double)o->m * x) + l->intercept;
    if (in->m == 0)
        return u <= in->r ? 2.0 * density : density;
    const double z = (u - in->r) / (double)in->m;
    const double above = z <= 0.0 ? 1.0 : z >= 1.0 ? 0.0 : iv_beta_sf(z, in->a, in->b);
    return density + density * above;
}

/* Between two angles, stretched so that a root at either end is smooth. */
typedef struct piece {
    const line *l;
    double from, to;
} piece;

static double stretched(double v, void *user)
{
    const piece *p = user;
    const double width = p->to - p->from;

    return beta_integrand(p->l, p->from + width * v * v * (3.0 - 2.0 * v))
           * 6.0 * v * (1.0 - v) * width;
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

enum { MOST_CUTS = 10 };

/* Where to split the integral: the ends, the bulk, the kinks; increasing. */
static size_t cuts_of(double cut[MOST_CUTS], const line *l)
{
    const iv_curve *o = &l->outer->beta, *in = &l->inner->beta;
    const double low = o->a < 1.0 ? 0.0 : asin(sqrt(iv_beta_quantile(1e-17, o->a, o->b)));
    const double high = asin(o->b < 1.0 ? 1.0 : sqrt(iv_beta_isf(1e-17, o->a, o->b)));
    double extra[MOST_CUTS] = { asin(sqrt(o->a / (o->a + o->b))) };
    size_t extras = 1, cuts = 1;

    extras += kink(&extra[extras], l, in->r, low, high);
    if (in->m > 0) { /* where its mass is, which may be a narrow place */
        const double m = (double)in->m, middle = in->a / (in->a + in->b);
        const double at[4] = { 1.0, iv_beta_quantile(1e-13, in->a, in->b), middle,
                               iv_beta_isf(1e-13, in->a, in->b) };
        for (int i = 0; i < 4; i++)
            extras += kink(&extra[extras], l, in->r + m * at[i], low, high);
    }
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
    const line l = line_over(e, r1, r0, retrieved_is_narrower(e, r1, r0));
    double cut[MOST_CUTS], sum = 0.0;

    if (l.outer->beta.m == 0 && l.inner->beta.m == 0)
        return happens(&l, l.outer->beta.r, l.inner->beta.r) ? 1.0 : 0.0;
    if (l.outer->beta.m == 0) {
        sum = iv_yield_above(l.inner, l.slope * l.outer->beta.r + l.intercept);
        return l.upward ? sum : 1.0 - sum;
    }
    const size_t cuts = cuts_of(cut, &l);
    for (size_t i = 0; i + 1 < cuts; i++) {
        iv_integral part;
        const double mass = beta_mass(&l.outer->beta, cut[i], cut[i + 1]);
        if (!(mass > 1e-14))
            continue;
        piece p = { &l, cut[i], cut[i + 1] };
        /* Less when the line itself is known to fewer digits. */
        if (iv_integrate(&part, stretched, &p, 0.0, 1.0, 1e-11, NULL) < 0
            && iv_integrate(&part, stretched, &p, 0.0, 1.0, 1e-8, NULL) < 0)
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
