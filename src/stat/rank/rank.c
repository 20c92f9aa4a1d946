/* SPDX-License-Identifier: Apache-2.0 */
/* How similar two rankings of systems are, by their means over topics. */

#include "base/arguments.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/order.h"
#include "base/ties.h"
#include "num/dist.h"
#include "num/linear.h"
#include "stat/interval_methods.h"
#include "stat/rank_agreement.h"

#include <math.h>
#include <stdlib.h>

static void take_means(double *means, const double *x, size_t systems, size_t topics)
{
    for (size_t i = 0; i < systems; i++) {
        double sum = 0.0;
        for (size_t t = 0; t < topics; t++)
            sum += x[i * topics + t];
        means[i] = sum / (double)topics;
    }
}

/* The list of items by falling value, in memory of own. */
static int rank_items(iv_ranked_items *out, iv_arena *own, const double *values, size_t n,
                      iv_err *err)
{
    iv_placed *order = iv_take(own, n, sizeof *order);
    uint32_t *items = iv_take(own, n, sizeof *items);
    double *scores = iv_take(own, n, sizeof *scores);

    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < n; i++)
        order[i] = (iv_placed){ values[i], i };
    qsort(order, n, sizeof *order, iv_descending_placed);
    for (size_t i = 0; i < n; i++) {
        items[i] = (uint32_t)order[i].at;
        scores[i] = order[i].value;
    }
    *out = (iv_ranked_items){ items, scores, n };
    return IV_OK;
}

/* tau, tau_AP and RBO of the orders of a and b. */
static int similarities(iv_orders *out, iv_arena *own, const double *a, const double *b, size_t n,
                        double p, iv_err *err)
{
    iv_interval rbo = { 0 };
    iv_ranked_items x, y;
    int rc = iv_kendall(&out->tau, a, b, n, err);

    if (rc == IV_ENODATA) { /* of neither a tau */
        out->tau = out->tau_ap = NAN;
        rc = IV_OK;
    } else if (rc == IV_OK) {
        rc = iv_tau_ap(&out->tau_ap, a, b, n, err);
    }
    if (rc == IV_OK)
        rc = rank_items(&x, own, a, n, err);
    if (rc == IV_OK)
        rc = rank_items(&y, own, b, n, err);
    if (rc == IV_OK)
        rc = iv_rbo_of(&rbo, &x, &y, n, p, IV_RBO_AVERAGE, err);
    out->rbo = rbo.value;
    return rc;
}

int iv_orders_agree(iv_orders *out, const double *a, const double *b, size_t systems,
                    size_t topics, double persistence, iv_err *err)
{
    const size_t m = systems, all = systems * topics;
    iv_arena memory = { 0 };
    iv_orders found = { 0 };

    if (m < 2 || topics == 0)
        return iv_fail(err, IV_EARG, "%zu systems on %zu topics, expected two or more on some", m,
                       topics);
    for (size_t i = 0; i < all; i++)
        if (!isfinite(a[i]) || !isfinite(b[i]))
            return iv_fail(err, IV_EARG, "a score is not finite, expected all to be");
    double *of_a = iv_take(&memory, m, sizeof *of_a), *of_b = iv_take(&memory, m, sizeof *of_b);
    int rc = iv_taken(&memory, err);
    if (rc == IV_OK) {
        take_means(of_a, a, m, topics);
        take_means(of_b, b, m, topics);
        rc = iv_tie_means(of_a, m, iv_slack_of(a, all), err);
    }
    if (rc == IV_OK)
        rc = iv_tie_means(of_b, m, iv_slack_of(b, all), err);
    if (rc == IV_OK)
        rc = similarities(&found, &memory, of_a, of_b, m, persistence, err);
    if (rc == IV_OK)
        *out = found;
    iv_arena_free(&memory);
    return rc;
}

/* ------------------------------------------------------------------- rbo -- */

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

IV_NAMES(iv_rbo_ties_names, "average", "shared", "equal")

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
static iv_interval add_up(overlap *o, double p, iv_rbo_ties ties)
{
    const size_t s = o->a.r->count, l = o->b.r->count;
    iv_interval sum = { 0 };
    double pd = 1.0, logs = 0.0, x = 0.0, last = 0.0;

    for (size_t d = 1; d <= l; d++) {
        go_on(o, &o->a, d);
        go_on(o, &o->b, d);
        pd *= p;
        logs += pd / (double)d;
        /* Items of both lists, each by its shares in them. */
        x = (double)o->count[IN][IN] + o->a.f * (double)o->count[NOW][IN]
            + o->b.f * (double)o->count[IN][NOW] + o->a.f * o->b.f * (double)o->count[NOW][NOW];
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

int iv_rbo_of(iv_interval *out, const iv_ranked_items *a, const iv_ranked_items *b, size_t items,
              double p, iv_rbo_ties ties, iv_err *err)
{
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
    const iv_interval sum = add_up(&o, q, ties);
    const double scale = (1.0 - q) / q;
    *out = (iv_interval){ .value = scale * sum.value, .lower = scale * sum.lower,
                         .upper = scale * sum.upper };
    free(o.a.state);
    return IV_OK;
}

/* ---------------------------------------------------------------- tau ap -- */

/*
 * AP correlation.  Items are walked down the order of x; a Fenwick tree over the
 * ranks of y counts those above that y has above, so that n items take n log n.
 */

typedef struct item {
    double x, y; /* x first: they are sorted by it */
    size_t above, not_below; /* values of y, of all */
} item;

static int by_falling_y(const void *a, const void *b)
{
    return iv_descending(&(*(item *const *)a)->y, &(*(item *const *)b)->y);
}

/* How many values of y are above each item's, and how many not below. */
static void place(item *items, item **falling, size_t n)
{
    for (size_t i = 0; i < n; i++)
        falling[i] = &items[i];
    qsort(falling, n, sizeof *falling, by_falling_y);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && falling[to]->y == falling[from]->y;)
            to++;
        for (size_t i = from; i < to; i++) {
            falling[i]->above = from;
            falling[i]->not_below = to;
        }
    }
}

/* Of those in the tree, how many have a place below `end`. */
static size_t count_below(const size_t *tree, size_t end)
{
    size_t sum = 0;

    for (; end > 0; end &= end - 1)
        sum += tree[end];
    return sum;
}

/* A group of t items tied in x from place `first` on: each stands at each of t
 * places in turn, above it the group's others in equal parts. */
static void add_group(double *averaged, double *plain, const item *group, size_t first, size_t t,
                      const size_t *tree)
{
    double places = 0.0, within = 0.0;

    for (size_t k = 0; k < t; k++) {
        if (first + k > 0) {
            places += 1.0 / (double)(first + k);
            within += 0.5 * (double)k / (double)(first + k);
        }
    }
    *averaged += within;
    for (size_t i = 0; i < t && first > 0; i++) {
        const size_t better = count_below(tree, group[i].above);
        const size_t as_good = count_below(tree, group[i].not_below);
        *averaged += 0.5 * (double)(better + as_good) * places / (double)t;
        *plain += (double)better / (double)first;
    }
}

/* Sums over the pivots of shares, ties averaged over their orders, and the mean of those among the
 * items strictly above; NaN: there is no such pivot. */
static int walk_down(double *averaged, double *plain, const double *x, const double *y, size_t n,
                     iv_err *err)
{
    iv_arena memory = { 0 };
    item *items = iv_take(&memory, n, sizeof *items);
    item **falling = iv_take(&memory, n, sizeof *falling);
    size_t *tree = iv_take(&memory, n + 1, sizeof *tree);
    const int rc = iv_taken(&memory, err);
    size_t pivots = 0;

    *averaged = *plain = 0.0;
    for (size_t i = 0; i < n && rc == IV_OK; i++)
        items[i] = (item){ x[i], y[i], 0, 0 };
    if (rc == IV_OK) {
        place(items, falling, n);
        qsort(items, n, sizeof *items, iv_descending);
    }
    for (size_t first = 0, t; first < n && rc == IV_OK; first += t) {
        for (t = 1; first + t < n && items[first + t].x == items[first].x;)
            t++;
        add_group(averaged, plain, items + first, first, t, tree);
        pivots += first > 0 ? t : 0;
        for (size_t i = 0; i < t; i++)
            for (size_t at = items[first + i].above + 1; at <= n; at += at & (~at + 1))
                tree[at]++;
    }
    *plain = pivots > 0 ? *plain / (double)pivots : (double)NAN;
    iv_arena_free(&memory);
    return rc;
}

int iv_tau_ap(double *out, const double *truth, const double *x, size_t n, iv_err *err)
{
    double averaged, plain;
    const int rc = walk_down(&averaged, &plain, x, truth, n, err);

    if (rc == IV_OK)
        *out = n < 2 ? NAN : 2.0 * averaged / (double)(n - 1) - 1.0;
    return rc;
}

int iv_tau_ap_b(double *out, const double *x, const double *y, size_t n, iv_err *err)
{
    double unused, down, back;
    int rc = walk_down(&unused, &down, x, y, n, err);

    if (rc == IV_OK)
        rc = walk_down(&unused, &back, y, x, n, err);
    if (rc == IV_OK)
        *out = down + back - 1.0;
    return rc;
}

/* ---------------------------------------------------------- reproduction -- */

static double square_of(double x) { return x * x; }

int iv_reproduced_rmse(iv_interval *out, const double *original, const double *replicate,
                       size_t n, double confidence, iv_err *err)
{
    IV_TRY(iv_check_confidence(&confidence, err));
    for (size_t i = 0; i < n; i++)
        if (!isfinite(original[i]) || !isfinite(replicate[i]))
            return iv_fail(err, IV_EARG, "a score is not finite, expected all to be");
    const double N = (double)n;
    double mean = 0.0, squares = 0.0;
    for (size_t i = 0; i < n; i++)
        mean += square_of(original[i] - replicate[i]) / N;
    for (size_t i = 0; i < n; i++)
        squares += square_of(square_of(original[i] - replicate[i]) - mean);
    *out = (iv_interval){ sqrt(mean), NAN, NAN, NAN, NAN };
    if (n > 1 && squares > 1e-24 * N * mean * mean) { /* else all are as large as each other */
        const double half = iv_t_isf(0.5 * (1.0 - confidence), N - 1.0)
            * sqrt(squares / (N - 1.0) / N);
        out->lower = sqrt(fmax(0.0, mean - half));
        out->upper = sqrt(mean + half);
    }
    return IV_OK;
}

void iv_reproduced_effect(iv_interval *ratio, iv_interval *change, const double *baseline,
                          const double *advanced, const double *baseline_again,
                          const double *advanced_again, size_t n, double confidence)
{
    const double c = confidence == 0.0 ? 0.95 : confidence, N = (double)n;
    const double t = n > 1 ? iv_t_isf(0.5 * (1.0 - c), N - 1.0) : NAN;
    double b = 0.0, a = 0.0, b2 = 0.0, a2 = 0.0, xx = 0.0, xy = 0.0, yy = 0.0, square = 0.0;

    for (size_t i = 0; i < n; i++) {
        b += baseline[i] / N;
        a += advanced[i] / N;
        b2 += baseline_again[i] / N;
        a2 += advanced_again[i] / N;
    }
    const double x = iv_true_difference(a - b, fmax(iv_slack_of(baseline, n),
                                                    iv_slack_of(advanced, n)));
    const double y = iv_true_difference(a2 - b2, fmax(iv_slack_of(baseline_again, n),
                                                      iv_slack_of(advanced_again, n)));
    for (size_t i = 0; i < n; i++) {
        const double dx = advanced[i] - baseline[i] - x;
        const double dy = advanced_again[i] - baseline_again[i] - y;
        /* What the topic moves the difference of the two ratios of means. */
        const double moves = (advanced[i] - a / b * baseline[i]) / b
            - (advanced_again[i] - a2 / b2 * baseline_again[i]) / b2;
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
        square += moves * moves;
    }
    const double scale = t * t / (N * (N - 1.0));
    /* Fieller: the ratios r for which y - r x is not significant. */
    const double p = x * x - scale * xx, q = x * y - scale * xy, r = y * y - scale * yy;
    const double root = sqrt(fmax(q * q - p * r, 0.0));
    *ratio = p > 0.0 ? (iv_interval){ y / x, NAN, (q - root) / p, (q + root) / p, NAN }
                     : (iv_interval){ x != 0.0 ? y / x : NAN, NAN, NAN, NAN, NAN };
    const double change_now = a / b - a2 / b2, half = sqrt(scale * square);
    *change = (iv_interval){ change_now, NAN, change_now - half, change_now + half, NAN };
}
