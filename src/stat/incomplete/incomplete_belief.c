/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judging one document after the other.
 *
 * All that the moments need are, for each system, L_i (how much E Q grows if
 * document i is relevant) and, for each pair, sums over documents.  When
 * document k goes from p_k to x, every L_i moves by (x - p_k) / max(rank(i),
 * rank(k)), E Q by (x - p_k) L_k, and the sum of c_ij^2 v_i v_j loses the terms
 * of k: one pass over the documents.  1 / max(r, s) = min(1/r, 1/s).
 *
 * The expectation given that i is relevant, less that given that it is not:
 *
 *     (E Q + (1-p) L)/(mu + 1-p) - (E Q - p L)/(mu - p)
 *         = (L mu - E Q) / ((mu + 1-p)(mu - p)).
 */
#include "base/err.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/order.h"
#include "num/dist.h"
#include "stat/incomplete/ap_belief.h"
#include "stat/incomplete/ap_moments.h"
#include "stat/incomplete/rank_relevance.h"
#include "stat/pair_tests.h"

#include <math.h>
#include <stdlib.h>

/*
 * Mean and variance of a difference in average precision.
 *
 * Write X_i = p_i + Z_i.  Then Q = E Q + sum L_i Z_i + sum_{i<j} c_ij Z_i Z_j
 * with uncorrelated terms, so that with v_i = p_i (1 - p_i)
 *
 *     Var Q = sum v_i L_i^2 + sum_{i<j} c_ij^2 v_i v_j,   Cov(Q, S) = sum v_i L_i,
 *     L_i = c_ii + sum_{j != i} c_ij p_j,   E Q = sum p_i (c_ii + L_i) / 2.
 */

/* --------------------------------------------------------------- moments -- */

IV_NAMES(iv_moments_form_names, "delta", "plain")

/* Two values that are equal in truth differ by rounding. */
static const double same_mean = 1e-13, no_variance = 1e-28;

/* Mean over standard deviation; infinite when there is no doubt. */
static double signal_to_noise(iv_moments d)
{
    if (d.variance > no_variance)
        return d.mean / sqrt(d.variance);
    return fabs(d.mean) <= same_mean ? 0.0 : copysign((double)INFINITY, d.mean);
}

double iv_probability_less(iv_moments d)
{
    return iv_norm_cdf(-signal_to_noise(d));
}

double iv_sign_confidence(iv_moments d)
{
    return iv_norm_cdf(fabs(signal_to_noise(d)));
}

/* ------------------------------------------------------- sums over pairs -- */

/* Documents that are not returned come last, in the order of their numbers. */
static int rank_order_make(iv_rank_order *r, iv_arena *own, const uint32_t *rank, size_t m,
                           iv_err *err)
{
    size_t deepest = 0, n = 0;

    if (r->inverse == NULL)
        r->inverse = iv_take(own, m, sizeof *r->inverse);
    r->order = iv_take(own, m, sizeof *r->order);
    r->place = iv_take(own, m, sizeof *r->place);
    for (size_t i = 0; i < m; i++)
        deepest = rank[i] > deepest ? rank[i] : deepest;
    uint32_t *at = iv_take(own, deepest + 1, sizeof *at); /* by rank: 1 + its document, 0: none */
    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < m; i++) {
        r->inverse[i] = rank[i] == 0 ? 0.0 : 1.0 / rank[i];
        if (rank[i] != 0 && at[rank[i]] != 0)
            return iv_fail(err, IV_EARG, "two documents at rank %u", rank[i]);
        at[rank[i]] = (uint32_t)i + 1;
    }
    for (size_t k = 1; k <= deepest; k++)
        if (at[k] != 0)
            r->order[n++] = at[k] - 1;
    for (size_t i = 0; i < m; i++)
        if (rank[i] == 0)
            r->order[n++] = (uint32_t)i;
    for (size_t k = 0; k < m; k++)
        r->place[r->order[k]] = (uint32_t)k;
    return IV_OK;
}

/* IV_EARG unless every relevance is in [0, 1] and m below 2^32. */
static int relevance_check(const double *relevance, size_t m, iv_err *err)
{
    if (m >= UINT32_MAX)
        return iv_fail(err, IV_EARG, "%zu documents are too many", m);
    for (size_t i = 0; i < m; i++) {
        if (!(relevance[i] >= 0.0 && relevance[i] <= 1.0))
            return iv_fail(err, IV_EARG, "relevance of document %zu is %g, expected a "
                           "probability", i, relevance[i]);
    }
    return IV_OK;
}

/*
 * sums[i] = 1/rank(i) + sum over j != i of p_j / max(rank(i), rank(j)): how
 * much E Q of this system grows if document i is relevant.  O(m).
 */
static void linear_sums(double *sums, const iv_rank_order *r, const double *p, size_t m)
{
    double above = 0.0, below = 0.0;

    for (size_t k = 0; k < m; k++) {
        const size_t i = r->order[k];
        sums[i] = r->inverse[i] * (1.0 + above);
        above += p[i];
    }
    for (size_t k = m; k-- > 0;) {
        const size_t i = r->order[k];
        sums[i] += below;
        below += p[i] * r->inverse[i];
    }
}

static void fenwick_clear(iv_fenwick *f)
{
    for (size_t i = 0; i < f->m * f->width; i++)
        f->tree[i] = 0.0;
}

/* Adds value[0 ... width - 1] at a place. */
static void fenwick_add(iv_fenwick *f, size_t place, const double *value)
{
    for (size_t i = place + 1; i <= f->m; i += i & (~i + 1)) {
        for (size_t k = 0; k < f->width; k++)
            f->tree[(i - 1) * f->width + k] += value[k];
    }
}

/* The sums over the first `places` places, into sum[0 ... width - 1]. */
static void fenwick_sum(double *sum, const iv_fenwick *f, size_t places)
{
    for (size_t k = 0; k < f->width; k++)
        sum[k] = 0.0;
    for (size_t i = places; i > 0; i &= i - 1) {
        for (size_t k = 0; k < f->width; k++)
            sum[k] += f->tree[(i - 1) * f->width + k];
    }
}

/*
 * Sum over i < j of c_ij^2 v_i v_j; scratch has room for 4 m.  O(m log m), m
 * counted without documents of v = 0.
 */
static double pair_squares(const iv_rank_order *a, const iv_rank_order *b, const double *v,
                           size_t m, double *scratch)
{
    iv_fenwick before = { scratch, m, 1 };     /* v by place in b */
    iv_fenwick behind = { scratch + m, m, 3 }; /* v / rank_b^k, from the end */
    double sum = 0.0;

    fenwick_clear(&before);
    fenwick_clear(&behind);
    for (size_t k = 0; k < m; k++) {
        const size_t j = a->order[k], place = b->place[j];
        const double ia = a->inverse[j], ib = b->inverse[j];
        double same[1], other[3];
        if (v[j] == 0.0 || (ia == 0.0 && ib == 0.0)) /* in neither: c_ij is 0 */
            continue;
        fenwick_sum(same, &before, place);
        fenwick_sum(other, &behind, m - 1 - place);
        sum += v[j] * ((ia - ib) * (ia - ib) * same[0]
                       + (ia * ia * other[0] - 2.0 * ia * other[1] + other[2]));
        fenwick_add(&before, place, &v[j]);
        fenwick_add(&behind, m - 1 - place,
                    (const double[]){ v[j], v[j] * ib, v[j] * ib * ib });
    }
    return fmax(sum, 0.0);
}

/* ----------------------------------------------------- relevance by rank -- */

/* Of the normal prior of the slope: our choice (doc/methods/incomplete.md). */
static const double slope_sd = 2.0;

static double log1p_exp(double x)
{
    return x > 0.0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

/* Objective at (a, b), with b the slope in the log rank less its mean, x. */
static double objective(const double *x, const bool *relevant, size_t n, double a, double b)
{
    double sum = 0.5 * a - log1p_exp(a) - 0.5 * b * b / (slope_sd * slope_sd);

    for (size_t i = 0; i < n; i++) {
        const double eta = a + b * x[i];
        sum += (relevant[i] ? eta : 0.0) - log1p_exp(eta);
    }
    return sum;
}

/* Newton's step from (a, b). */
static void newton_step(double step[2], const double *x, const bool *relevant, size_t n, double a,
                        double b)
{
    const double p0 = 1.0 / (1.0 + exp(-a));
    double ga = 0.5 - p0, gb = -b / (slope_sd * slope_sd);
    double haa = p0 * (1.0 - p0), hab = 0.0, hbb = 1.0 / (slope_sd * slope_sd);

    for (size_t i = 0; i < n; i++) {
        const double p = 1.0 / (1.0 + exp(-a - b * x[i]));
        const double residual = (relevant[i] ? 1.0 : 0.0) - p, w = p * (1.0 - p);
        ga += residual;
        gb += residual * x[i];
        haa += w;
        hab += w * x[i];
        hbb += w * x[i] * x[i];
    }
    const double determinant = haa * hbb - hab * hab;
    step[0] = (hbb * ga - hab * gb) / determinant;
    step[1] = (haa * gb - hab * ga) / determinant;
}

int iv_rank_relevance_fit(iv_rank_relevance *out, const double *rank, const bool *relevant,
                          size_t n, iv_err *err)
{
    double a = 0.0, b = 0.0, centre = 0.0;
    size_t found = 0;

    if (n == 0)
        return iv_fail(err, IV_ENODATA, "no judged document to estimate relevance from");
    for (size_t i = 0; i < n; i++) {
        if (!(rank[i] >= 1.0 && isfinite(rank[i])))
            return iv_fail(err, IV_EARG, "rank %g, expected at least 1", rank[i]);
        centre += log(rank[i]) / (double)n;
        found += relevant[i];
    }
    double *x = malloc(n * sizeof *x);
    if (x == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < n; i++)
        x[i] = log(rank[i]) - centre;
    double now = objective(x, relevant, n, a, b);
    for (int round = 0; round < 100; round++) {
        double step[2], next = 0.0, share = 1.0;
        newton_step(step, x, relevant, n, a, b);
        for (int k = 0; k < 40; k++, share *= 0.5) { /* never downhill */
            next = objective(x, relevant, n, a + share * step[0], b + share * step[1]);
            if (next >= now)
                break;
        }
        if (next < now)
            break; /* as good as rounding allows */
        a += share * step[0];
        b += share * step[1];
        now = next;
        if (fabs(step[0]) + fabs(step[1]) < 1e-12)
            break;
    }
    free(x);
    *out = (iv_rank_relevance){ a - b * centre, b, n, found };
    return IV_OK;
}

double iv_rank_relevance_at(const iv_rank_relevance *f, double rank)
{
    const double p = 1.0 / (1.0 + exp(-f->intercept - f->slope * log(rank)));

    return fmin(fmax(p, 1e-12), 1.0 - 1e-12);
}

/* ---------------------------------------------------------------- limits -- */

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

    fenwick_clear(&f);
    for (size_t k = 0; k < x->m; k++) {
        const size_t i = x->a->order[k], place = x->b->place[i];
        const double ia = x->a->inverse[i], ib = x->b->inverse[i];
        double head[2], all[2], cut[2];
        if (!x->open[i])
            continue;
        fenwick_sum(head, &f, place);
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
        fenwick_sum(all, &f, x->m);
        fenwick_sum(cut, &f, from);
        x->positive[i] += fmax(0.0, ia * (all[0] - cut[0]) - (all[1] - cut[1]));
        fenwick_add(&f, place, (const double[]){ 1.0, ib });
    }
}

/* Crossed pairs whose larger rank in b is i's: j behind i in a, before it in b. */
static void walk_down_b(side *x)
{
    iv_fenwick f = { x->tree, x->m, 2 }; /* by place in a: count, 1/rank_a */

    fenwick_clear(&f);
    for (size_t k = 0; k < x->m; k++) {
        const size_t i = x->b->order[k], place = x->a->place[i];
        double head[2], cut[2];
        if (!x->open[i])
            continue;
        const size_t to = places_above(x->a, x->m, x->b->inverse[i]);
        if (to > place) {
            fenwick_sum(head, &f, to);
            fenwick_sum(cut, &f, place);
            x->positive[i] += fmax(0.0, head[1] - cut[1]
                                   - x->b->inverse[i] * (head[0] - cut[0]));
        }
        fenwick_add(&f, place, (const double[]){ 1.0, x->a->inverse[i] });
    }
}

/* Pairs in which the other is behind i in both. */
static void walk_up_a(side *x)
{
    iv_fenwick f = { x->tree, x->m, 1 }; /* by place in b from the end */

    fenwick_clear(&f);
    for (size_t k = x->m; k-- > 0;) {
        const size_t i = x->a->order[k], from_end = x->m - 1 - x->b->place[i];
        const double gain = fmax(0.0, x->a->inverse[i] - x->b->inverse[i]);
        double behind[1];
        if (!x->open[i])
            continue;
        fenwick_sum(behind, &f, from_end);
        x->positive[i] += behind[0];
        fenwick_add(&f, from_end, &gain);
    }
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
        qsort(gain, open, sizeof *gain, iv_descending);
    for (size_t k = 0; k < open; k++) {
        sum += gain[k];
        best = fmax(best, sum / (double)(known + k + 1));
    }
    return fmin(best, 1.0);
}

static int find_limits(double *lower, double *upper, iv_arena *own, const uint32_t *rank_a,
                       const uint32_t *rank_b, const double *relevance, size_t m, iv_err *err)
{
    iv_rank_order a = { 0 }, b = { 0 };
    double base = 0.0;
    size_t count = 0;

    IV_TRY(rank_order_make(&a, own, rank_a, m, err));
    IV_TRY(rank_order_make(&b, own, rank_b, m, err));
    double *known = iv_take(own, m, sizeof *known), *gain = iv_take(own, m, sizeof *gain);
    double *mirrored = iv_take(own, m, sizeof *mirrored);
    double *positive = iv_take(own, m, sizeof *positive);
    double *tree = iv_take(own, 2 * m, sizeof *tree);
    bool *open = iv_take(own, m, sizeof *open);
    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < m; i++) {
        known[i] = relevance[i] == 1.0 ? 1.0 : 0.0;
        open[i] = relevance[i] > 0.0 && relevance[i] < 1.0;
        count += relevance[i] == 1.0;
    }
    linear_sums(gain, &a, known, m);
    linear_sums(mirrored, &b, known, m);
    for (size_t i = 0; i < m; i++) {
        const double l = gain[i] - mirrored[i];
        base += 0.5 * known[i] * (a.inverse[i] - b.inverse[i] + l);
        gain[i] = l;
        mirrored[i] = -l;
    }
    side forward = { m, &a, &b, open, positive, tree };
    side backward = { m, &b, &a, open, positive, tree };
    *upper = upper_limit(&forward, gain, base, count);
    *lower = -upper_limit(&backward, mirrored, -base, count);
    return IV_OK;
}

int iv_ap_difference_limits(double *lower, double *upper, const uint32_t *rank_a,
                            const uint32_t *rank_b, const double *relevance, size_t m,
                            iv_err *err)
{
    IV_TRY(relevance_check(relevance, m, err));
    iv_arena own = { 0 };
    const int rc = find_limits(lower, upper, &own, rank_a, rank_b, relevance, m, err);

    iv_arena_free(&own);
    return rc;
}

/* --------------------------------------------------------------- beliefs -- */

/* Of one pair of systems. */
typedef struct pair_sums {
    uint32_t x, y;
    double s, var_s; /* mean and variance of the number of relevant documents */
    double squares;  /* sum over i < j of c_ij^2 v_i v_j */
    double linear, quadratic; /* sums of v L and v L^2 */
    size_t open; /* documents that are not judged */
} pair_sums;

struct iv_ap_belief {
    iv_arena memory;
    size_t m, systems, pairs;
    bool restricted, union_only;
    double *p, *v, *best; /* best: the largest 1/rank of any system */
    double s;              /* expected number of relevant documents */
    double **inverse, **l; /* of each system */
    double *q;             /* E Q of each system */
    pair_sums *pair;       /* none: what to judge next alone */
    double *moved;         /* of each system, while a document is looked at */
    uint32_t *rank; /* systems x m */
};

/* Is document i one that the pair is about? */
static bool is_of(const iv_ap_belief *b, const pair_sums *x, size_t i)
{
    return !b->restricted || b->inverse[x->x][i] > 0.0 || b->inverse[x->y][i] > 0.0;
}

/* What document i adds to the pair's expected number of relevant ones. */
static double counts_for(const iv_ap_belief *b, const pair_sums *x, size_t i)
{
    return is_of(b, x, i) || (b->v[i] == 0.0 && !b->union_only) ? b->p[i] : 0.0;
}

static void sum_relevant(iv_ap_belief *b)
{
    for (size_t x = 0; x < b->pairs; x++) {
        pair_sums *w = &b->pair[x];
        w->s = w->var_s = 0.0;
        w->open = 0;
        for (size_t i = 0; i < b->m; i++) {
            const bool of = is_of(b, w, i);
            w->s += counts_for(b, w, i);
            w->var_s += of ? b->v[i] : 0.0;
            w->open += of && b->v[i] > 0.0;
        }
    }
}

static void sum_pair(iv_ap_belief *b, size_t x)
{
    const double *la = b->l[b->pair[x].x], *lb = b->l[b->pair[x].y], *v = b->v;
    double linear = 0.0, quadratic = 0.0;

    for (size_t i = 0; i < b->m; i++) {
        const double l = la[i] - lb[i], vl = v[i] * l;
        linear += vl;
        quadratic += vl * l;
    }
    b->pair[x].linear = linear;
    b->pair[x].quadratic = quadratic;
}

static int allocate(iv_ap_belief **out, size_t systems, size_t m, bool order_only, iv_err *err)
{
    iv_ap_belief *b = calloc(1, sizeof *b);

    if (b == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    b->m = m;
    b->systems = systems;
    b->pairs = order_only ? 0 : iv_pair_count(systems);
    double *reals = iv_arena_alloc(&b->memory, ((3 + 2 * systems) * m + 1) * sizeof *reals);
    b->rank = iv_arena_alloc(&b->memory, (systems * m + 1) * sizeof *b->rank);
    b->inverse = iv_arena_alloc(&b->memory, 2 * systems * sizeof *b->inverse);
    b->q = iv_take(&b->memory, systems, sizeof *b->q);
    b->pair = iv_take(&b->memory, b->pairs, sizeof *b->pair);
    b->moved = iv_take(&b->memory, 2 * systems, sizeof *b->moved);
    if (b->memory.failed) {
        iv_ap_belief_free(b);
        return iv_fail(err, IV_ENOMEM, "out of memory");
    }
    b->l = b->inverse + systems;
    b->p = reals;
    b->v = reals + m;
    b->best = reals + 2 * m;
    for (size_t s = 0; s < systems; s++) {
        b->inverse[s] = reals + (3 + 2 * s) * m;
        b->l[s] = b->inverse[s] + m;
    }
    *out = b;
    return IV_OK;
}

static void fill_documents(iv_ap_belief *b, const uint32_t *const *ranks,
                           const double *relevance)
{
    for (size_t i = 0; i < b->m; i++) {
        b->p[i] = relevance[i];
        b->s += relevance[i];
        b->v[i] = relevance[i] * (1.0 - relevance[i]);
        b->best[i] = 0.0;
        for (size_t s = 0; s < b->systems; s++) {
            b->rank[s * b->m + i] = ranks[s][i];
            b->best[i] = fmax(b->best[i], ranks[s][i] == 0 ? 0.0 : 1.0 / ranks[s][i]);
        }
    }
}

/* Rankings and first sums of each system, then the pairs'. */
static int fill_systems(iv_ap_belief *b, iv_arena *own, iv_err *err)
{
    iv_rank_order *r = iv_take(own, b->systems, sizeof *r);
    double *scratch = iv_take(own, 4 * b->m, sizeof *scratch);

    IV_TRY(iv_taken(own, err));
    for (size_t s = 0; s < b->systems; s++) {
        r[s].inverse = b->inverse[s];
        IV_TRY(rank_order_make(&r[s], own, b->rank + s * b->m, b->m, err));
        linear_sums(b->l[s], &r[s], b->p, b->m);
        for (size_t i = 0; i < b->m; i++)
            b->q[s] += 0.5 * b->p[i] * (b->inverse[s][i] + b->l[s][i]);
    }
    for (size_t at = 0; at < b->pairs; at++) {
        size_t x, y;
        iv_pair_at(&x, &y, b->systems, at);
        b->pair[at] = (pair_sums){ .x = (uint32_t)x, .y = (uint32_t)y,
                                   .squares = pair_squares(&r[x], &r[y], b->v, b->m, scratch) };
        sum_pair(b, at);
    }
    sum_relevant(b);
    return IV_OK;
}

int iv_ap_belief_new(iv_ap_belief **out, const uint32_t *const *ranks, size_t systems,
                     const double *relevance, size_t m, bool order_only, iv_err *err)
{
    iv_ap_belief *b = NULL;
    iv_arena scratch = { 0 };

    IV_TRY(relevance_check(relevance, m, err));
    if (systems < 2)
        return iv_fail(err, IV_EARG, "%zu systems, expected at least two", systems);
    IV_TRY(allocate(&b, systems, m, order_only, err));
    fill_documents(b, ranks, relevance);
    const int rc = fill_systems(b, &scratch, err);
    iv_arena_free(&scratch);
    if (rc == IV_OK)
        *out = b;
    else
        iv_ap_belief_free(b);
    return rc;
}

IV_FREES(ap_belief, memory)

void iv_ap_belief_restrict(iv_ap_belief *b, bool union_only)
{
    b->restricted = true;
    b->union_only = union_only;
    sum_relevant(b);
}

/* The pair's sum of squares without, or with, the terms of document k. */
static double squares_of(const iv_ap_belief *b, const pair_sums *x, size_t k)
{
    const double *ia = b->inverse[x->x], *ib = b->inverse[x->y], *v = b->v;
    const double ka = ia[k], kb = ib[k];
    double sum = 0.0;

    for (size_t i = 0; i < b->m; i++) {
        const double c = (ia[i] < ka ? ia[i] : ka) - (ib[i] < kb ? ib[i] : kb);
        sum += v[i] * c * c;
    }
    return sum - v[k] * (ka - kb) * (ka - kb);
}

void iv_ap_belief_judge(iv_ap_belief *b, size_t k, bool relevant)
{
    const double step = (relevant ? 1.0 : 0.0) - b->p[k], v = b->v[k];

    for (size_t x = 0; x < b->pairs; x++) {
        pair_sums *w = &b->pair[x];
        const bool of = is_of(b, w, k);
        if (v > 0.0) {
            w->squares = fmax(0.0, w->squares - v * squares_of(b, w, k));
            w->var_s -= of ? v : 0.0;
            w->open -= of;
        }
        w->s += of ? step : b->union_only ? 0.0 : (relevant ? 1.0 : 0.0) - counts_for(b, w, k);
    }
    b->s += step;
    b->p[k] = relevant ? 1.0 : 0.0;
    b->v[k] = 0.0;
    for (size_t s = 0; s < b->systems; s++) {
        double *l = b->l[s];
        const double *inverse = b->inverse[s];
        const double own = l[k], most = inverse[k];
        b->q[s] += step * own;
        for (size_t i = 0; i < b->m; i++)
            l[i] += step * (inverse[i] < most ? inverse[i] : most);
        l[k] = own;
    }
    for (size_t x = 0; x < b->pairs; x++) {
        if (b->pair[x].open == 0)
            b->pair[x].squares = b->pair[x].var_s = 0.0;
        sum_pair(b, x);
    }
}

double iv_ap_belief_relevance(const iv_ap_belief *b, size_t i)
{
    return b->p[i];
}

iv_moments iv_ap_belief_moments(const iv_ap_belief *b, size_t pair, iv_moments_form form)
{
    const pair_sums *x = &b->pair[pair];
    iv_moments out = { 0.0, 0.0 };

    if (!(x->s > 0.0))
        return out; /* nothing can be relevant */
    const double square = x->s * x->s, var_q = x->quadratic + x->squares;
    const double rho = (b->q[x->x] - b->q[x->y]) / x->s;
    out.mean = rho;
    out.variance = var_q / square;
    if (form != IV_MOMENTS_PLAIN) {
        out.mean += (rho * x->var_s - x->linear) / square;
        out.variance = (var_q - 2.0 * rho * x->linear + rho * rho * x->var_s) / square;
    }
    out.variance = fmax(out.variance, 0.0);
    return out;
}

/*
 * The sum over pairs of |a - b|, of n numbers and m others in rising order, without pairs of two
 * others: each gap between neighbours counts for the pairs that it separates.
 */
static double sum_of_gaps(const double *some, size_t n, const double *others, size_t m)
{
    double sum = 0.0, last = 0.0;

    for (size_t i = 0, j = 0; i + j < n + m;) {
        const bool other = i == n || (j < m && others[j] < some[i]);
        const double next = other ? others[j] : some[i];
        const double apart = (double)(i + j) * (double)(n + m - i - j);
        const double pairs = apart - (double)j * (double)(m - j);
        sum += pairs > 0.0 ? pairs * (next - last) : 0.0;
        last = next;
        *(other ? &j : &i) += 1;
    }
    return sum;
}

/* The sum over all pairs that document i is of, of how far it moves them. */
static double moved_in_all(const iv_ap_belief *b, size_t i)
{
    double *some = b->moved + b->systems, *others = b->moved + 2 * b->systems;
    size_t n = 0, m = 0;

    for (size_t s = 0; s < b->systems; s++) {
        if (!b->restricted || b->inverse[s][i] > 0.0)
            some[n++] = b->moved[s];
        else
            *(others - ++m) = b->moved[s];
    }
    others -= m;
    qsort(some, n, sizeof *some, iv_ascending);
    qsort(others, m, sizeof *others, iv_ascending);
    return sum_of_gaps(some, n, others, m);
}

/* The same of the pairs that are wanted. */
static double moved_in_pairs(const iv_ap_belief *b, const bool *wanted, size_t i)
{
    double sum = 0.0;

    for (size_t x = 0; x < b->pairs; x++)
        if ((wanted == NULL || wanted[x]) && is_of(b, &b->pair[x], i))
            sum += fabs(b->moved[b->pair[x].x] - b->moved[b->pair[x].y]);
    return sum;
}

double iv_ap_belief_movement(const iv_ap_belief *b, const bool *wanted, size_t i)
{
    const double p = b->p[i], v = b->v[i], without = b->s - p, with = without + 1.0;
    /* Without it nothing can be relevant: the difference is 0 then. */
    const bool only = without <= 1e-9;

    if (v == 0.0)
        return 0.0;
    for (size_t s = 0; s < b->systems; s++)
        b->moved[s] = only ? b->q[s] + (1.0 - p) * b->l[s][i] : b->l[s][i] * b->s - b->q[s];
    return 2.0 * v * (b->pairs == 0 ? moved_in_all(b, i) : moved_in_pairs(b, wanted, i))
        / (only ? with : with * without);
}

size_t iv_ap_belief_next(double *movement, const iv_ap_belief *b, const bool *wanted,
                         const bool *open)
{
    const double slack = 1e-12, least = 1e-15;
    size_t best = SIZE_MAX;
    double most = least;

    for (size_t i = 0; i < b->m; i++) {
        if (open != NULL && !open[i])
            continue;
        const double moves = iv_ap_belief_movement(b, wanted, i);
        if (moves < most * (1.0 - slack))
            continue;
        if (moves > most * (1.0 + slack) || (best != SIZE_MAX && b->best[i] > b->best[best])) {
            best = i;
            most = moves;
        }
    }
    if (movement != NULL)
        *movement = best == SIZE_MAX ? 0.0 : most;
    return best;
}

int iv_ap_belief_limits(double *lower, double *upper, const iv_ap_belief *b, size_t x,
                        size_t y, iv_err *err)
{
    const pair_sums *pair = &b->pair[iv_pair_index(b->systems, x < y ? x : y, x < y ? y : x)];
    iv_arena scratch = { 0 };
    uint32_t *ranks = iv_arena_alloc(&scratch, (2 * b->m + 1) * sizeof *ranks);
    double *p = iv_arena_alloc(&scratch, (b->m + 1) * sizeof *p);
    size_t n = 0;
    int rc = iv_taken(&scratch, err);

    for (size_t i = 0; i < b->m && rc == IV_OK; i++) {
        if (!is_of(b, pair, i) && counts_for(b, pair, i) == 0.0)
            continue;
        ranks[n] = b->rank[x * b->m + i];
        ranks[b->m + n] = b->rank[y * b->m + i];
        p[n++] = b->p[i];
    }
    if (rc == IV_OK)
        rc = iv_ap_difference_limits(lower, upper, ranks, ranks + b->m, p, n, err);
    iv_arena_free(&scratch);
    return rc;
}
