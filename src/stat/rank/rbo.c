/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rank-biased overlap: (1 - p) / p times the sum over depths d of p^d A_d, A_d the
 * agreement of the lists cut at d.  S is the shorter, of s items, L the longer, of l.
 *
 * At depth d all groups of tied items of a list are in but for the one that holds rank
 * d, of which each item is in by the share f of its ranks up to d (all of it where ties
 * stand for equality).  So the overlap is a sum of four counts: items that are wholly
 * (IN) or partly (NOW) in each list.  Every item changes its state twice in each list,
 * and the whole takes linear time.
 */
#include <math.h>
#include <stdlib.h>

#include "base/checking.h"
#include "stat/rank_private.h"

const char *const *iv_rbo_ties_names(void)
{
    static const char *const names[] = { "average", "shared", "equal", NULL };

    return names;
}

enum { OUT, NOW, IN };

/* A list while it is walked down. */
typedef struct side {
    const iv_ranked_items *r;
    size_t top, bottom; /* ranks from 0, of the group at work; bottom is excluded */
    unsigned char *state;
    double f;           /* by which its items are in */
} side;

typedef struct overlap {
    side a, b; /* the shorter, the longer */
    size_t count[3][3];
    bool equal;
} overlap;

static void set_state(overlap *o, side *at, uint32_t item, unsigned char state)
{
    o->count[o->a.state[item]][o->b.state[item]]--;
    at->state[item] = state;
    o->count[o->a.state[item]][o->b.state[item]]++;
}

/* Goes on to depth d, from 1; past its end a list is in wholly. */
static void go_on(overlap *o, side *at, size_t d)
{
    const iv_ranked_items *r = at->r;

    if (d > at->bottom) {
        for (size_t i = at->top; i < at->bottom; i++)
            set_state(o, at, r->items[i], IN);
        at->top = at->bottom;
        if (at->bottom < r->count)
            at->bottom++;
        while (r->scores != NULL && at->bottom < r->count
               && r->scores[at->bottom] == r->scores[at->top])
            at->bottom++;
        for (size_t i = at->top; i < at->bottom; i++)
            set_state(o, at, r->items[i], NOW);
    }
    at->f = o->equal || d >= at->bottom ? 1.0
        : (double)(d - at->top) / (double)(at->bottom - at->top);
}

/* Items of both lists, each by its shares in them. */
static double overlap_now(const overlap *o)
{
    return (double)o->count[IN][IN] + o->a.f * (double)o->count[NOW][IN]
        + o->b.f * (double)o->count[IN][NOW] + o->a.f * o->b.f * (double)o->count[NOW][NOW];
}

/* What the overlap of a list with itself would be; past its end it has no ties. */
static double own(const overlap *o, const side *at, size_t d)
{
    const double group = (double)(at->bottom - at->top);

    if (d > at->r->count)
        return (double)d;
    return (double)at->top + group * (o->equal ? 1.0 : at->f * at->f);
}

static double agreement(const overlap *o, double x, size_t d, iv_rbo_ties ties)
{
    const double a = own(o, &o->a, d), b = own(o, &o->b, d);

    return ties == IV_RBO_AVERAGE ? x / (double)d
        : ties == IV_RBO_SHARED ? x / sqrt(a * b) : 2.0 * x / (a + b);
}

/* The sum over d of p^d A_d, of the three. */
static iv_rbo add_up(overlap *o, double p, iv_rbo_ties ties)
{
    const size_t s = o->a.r->count, l = o->b.r->count;
    iv_rbo sum = { 0 };
    double pd = 1.0, logs = 0.0, x = 0.0, last = 0.0;

    for (size_t d = 1; d <= l; d++) {
        go_on(o, &o->a, d);
        go_on(o, &o->b, d);
        pd *= p;
        logs += pd / (double)d;
        x = overlap_now(o);
        /* Behind the end of S the items that only L has: each may be S's next. */
        double expected = 0.0, most = 0.0;
        if (d > s) {
            const double wholly = (double)o->count[OUT][IN], partly = (double)o->count[OUT][NOW];
            const double next = (double)(d - s);
            expected = next * last * (wholly + o->b.f * partly) / (wholly + partly);
            most = fmin(next, wholly) + o->b.f * fmin(fmax(next - wholly, 0.0), partly);
        } else {
            last = agreement(o, x, d, ties);
        }
        sum.lower += pd * agreement(o, x, d, ties);
        sum.upper += pd * agreement(o, x + most, d, ties);
        sum.value += pd * agreement(o, x + expected, d, ties);
    }
    const double seen = (double)(l + s) - x;
    sum.value += (x + (double)(l - s) * last) / (double)l * pd * p / (1.0 - p);
    sum.lower += x * (-log1p(-p) - logs);
    for (double d = (double)l + 1.0; d <= seen; d++) {
        pd *= p;
        sum.upper += pd * (2.0 * d - seen) / d;
    }
    sum.upper += pd * p / (1.0 - p);
    return sum;
}

int iv_rbo_of(iv_rbo *out, const iv_ranked_items *a, const iv_ranked_items *b, size_t items,
              double p, iv_rbo_ties ties, iv_err *err)
{
    IV_TRY(iv_check_given(a, "a list", err));
    IV_TRY(iv_check_given(b, "a list", err));
    IV_TRY(iv_check_list(a->items, a->count, "item", err));
    IV_TRY(iv_check_list(b->items, b->count, "item", err));
    IV_TRY(iv_check_choice(ties, iv_rbo_ties_names(), "what a tie means", err));
    const bool turned = a->count > b->count;
    const double q = p == 0.0 ? 0.9 : p;

    if (!(q > 0.0 && q < 1.0))
        return iv_fail(err, IV_EARG, "persistence %g, expected between 0 and 1", p);
    if (a->count == 0 || b->count == 0)
        return iv_fail(err, IV_EARG, "an empty ranking, expected one item or more");
    overlap o = { .a.r = turned ? b : a, .b.r = turned ? a : b, .equal = ties == IV_RBO_EQUAL };
    o.a.state = calloc(2 * items, 1);
    if (o.a.state == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    o.b.state = o.a.state + items;
    o.count[OUT][OUT] = items;
    const iv_rbo sum = add_up(&o, q, ties);
    const double scale = (1.0 - q) / q;
    *out = (iv_rbo){ scale * sum.value, scale * sum.lower, scale * sum.upper };
    free(o.a.state);
    return IV_OK;
}
