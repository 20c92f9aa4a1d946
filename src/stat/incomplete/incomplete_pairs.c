/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums over all pairs of documents in O(m log m).
 *
 * Take two documents, j behind i in the ranking of a.  If j is behind i in b
 * too, c_ij = 1/rank_a(j) - 1/rank_b(j) whatever i is; if not, c_ij =
 * 1/rank_a(j) - 1/rank_b(i), whose square is a polynomial in 1/rank_b(i).  So
 * walking down a, with what was met kept in trees over the places of b, one
 * prefix and one suffix sum a document are enough.  Neither subtracts large
 * sums from each other, which matters when a and b are nearly the same.
 */
#include "stat/incomplete/incomplete_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Twice a rank, of which there is none in a run. */
static int same_rank(uint32_t rank, iv_err *err)
{
    return iv_fail(err, IV_EARG, "two documents at rank %u", rank);
}

static int by_rank(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

    return (a > b) - (a < b);
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
        qsort(list, n, sizeof *list, by_rank);
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
int iv_rank_order_fill(iv_rank_order *r, const uint32_t *rank, size_t m, iv_err *err)
{
    uint32_t deepest = 0;
    size_t n = 0;

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

iv_moments iv_ratio_moments(const iv_ratio_sums *x, iv_moments_form form)
{
    iv_moments out = { 0.0, 0.0 };

    if (!(x->s > 0.0))
        return out; /* nothing can be relevant */
    const double rho = x->q / x->s, square = x->s * x->s;
    out.mean = rho;
    out.variance = x->var_q / square;
    if (form != IV_MOMENTS_PLAIN) {
        out.mean += (rho * x->var_s - x->covariance) / square;
        out.variance = (x->var_q - 2.0 * rho * x->covariance + rho * rho * x->var_s) / square;
    }
    out.variance = fmax(out.variance, 0.0);
    return out;
}
