/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits of a difference in average precision.
 *
 * With known relevant documents K and open ones U, for any set of relevant
 * open documents R
 *
 *     Q = Q_K + sum_{i in R} (g_i + 1/2 sum_{j in R, j != i} c_ij)
 *      <= Q_K + sum_{i in R} M_i,   M_i = g_i + 1/2 sum_{j in U} max(0, c_ij),
 *
 * with g_i = c_ii + sum_{j in K} c_ij.  Of k relevant open documents none does
 * better than the k largest M_i, and S = |K| + k is then known: the upper limit
 * is the largest value over k.  The lower one is the upper one of b less a.
 *
 * The sums of positive c_ij take three walks with trees (see
 * incomplete_pairs.c for the two kinds of pairs): j behind i in both rankings
 * (c_ij depends on j alone), for j and for i; and the crossed pairs, in which
 * 1/rank_a(j) > 1/rank_b(i) cuts a range of places.
 */
#include <math.h>
#include <stdlib.h>

#include "stat/incomplete/incomplete_parts.h"

typedef struct side {
    size_t m;
    const iv_rank_order *a, *b;
    const bool *open;
    double *positive; /* sum over open j != i of max(0, c_ij) */
    double *tree;     /* 2 m */
} side;

/* How many places of a ranking have 1/rank above x. */
static size_t places_above(const iv_rank_order *r, size_t m, double x)
{
    size_t low = 0, high = m;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (r->inverse[r->order[middle]] > x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Pairs whose larger rank in a is i's: i behind j in a. */
static void walk_down_a(side *x)
{
    iv_fenwick f = { x->tree, x->m, 2 }; /* by place in b: count, 1/rank_b */

    iv_fenwick_clear(&f);
    for (size_t k = 0; k < x->m; k++) {
        const size_t i = x->a->order[k], place = x->b->place[i];
        const double ia = x->a->inverse[i], ib = x->b->inverse[i];
        double head[2], all[2], cut[2];
        if (!x->open[i])
            continue;
        iv_fenwick_sum(head, &f, place);
        x->positive[i] += fmax(0.0, ia - ib) * head[0];
        /* Crossed: partners behind i in b with 1/rank_b below ia. */
        size_t from = x->m;
        if (ia > 0.0) {
            const double *inverse = x->b->inverse;
            from = places_above(x->b, x->m, ia);
            while (from < x->m && inverse[x->b->order[from]] >= ia)
                from++;
        }
        from = from > place + 1 ? from : place + 1;
        iv_fenwick_sum(all, &f, x->m);
        iv_fenwick_sum(cut, &f, from);
        x->positive[i] += fmax(0.0, ia * (all[0] - cut[0]) - (all[1] - cut[1]));
        iv_fenwick_add(&f, place, (const double[]){ 1.0, ib });
    }
}

/* Crossed pairs whose larger rank in b is i's: j behind i in a, before it in b. */
static void walk_down_b(side *x)
{
    iv_fenwick f = { x->tree, x->m, 2 }; /* by place in a: count, 1/rank_a */

    iv_fenwick_clear(&f);
    for (size_t k = 0; k < x->m; k++) {
        const size_t i = x->b->order[k], place = x->a->place[i];
        double head[2], cut[2];
        if (!x->open[i])
            continue;
        const size_t to = places_above(x->a, x->m, x->b->inverse[i]);
        if (to > place) {
            iv_fenwick_sum(head, &f, to);
            iv_fenwick_sum(cut, &f, place);
            x->positive[i] += fmax(0.0, head[1] - cut[1]
                                   - x->b->inverse[i] * (head[0] - cut[0]));
        }
        iv_fenwick_add(&f, place, (const double[]){ 1.0, x->a->inverse[i] });
    }
}

/* Pairs in which the other is behind i in both. */
static void walk_up_a(side *x)
{
    iv_fenwick f = { x->tree, x->m, 1 }; /* by place in b from the end */

    iv_fenwick_clear(&f);
    for (size_t k = x->m; k-- > 0;) {
        const size_t i = x->a->order[k], from_end = x->m - 1 - x->b->place[i];
        const double gain = fmax(0.0, x->a->inverse[i] - x->b->inverse[i]);
        double behind[1];
        if (!x->open[i])
            continue;
        iv_fenwick_sum(behind, &f, from_end);
        x->positive[i] += behind[0];
        iv_fenwick_add(&f, from_end, &gain);
    }
}

static int falling(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;

    return (a < b) - (a > b);
}

/*
 * The upper limit; `gain` holds g_i of open documents and is used up, `base`
 * is Q_K, `known` the number of relevant documents among the judged.
 */
static double upper_limit(side *x, double *gain, double base, size_t known)
{
    double sum = base, best = known > 0 ? base / (double)known : 0.0;
    size_t open = 0;

    for (size_t i = 0; i < x->m; i++)
        x->positive[i] = 0.0;
    walk_down_a(x);
    walk_down_b(x);
    walk_up_a(x);
    for (size_t i = 0; i < x->m; i++) {
        if (x->open[i])
            gain[open++] = gain[i] + 0.5 * x->positive[i];
    }
    if (open > 0)
        qsort(gain, open, sizeof *gain, falling);
    for (size_t k = 0; k < open; k++) {
        sum += gain[k];
        best = fmax(best, sum / (double)(known + k + 1));
    }
    return fmin(best, 1.0);
}

typedef struct work {
    iv_rank_order a, b;
    double *known, *gain, *mirrored, *positive, *tree;
    bool *open;
    double *reals;
    uint32_t *integers;
} work;

static int work_make(work *w, const uint32_t *rank_a, const uint32_t *rank_b, size_t m,
                     iv_err *err)
{
    *w = (work){ .reals = malloc((9 * m + 1) * sizeof(double)),
                 .integers = malloc((4 * m + 1) * sizeof(uint32_t)),
                 .open = malloc((m + 1) * sizeof(bool)) };
    if (w->reals == NULL || w->integers == NULL || w->open == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    w->a = (iv_rank_order){ w->reals, w->integers, w->integers + m };
    w->b = (iv_rank_order){ w->reals + m, w->integers + 2 * m, w->integers + 3 * m };
    w->known = w->reals + 2 * m;
    w->gain = w->reals + 3 * m;
    w->mirrored = w->reals + 4 * m;
    w->positive = w->reals + 5 * m;
    w->tree = w->reals + 6 * m;
    const int rc = iv_rank_order_fill(&w->a, rank_a, m, err);
    return rc == IV_OK ? iv_rank_order_fill(&w->b, rank_b, m, err) : rc;
}

static void limits_of(double *lower, double *upper, work *w, const double *relevance,
                      size_t m)
{
    double base = 0.0;
    size_t known = 0;

    for (size_t i = 0; i < m; i++) {
        w->known[i] = relevance[i] == 1.0 ? 1.0 : 0.0;
        w->open[i] = relevance[i] > 0.0 && relevance[i] < 1.0;
        known += relevance[i] == 1.0;
    }
    iv_linear_sums(w->gain, &w->a, w->known, m);
    iv_linear_sums(w->mirrored, &w->b, w->known, m);
    for (size_t i = 0; i < m; i++) {
        const double l = w->gain[i] - w->mirrored[i];
        base += 0.5 * w->known[i] * (w->a.inverse[i] - w->b.inverse[i] + l);
        w->gain[i] = l;
        w->mirrored[i] = -l;
    }
    side forward = { m, &w->a, &w->b, w->open, w->positive, w->tree };
    side backward = { m, &w->b, &w->a, w->open, w->positive, w->tree };
    *upper = upper_limit(&forward, w->gain, base, known);
    *lower = -upper_limit(&backward, w->mirrored, -base, known);
}

int iv_ap_difference_limits(double *lower, double *upper, const uint32_t *rank_a,
                            const uint32_t *rank_b, const double *relevance, size_t m,
                            iv_err *err)
{
    work w = { .reals = NULL };
    int rc = iv_relevance_check(relevance, m, err);

    if (rc == IV_OK)
        rc = work_make(&w, rank_a, rank_b, m, err);
    if (rc == IV_OK)
        limits_of(lower, upper, &w, relevance, m);
    free(w.reals);
    free(w.integers);
    free(w.open);
    return rc;
}
