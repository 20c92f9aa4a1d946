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
#include "num/num_private.h"

/* The event as a line over the outer yield. */
typedef struct line {
    const iv_event *event;
    const iv_yield *outer, *inner;
    bool outer_retrieved;
    bool upward; /* the event is inner >= line, else inner <= line */
    double slope, intercept;
} line;

/* The quantity at a pair of yields. */
static double iv_event_value(const iv_event *e, double R1, double R0)
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

/* About how many there are. */
static double iv_event_count(const iv_event *from, const iv_event *to, const iv_yield *retrieved,
                             const iv_yield *unretrieved)
{
    window w;
    const line b = shorter_line(&w, to, retrieved, unretrieved);
    const line a = line_over(from, retrieved, unretrieved, b.outer_retrieved);
    const double middle = b.outer->low + 0.5 * (double)(w.from + w.to);
    const double gap = fabs((a.slope - b.slope) * middle + (a.intercept - b.intercept));

    return (double)(w.to - w.from) * fmin(gap, (double)a.inner->atoms.count);
}

/*
 * The attainable values in (from, to] with their masses, unsorted: at most
 * `room` of them, else false.  For atoms.
 */
static bool iv_event_between(iv_attainable *out, size_t *count, size_t room, const iv_event *from,
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

/*
 * Quantiles of recall and its companions.
 *
 * On the scales logit(x) and probit(P) the distribution function is nearly a
 * straight line, so a bracketing secant (interpolate, then step a little
 * towards the middle, so that both ends close in) needs few evaluations.  With
 * atoms it stops as soon as few attainable values are left between the ends;
 * those are sorted and their masses added up, which gives the very atom.
 *
 * Ref for the step: Oliveira and Takahashi (2020), ACM TOMS 47(1), 5 (ITP).
 */

/* Sums of 1e5 atoms are good to about 1e-14; q itself may be attained. */
static const double slack = 1e-12;

/* ------------------------------------------------- one side by itself -- */

double iv_yield_at_least(const iv_yield *y, double k)
{
    if (y->form == IV_YIELD_ATOMS) {
        const double i = k - y->low;
        return i <= 0.0 ? y->above[0]
               : i >= (double)y->atoms.count ? 0.0 : y->above[(size_t)i];
    }
    return iv_yield_above(y, k - 0.5);
}

double iv_yield_above(const iv_yield *y, double u)
{
    size_t hint = 0;

    if (y->form == IV_YIELD_CELLS)
        return iv_cells_above(&y->cells, u, &hint);
    if (y->form == IV_YIELD_ATOMS)
        return iv_yield_at_least(y, floor(u) + 1.0);
    if (y->beta.m == 0)
        return u < y->beta.r ? 1.0 : 0.0;
    const double x = (u - y->beta.r) / (double)y->beta.m;
    return x <= 0.0 ? 1.0 : x >= 1.0 ? 0.0 : iv_beta_sf(x, y->beta.a, y->beta.b);
}

double iv_yield_zero(const iv_yield *y)
{
    if (y->low > 0.0)
        return 0.0;
    if (y->form == IV_YIELD_ATOMS)
        return y->above[0] - iv_yield_at_least(y, 1.0);
    if (!y->curves[0].discrete) /* continuous: only when it is known */
        return y->high == 0.0 ? 1.0 : 0.0;
    return 1.0 - iv_yield_at_least(y, 1.0);
}

static double cells_quantile(const iv_yield *y, double q)
{
    const bool discrete = y->curves[0].discrete;
    double low = y->low - 1.0, high = y->high;

    /* 200 halvings end every double; discrete ones end at 1. */
    for (int i = 0; i < 200 && high - low > (discrete ? 1.0 : 1e-13 * high); i++) {
        const double middle = discrete ? floor(0.5 * (low + high)) : 0.5 * (low + high);
        const double above = iv_yield_above(y, discrete ? middle + 0.5 : middle);
        if (1.0 - above >= q - slack)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* The least k with P(R <= k) >= q; whole unless continuous. */
static double iv_yield_quantile(const iv_yield *y, double q)
{
    if (y->form == IV_YIELD_BETA)
        return y->beta.r + (y->beta.m == 0 ? 0.0 : (double)y->beta.m
               * iv_beta_quantile(q, y->beta.a, y->beta.b));
    return cells_quantile(y, q);
}

/* ------------------------------------------------------ both together -- */

typedef struct bracket {
    double low, high;       /* on the scale of the search */
    double g_low, g_high;   /* probit(P) - probit(q) there: < 0 and >= 0 */
    double p_low;           /* P at low */
    size_t calls;
} bracket;

/* What a search is for. */
typedef struct sought {
    const iv_recall_posterior *p;
    iv_recall_quantity quantity;
    double beta, q;
} sought;

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

    if (y->form == IV_YIELD_BETA || !y->curves[0].discrete)
        return 1.0 - iv_yield_above(y, k);
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
    if (quantity == IV_RECALL_YIELD && p->side[0].form != IV_YIELD_BETA
        && p->side[0].curves[0].discrete) {
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

/* Moves the end of the bracket on whose side y is; false: no accuracy. */
static bool look(bracket *b, const sought *s, double y)
{
    const double P = iv_recall_cdf(s->p, s->quantity, s->beta, to_value(s->quantity, y));
    const double g = probit(P) - probit(s->q);

    if (isnan(P))
        return false;
    b->calls++;
    if (P >= s->q - slack) {
        b->high = y;
        b->g_high = fmax(g, 0.0);
    } else {
        b->low = y;
        b->g_low = fmin(g, -1e-300);
        b->p_low = P;
    }
    return true;
}

/* Where the quantile should be, and how wide the distribution is there. */
static void guess(double *at, double *sd, const sought *s)
{
    const iv_yield *r1 = &s->p->side[1], *r0 = &s->p->side[0];
    const double z = iv_norm_quantile(s->q), b2 = iv_beta2(s->beta);

    if (s->quantity == IV_RECALL_YIELD) {
        *sd = fmax(sqrt(r1->sd * r1->sd + r0->sd * r0->sd), 0.5);
        *at = r1->mean + r0->mean + z * *sd;
        return;
    }
    const double m1 = fmax(r1->mean, 1e-3), m0 = fmax(r0->mean, 1e-3);
    const double c1 = fmin(r1->sd / m1, 2.0), c0 = fmin(r0->sd / m0, 2.0);
    *sd = fmax(sqrt(c1 * c1 + c0 * c0), 1e-9);
    *at = log(m1) - log(m0) + z * *sd;
    if (s->quantity == IV_RECALL_F) {
        const double f = (1.0 + b2) * m1 / (b2 * (m1 + m0) + r1->size);
        *at = log(f) - log1p(-fmin(f, 1.0 - 1e-9)) + z * *sd;
    }
}

/* Two evaluations near the guess, more only when it was bad. */
static bool enclose(bracket *b, const sought *s)
{
    double at, sd;

    guess(&at, &sd, s);
    const double least = b->low, most = b->high;
    at = fmin(fmax(at, least), most);
    if (!look(b, s, at))
        return false;
    for (double reach = 1.1; reach < 1e6; reach *= 2.0) {
        const bool up = b->high == most;
        const double off = (up ? -b->g_low : b->g_high) * sd;
        if (b->high < most && b->low > least)
            return true;
        const double next = up ? b->low + reach * off + 0.02 * sd
                               : b->high - reach * off - 0.02 * sd;
        if (next <= least || next >= most)
            return true;
        if (!look(b, s, next))
            return false;
    }
    return true;
}

/*
 * Closes in from both sides by about the square of the width, but at least by
 * `nearest`, so that the far side comes in too.
 */
static bool close_in(bracket *b, const sought *s, double first_width, double nearest)
{
    const double width = b->high - b->low, middle = 0.5 * (b->low + b->high);
    double at = middle;

    if (nearest < width && b->g_high > b->g_low) {
        at = b->low - b->g_low * width / (b->g_high - b->g_low);
        const double nudge = fmax(0.05 * width * (width / first_width), nearest);
        at = at < middle ? fmin(at + nudge, middle) : fmax(at - nudge, middle);
    }
    if (!(at > b->low && at < b->high))
        at = middle;
    return look(b, s, at);
}

/* By value, in place: qsort() may allocate, and this is the hot path. */
static void sort_attainable(iv_attainable *x, size_t count)
{
    static const size_t gaps[] = { 701, 301, 132, 57, 23, 10, 4, 1 };

    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
        for (size_t i = gaps[g]; i < count; i++) {
            const iv_attainable moved = x[i];
            size_t at = i;
            for (; at >= gaps[g] && x[at - gaps[g]].value > moved.value; at -= gaps[g])
                x[at] = x[at - gaps[g]];
            x[at] = moved;
        }
    }
}

/*
 * The quantile among the attainable values between the ends, if they are few.
 * If not, *share is what part of the width holds few of them.
 */
static bool pick(double *out, double *share, const bracket *b, const sought *s)
{
    const iv_recall_posterior *p = s->p;
    const iv_event from = { s->quantity, false, to_value(s->quantity, b->low), iv_beta2(s->beta),
                            p->side[1].size };
    iv_event to = from;
    iv_attainable near[IV_ATTAINABLE_MAX];
    double sum = b->p_low;
    size_t count;

    to.x = to_value(s->quantity, b->high);
    const double about = iv_event_count(&from, &to, &p->side[1], &p->side[0]);
    *share = 0.1 * IV_ATTAINABLE_MAX / fmax(about, 1.0);
    if (about > IV_ATTAINABLE_MAX / 2
        || !iv_event_between(near, &count, IV_ATTAINABLE_MAX, &from, &to, &p->side[1],
                             &p->side[0]))
        return false;
    sort_attainable(near, count);
    for (size_t i = 0; i < count; i++) {
        sum += s->quantity == IV_RECALL_RECALL ? near[i].mass / (1.0 - p->both_zero)
                                               : near[i].mass;
        if (sum >= s->q - slack && (i + 1 == count || near[i + 1].value > near[i].value)) {
            *out = near[i].value;
            return true;
        }
    }
    *out = count > 0 ? near[count - 1].value : to.x;
    return true;
}

static bracket widest(const sought *s)
{
    const iv_recall_posterior *p = s->p;
    bracket b = { .low = -37.0, .high = 37.0, .g_low = -38.0, .g_high = 9.0 };

    if (s->quantity == IV_RECALL_YIELD) {
        b.low = p->side[0].low + p->side[1].low - 1.0;
        b.high = p->side[0].high + p->side[1].high;
    } else {
        b.p_low = iv_recall_cdf(p, s->quantity, s->beta, to_value(s->quantity, b.low));
    }
    return b;
}

static double search(const sought *s)
{
    const iv_recall_posterior *p = s->p;
    const bool atoms = p->side[0].form == IV_YIELD_ATOMS;
    const bool whole = s->quantity == IV_RECALL_YIELD && p->side[0].curves[0].discrete;
    const double tolerance = p->side[0].form == IV_YIELD_CELLS ? p->tolerance : 1e-11;
    bracket b = widest(s);
    double out, share = 1.0;

    if (!enclose(&b, s))
        return NAN;
    const double first = b.high - b.low;
    for (int i = 0; i < 300; i++) {
        const double width = b.high - b.low, scale = fmax(1.0, fabs(b.high));
        double nearest = whole ? 0.6 : 0.4 * tolerance * scale;
        if (whole && floor(b.high) - floor(b.low) < 1.5)
            return floor(b.high);
        if (!whole && atoms) {
            if (pick(&out, &share, &b, s))
                return out;
            nearest = share * width;
        }
        if (!whole && width <= (atoms ? 1e-15 : tolerance) * scale)
            break;
        /* Every fourth step halves, whatever the shape. */
        if (!close_in(&b, s, first, i % 4 == 3 ? width : nearest))
            return NAN;
    }
    return to_value(s->quantity, b.high);
}

double iv_recall_quantile(const iv_recall_posterior *p, iv_recall_quantity quantity, double beta,
                          double q)
{
    if (!p->set || !(q > 0.0 && q < 1.0)
        || (quantity == IV_RECALL_RECALL && p->both_zero >= 1.0))
        return NAN;
    if (quantity == IV_RECALL_PRECISION)
        return iv_yield_quantile(&p->side[1], q) / p->side[1].size;
    if (quantity == IV_RECALL_ELUSION)
        return iv_yield_quantile(&p->side[0], q) / p->side[0].size;
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
    return search(&(sought){ p, quantity, beta, q });
}
