/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Both integrals run over the logit of one of the two variables, cut at the
 * edges of its panels and where the other variable crosses an edge of its own,
 * so that on each piece both are smooth, also where the other leaves (0, 1):
 * there its panels shrink geometrically, and the cuts with them.
 */
#include "stat/prf/prf_state.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/order.h"

/* Pieces no longer than this on the logit scale: a power of x is smooth. */
static const double longest = 3.0;

/* Beyond this logit x is an end of (0, 1) in any sum. */
static const double beyond = 45.0;

/* Mass that may be left out at each end. */
static const double negligible = 1e-17;

static double side_density(const iv_side *s, double logit)
{
    const double offset = (s->mirrored ? -logit : logit) - s->centre;

    return s->exact != NULL ? iv_logit_beta_density(s->exact, offset)
                            : iv_panels_density(s->panels, offset);
}

static double side_below(const iv_side *s, double logit)
{
    const double below = iv_panels_below(s->panels, (s->mirrored ? -logit : logit) - s->centre);

    return s->mirrored ? 1.0 - below : below;
}

/* Edge i of the side's panels as a logit, in increasing order. */
static double side_edge(const iv_side *s, size_t i)
{
    return s->mirrored ? -(s->centre + s->panels->edge[s->panels->count - i])
                       : s->centre + s->panels->edge[i];
}

/* The panels that hold more than a negligible mass: [first, last]. */
static void side_range(size_t *first, size_t *last, const iv_side *s)
{
    const iv_panels *p = s->panels;
    size_t low = 0, high = p->count - 1;

    while (low < high && p->before[low + 1] < negligible)
        low++;
    while (high > low && p->before[p->count] - p->before[high] < negligible)
        high--;
    *first = s->mirrored ? p->count - 1 - high : low;
    *last = s->mirrored ? p->count - 1 - low : high;
}

bool iv_add_cut(iv_cuts *c, double at)
{
    double *grown = iv_grow(c->at, &c->capacity, c->count + 1, sizeof *c->at);

    if (grown == NULL)
        return false;
    c->at = grown;
    c->at[c->count++] = at;
    return true;
}

/* A number in (0, 1) and what is missing to 1. */
typedef struct share {
    double part, rest;
} share;

/* 2u - x, where x has the logit t: both of its forms without a difference that
 * is small where the integrals run. */
static share other(iv_halfway at, double t)
{
    const double e = exp(-fabs(t)), less = e / (1.0 + e), more = 1.0 / (1.0 + e);
    const double x = t < 0.0 ? less : more, y = t < 0.0 ? more : less;

    if (at.u <= at.rest)
        return (share){ 2.0 * at.u - x, (at.rest - at.u) + x };
    return (share){ (at.u - at.rest) + y, 2.0 * at.rest - y };
}

static double other_logit(iv_halfway at, double t)
{
    const share s = other(at, t);

    return iv_logit_of(s.part, s.rest);
}

/* The integral over x being cut: between from and to, of x's logit. */
typedef struct stretch {
    const iv_side *x, *y;
    iv_halfway at;
    double from, to;
} stretch;

/* A cut where side s (of the two) has this logit, if that is inside. */
static bool cut_at(iv_cuts *cuts, const stretch *p, const iv_side *s, double logit)
{
    const double t = s == p->x ? logit : other_logit(p->at, logit);

    return !(t > p->from && t < p->to) || iv_add_cut(cuts, t);
}

/* Cuts at the edges of a side's panels, and between if they are far apart. */
static bool cut_panels(iv_cuts *cuts, const stretch *p, const iv_side *s)
{
    size_t first, last;
    bool ok = true;

    side_range(&first, &last, s);
    for (size_t i = first; i <= last && ok; i++) {
        const double low = side_edge(s, i), high = side_edge(s, i + 1);
        const bool far = low > beyond || high < -beyond;
        const double pieces = far ? 1.0 : ceil(fmin((high - low) / longest, 1e4));
        for (double k = 0.0; k < pieces && ok; k += 1.0)
            ok = cut_at(cuts, p, s, low + (high - low) * k / pieces);
    }
    return ok;
}

/* How far out steps are twice and four times as long: there the density is a plain
 * exponential, since neither of 1 - x and x is far from 1 nor the exponent's bend near. */
static const double in_tail = 8.0, far_out = 16.0;

/* Where the density itself is called its panels do not matter: steps over
 * which it is smooth, long ones in tails that are plain exponentials. */
static bool cut_evenly(iv_cuts *cuts, const stretch *p, const iv_side *s)
{
    const double step = fmin(longest, 2.0 * s->exact->spread);
    size_t first, last;
    bool ok = true;

    side_range(&first, &last, s);
    const double high = side_edge(s, last + 1);
    for (double t = side_edge(s, first); t < high && ok;) {
        ok = cut_at(cuts, p, s, t);
        const double out = fmax(fmin(0.0, s->centre) - t, t - fmax(0.0, s->centre));
        t += out > far_out ? 4.0 * longest : out > in_tail ? 2.0 * longest : step;
    }
    return ok && cut_at(cuts, p, s, high);
}

static bool cut(iv_cuts *cuts, const stretch *p)
{
    cuts->count = 0;
    bool ok = iv_add_cut(cuts, p->from) && iv_add_cut(cuts, p->to);

    for (int turn = 0; turn < 2 && ok; turn++) {
        const iv_side *s = turn == 0 ? p->x : p->y;
        ok = s->exact != NULL ? cut_evenly(cuts, p, s) : cut_panels(cuts, p, s);
    }
    if (ok)
        qsort(cuts->at, cuts->count, sizeof *cuts->at, iv_rising);
    return ok;
}

/* Integral over the cuts of density of x times f of y = 2u - x. */
static double integral(const iv_cuts *cuts, const iv_side *x, const iv_side *y,
                       iv_halfway at, bool density)
{
    double sum = 0.0;

    for (size_t i = 0; i + 1 < cuts->count; i++) {
        const double from = cuts->at[i], half = 0.5 * (cuts->at[i + 1] - from);
        if (!(half > 0.0))
            continue;
        for (size_t k = 0; k < IV_GAUSS_NODES; k++) {
            const double t = from + half * (1.0 + iv_gauss_node(k));
            const double g = side_density(x, t);
            if (g == 0.0)
                continue;
            const share z = other(at, t);
            const double logit = iv_logit_of(z.part, z.rest);
            const double f = !density ? side_below(y, logit)
                             : z.part > 0.0 && z.rest > 0.0
                                 ? side_density(y, logit) / (z.part * z.rest) : 0.0;
            sum += half * iv_gauss_weight(k) * g * f;
        }
    }
    return sum;
}

int iv_sum_below(double *out, const iv_side *x, const iv_side *y, iv_halfway at,
                 iv_cuts *cuts, iv_err *err)
{
    size_t first, last;

    if (x->deviation > y->deviation) { /* over the narrower one */
        const iv_side *swapped = x;
        x = y;
        y = swapped;
    }
    side_range(&first, &last, x);
    if (!cut(cuts, &(stretch){ x, y, at, side_edge(x, first), side_edge(x, last + 1) }))
        return iv_fail(err, IV_ENOMEM, "out of memory");
    *out = fmin(1.0, integral(cuts, x, y, at, false));
    return IV_OK;
}

int iv_sum_density(double *out, const iv_side *x, const iv_side *y, iv_halfway at,
                   iv_cuts *cuts, iv_err *err)
{
    const double middle = iv_logit_of(at.u, at.rest);
    double sum = 0.0;

    /* x = 2u - y is closest to an end of (0, 1) where y is at u or beyond:
     * each half of the line is run through in the variable that is extreme
     * there, of which logits tell more than 1e-16. */
    for (int turn = 0; turn < 2; turn++) {
        const iv_side *s = turn == 0 ? x : y, *o = turn == 0 ? y : x;
        size_t first, last;
        side_range(&first, &last, s);
        const double low = side_edge(s, first), high = side_edge(s, last + 1);
        const double from = at.u <= at.rest ? low : fmax(low, middle);
        const double to = at.u <= at.rest ? fmin(high, middle) : high;
        if (!(from < to))
            continue;
        if (!cut(cuts, &(stretch){ s, o, at, from, to }))
            return iv_fail(err, IV_ENOMEM, "out of memory");
        sum += integral(cuts, s, o, at, true);
    }
    *out = 2.0 * sum;
    return IV_OK;
}
