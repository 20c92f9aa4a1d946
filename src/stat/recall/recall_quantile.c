/* SPDX-License-Identifier: Apache-2.0 */
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
#include <math.h>

#include "stat/recall/recall_yield.h"

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

double iv_yield_quantile(const iv_yield *y, double q)
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
    if (quantity == IV_RECALL_YIELD)
        return y;
    return y >= 0.0 ? 1.0 / (1.0 + exp(-y)) : exp(y) / (1.0 + exp(y));
}

static double probit(double p)
{
    return iv_norm_quantile(fmin(fmax(p, 1e-300), 1.0 - 1e-16));
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

/* -------------------------------------------------------------- means -- */

static double above_value(double x, const sought *s)
{
    return 1.0 - iv_recall_cdf(s->p, s->quantity, s->beta, x);
}

/* Eight Gauss-Legendre nodes on each of 64 equal parts of the bulk. */
static double integrate_above(const sought *s, double from, double to)
{
    static const double at[4] = { 0.18343464249564980, 0.52553240991632899,
                                  0.79666647741362674, 0.96028985649753623 };
    static const double weight[4] = { 0.36268378337836198, 0.31370664587788729,
                                      0.22238103445337447, 0.10122853629037626 };
    const double half = 0.5 * (to - from) / 64.0;
    double sum = 0.0;

    for (int part = 0; part < 64; part++) {
        const double middle = from + (2.0 * part + 1.0) * half;
        for (int i = 0; i < 4; i++)
            sum += weight[i] * (above_value(middle - half * at[i], s)
                                + above_value(middle + half * at[i], s));
    }
    return sum * half;
}

/* Small supports: every pair. */
static double mean_of_pairs(const iv_recall_posterior *p, const iv_event *e)
{
    const iv_yield *r1 = &p->side[1], *r0 = &p->side[0];
    double sum = 0.0;

    for (size_t i = 0; i < r1->atoms.count; i++) {
        double inner = 0.0;
        for (size_t k = 0; k < r0->atoms.count; k++)
            inner += r0->atoms.p[k]
                     * iv_event_value(e, r1->low + (double)i, r0->low + (double)k);
        sum += inner * r1->atoms.p[i];
    }
    return e->quantity == IV_RECALL_RECALL ? sum / (1.0 - p->both_zero) : sum;
}

double iv_recall_mean(const iv_recall_posterior *p, iv_recall_quantity quantity, double beta)
{
    const iv_yield *r1 = &p->side[1], *r0 = &p->side[0];
    const iv_event e = { quantity, false, 0.0, iv_beta2(beta), r1->size };

    if (!p->set)
        return NAN;
    if (quantity == IV_RECALL_YIELD)
        return p->mean_yield;
    if (quantity == IV_RECALL_PRECISION)
        return r1->mean / r1->size;
    if (quantity == IV_RECALL_ELUSION)
        return r0->mean / r0->size;
    if (r1->form == IV_YIELD_ATOMS
        && (double)r1->atoms.count * (double)r0->atoms.count < 4e6)
        return mean_of_pairs(p, &e);
    return integrate_above(&(sought){ p, quantity, beta, 0.0 }, 0.0, 1.0);
}
