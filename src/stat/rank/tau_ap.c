/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AP correlation.  Items are walked down the order of x; a Fenwick tree over the
 * ranks of y counts those above that y has above, so that n items take n log n.
 */
#include <math.h>
#include <stdlib.h>

#include "base/checking.h"
#include "base/memory.h"
#include "base/order.h"
#include "intervale/stat/rank.h"

typedef struct item {
    double x, y;
} item;

static int by_falling_x(const void *a, const void *b)
{
    return iv_falling(&((const item *)a)->x, &((const item *)b)->x);
}

/* How many of the n falling values are above v, or not below it. */
static size_t above(const double *falling, size_t n, double v, bool or_equal)
{
    size_t from = 0, to = n;

    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (falling[middle] > v || (or_equal && falling[middle] == v))
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Of those in the tree, how many have a place below `end`. */
static size_t count_below(const size_t *tree, size_t end)
{
    size_t sum = 0;

    for (; end > 0; end &= end - 1)
        sum += tree[end];
    return sum;
}

static void add_at(size_t *tree, size_t n, size_t place)
{
    for (size_t i = place + 1; i <= n; i += i & (~i + 1))
        tree[i]++;
}

/* What one direction needs: sums over the pivots of a walk. */
typedef struct walk {
    double averaged; /* shares, ties averaged over their orders */
    double plain;    /* shares among the items strictly above */
    size_t pivots;   /* of the latter */
} walk;

/* A group of t items tied in x from place `first` on: each stands at each of t
 * places in turn, above it the group's others in equal parts. */
static void add_group(walk *w, const item *group, size_t first, size_t t, const double *falling,
                      const size_t *tree, size_t n)
{
    double places = 0.0, within = 0.0;

    for (size_t k = 0; k < t; k++) {
        if (first + k > 0) {
            places += 1.0 / (double)(first + k);
            within += 0.5 * (double)k / (double)(first + k);
        }
    }
    w->averaged += within;
    for (size_t i = 0; i < t && first > 0; i++) {
        const size_t better = count_below(tree, above(falling, n, group[i].y, false));
        const size_t as_good = count_below(tree, above(falling, n, group[i].y, true));
        w->averaged += 0.5 * (double)(better + as_good) * places / (double)t;
        w->plain += (double)better / (double)first;
        w->pivots++;
    }
}

static int walk_down(walk *out, const double *x, const double *y, size_t n, iv_err *err)
{
    iv_arena memory = { 0 };
    item *items = iv_take(&memory, n, sizeof *items);
    double *falling = iv_take(&memory, n, sizeof *falling);
    size_t *tree = iv_take(&memory, n + 1, sizeof *tree);
    const int rc = iv_taken(&memory, err);

    *out = (walk){ 0 };
    for (size_t i = 0; i < n && rc == IV_OK; i++) {
        items[i] = (item){ x[i], y[i] };
        falling[i] = y[i];
    }
    if (rc == IV_OK) {
        qsort(items, n, sizeof *items, by_falling_x);
        qsort(falling, n, sizeof *falling, iv_falling);
    }
    for (size_t first = 0, t; first < n && rc == IV_OK; first += t) {
        for (t = 1; first + t < n && items[first + t].x == items[first].x;)
            t++;
        add_group(out, items + first, first, t, falling, tree, n);
        for (size_t i = 0; i < t; i++)
            add_at(tree, n, above(falling, n, items[first + i].y, false));
    }
    iv_arena_free(&memory);
    return rc;
}

int iv_tau_ap(double *out, const double *truth, const double *x, size_t n, iv_err *err)
{
    IV_TRY(iv_check_list(truth, n, "value", err));
    IV_TRY(iv_check_list(x, n, "value", err));
    walk w;
    const int rc = walk_down(&w, x, truth, n, err);

    if (rc == IV_OK)
        *out = n < 2 ? NAN : 2.0 * w.averaged / (double)(n - 1) - 1.0;
    return rc;
}

int iv_tau_ap_b(double *out, const double *x, const double *y, size_t n, iv_err *err)
{
    IV_TRY(iv_check_list(x, n, "value", err));
    IV_TRY(iv_check_list(y, n, "value", err));
    walk w, v;
    int rc = walk_down(&w, x, y, n, err);

    if (rc == IV_OK)
        rc = walk_down(&v, y, x, n, err);
    if (rc == IV_OK)
        *out = w.pivots == 0 || v.pivots == 0 ? NAN
            : w.plain / (double)w.pivots + v.plain / (double)v.pivots - 1.0;
    return rc;
}
