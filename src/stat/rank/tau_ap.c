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
#include "stat/rank_private.h"

typedef struct item {
    double x, y;
    size_t above, not_below; /* values of y, of all */
} item;

static int by_falling_x(const void *a, const void *b)
{
    return iv_falling(&((const item *)a)->x, &((const item *)b)->x);
}

static int by_falling_y(const void *a, const void *b)
{
    return iv_falling(&(*(item *const *)a)->y, &(*(item *const *)b)->y);
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
static void add_group(walk *w, const item *group, size_t first, size_t t, const size_t *tree)
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
        const size_t better = count_below(tree, group[i].above);
        const size_t as_good = count_below(tree, group[i].not_below);
        w->averaged += 0.5 * (double)(better + as_good) * places / (double)t;
        w->plain += (double)better / (double)first;
        w->pivots++;
    }
}

static int walk_down(walk *out, const double *x, const double *y, size_t n, iv_err *err)
{
    iv_arena memory = { 0 };
    item *items = iv_take(&memory, n, sizeof *items);
    item **falling = iv_take(&memory, n, sizeof *falling);
    size_t *tree = iv_take(&memory, n + 1, sizeof *tree);
    const int rc = iv_taken(&memory, err);

    *out = (walk){ 0 };
    for (size_t i = 0; i < n && rc == IV_OK; i++)
        items[i] = (item){ x[i], y[i], 0, 0 };
    if (rc == IV_OK) {
        place(items, falling, n);
        qsort(items, n, sizeof *items, by_falling_x);
    }
    for (size_t first = 0, t; first < n && rc == IV_OK; first += t) {
        for (t = 1; first + t < n && items[first + t].x == items[first].x;)
            t++;
        add_group(out, items + first, first, t, tree);
        for (size_t i = 0; i < t; i++)
            add_at(tree, n, items[first + i].above);
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
