/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mean and variance of a difference in average precision.
 *
 * Write X_i = p_i + Z_i.  Then Q = E Q + sum L_i Z_i + sum_{i<j} c_ij Z_i Z_j
 * with uncorrelated terms, so that with v_i = p_i (1 - p_i)
 *
 *     Var Q = sum v_i L_i^2 + sum_{i<j} c_ij^2 v_i v_j,   Cov(Q, S) = sum v_i L_i,
 *     L_i = c_ii + sum_{j != i} c_ij p_j,   E Q = sum p_i (c_ii + L_i) / 2.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checking.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/order.h"
#include "intervale/stat.h"
#include "stat/incomplete/incomplete_parts.h"
#include "num/num_private.h"

/* --------------------------------------------------------------- moments -- */

IV_NAMES(iv_moments_form_names, "delta", "plain")

/* Two values that are equal in truth differ by rounding. */
static const double same_mean = 1e-13, no_variance = 1e-28;

/* Mean over standard deviation; infinite when there is no doubt. */
static double signal(iv_moments d)
{
    if (d.variance > no_variance)
        return d.mean / sqrt(d.variance);
    return fabs(d.mean) <= same_mean ? 0.0 : copysign((double)INFINITY, d.mean);
}

double iv_probability_less(iv_moments d)
{
    return iv_norm_cdf(-signal(d));
}

double iv_sign_confidence(iv_moments d)
{
    return iv_norm_cdf(fabs(signal(d)));
}

/* ------------------------------------------------------- sums over pairs -- */

/* Twice a rank, of which there is none in a run. */
static int same_rank(uint32_t rank, iv_err *err)
{
    return iv_fail(err, IV_EARG, "two documents at rank %u", rank);
}

/* Ranks with gaps: sorted with their documents in one word. */
static int order_sparse(size_t *placed, iv_rank_order *r, const uint32_t *rank, size_t m,
                        iv_err *err)
{
    uint64_t *list = malloc((m + 1) * sizeof *list);
    size_t n = 0;
    int rc = list == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    for (size_t i = 0; i < m && rc == IV_OK; i++)
        if (rank[i] != 0)
            list[n++] = (uint64_t)rank[i] << 32 | i;
    if (rc == IV_OK)
        qsort(list, n, sizeof *list, iv_rising_words);
    for (size_t k = 0; k < n && rc == IV_OK; k++) {
        r->order[k] = (uint32_t)list[k];
        if (k > 0 && list[k] >> 32 == list[k - 1] >> 32)
            rc = same_rank((uint32_t)(list[k] >> 32), err);
    }
    free(list);
    *placed = n;
    return rc;
}

/* Ranks 1 to `deepest`, at most as many as documents: each document has its place. */
static int order_dense(size_t *placed, iv_rank_order *r, const uint32_t *rank, size_t m,
                       uint32_t deepest, iv_err *err)
{
    size_t n = 0;

    memset(r->order, 0xff, deepest * sizeof *r->order);
    for (size_t i = 0; i < m; i++) {
        if (rank[i] == 0)
            continue;
        if (r->order[rank[i] - 1] != UINT32_MAX)
            return same_rank(rank[i], err);
        r->order[rank[i] - 1] = (uint32_t)i;
    }
    for (uint32_t k = 0; k < deepest; k++)
        if (r->order[k] != UINT32_MAX)
            r->order[n++] = r->order[k];
    *placed = n;
    return IV_OK;
}

/* Documents that are not returned come last, in the order of their numbers. */
int iv_rank_order_make(iv_rank_order *r, iv_arena *own, const uint32_t *rank, size_t m,
                       iv_err *err)
{
    uint32_t deepest = 0;
    size_t n = 0;

    if (r->inverse == NULL)
        r->inverse = iv_take(own, m, sizeof *r->inverse);
    r->order = iv_take(own, m, sizeof *r->order);
    r->place = iv_take(own, m, sizeof *r->place);
    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < m; i++) {
        r->inverse[i] = rank[i] == 0 ? 0.0 : 1.0 / rank[i];
        deepest = rank[i] > deepest ? rank[i] : deepest;
    }
    IV_TRY(deepest <= m ? order_dense(&n, r, rank, m, deepest, err)
                        : order_sparse(&n, r, rank, m, err));
    for (size_t i = 0; i < m; i++)
        if (rank[i] == 0)
            r->order[n++] = (uint32_t)i;
    for (size_t k = 0; k < m; k++)
        r->place[r->order[k]] = (uint32_t)k;
    return IV_OK;
}

int iv_relevance_check(const double *relevance, size_t m, iv_err *err)
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

void iv_linear_sums(double *sums, const iv_rank_order *r, const double *p, size_t m)
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

void iv_fenwick_clear(iv_fenwick *f)
{
    for (size_t i = 0; i < f->m * f->width; i++)
        f->tree[i] = 0.0;
}

void iv_fenwick_add(iv_fenwick *f, size_t place, const double *value)
{
    for (size_t i = place + 1; i <= f->m; i += i & (~i + 1)) {
        for (size_t k = 0; k < f->width; k++)
            f->tree[(i - 1) * f->width + k] += value[k];
    }
}

void iv_fenwick_sum(double *sum, const iv_fenwick *f, size_t places)
{
    for (size_t k = 0; k < f->width; k++)
        sum[k] = 0.0;
    for (size_t i = places; i > 0; i &= i - 1) {
        for (size_t k = 0; k < f->width; k++)
            sum[k] += f->tree[(i - 1) * f->width + k];
    }
}

double iv_pair_squares(const iv_rank_order *a, const iv_rank_order *b, const double *v, size_t m,
                       double *scratch)
{
    iv_fenwick before = { scratch, m, 1 };     /* v by place in b */
    iv_fenwick behind = { scratch + m, m, 3 }; /* v / rank_b^k, from the end */
    double sum = 0.0;

    iv_fenwick_clear(&before);
    iv_fenwick_clear(&behind);
    for (size_t k = 0; k < m; k++) {
        const size_t j = a->order[k], place = b->place[j];
        const double ia = a->inverse[j], ib = b->inverse[j];
        double same[1], other[3];
        if (v[j] == 0.0 || (ia == 0.0 && ib == 0.0)) /* in neither: c_ij is 0 */
            continue;
        iv_fenwick_sum(same, &before, place);
        iv_fenwick_sum(other, &behind, m - 1 - place);
        sum += v[j] * ((ia - ib) * (ia - ib) * same[0]
                       + (ia * ia * other[0] - 2.0 * ia * other[1] + other[2]));
        iv_fenwick_add(&before, place, &v[j]);
        iv_fenwick_add(&behind, m - 1 - place,
                       (const double[]){ v[j], v[j] * ib, v[j] * ib * ib });
    }
    return fmax(sum, 0.0);
}

/* ----------------------------------------------------- relevance by rank -- */

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
    IV_TRY(iv_check_list(rank, n, "rank", err));
    IV_TRY(iv_check_list(relevant, n, "judgment", err));
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
