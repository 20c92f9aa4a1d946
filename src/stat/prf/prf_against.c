/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comparison of independent posteriors.
 *
 * On the common logit scale P(A > B) is the integral of A's density times B's
 * distribution function.  Both are polynomials between the edges of their
 * panels, and Gauss' rule between all the edges is exact for the product.
 */
#include <math.h>
#include <stdlib.h>

#include "base/checking.h"
#include "base/memory.h"
#include "base/order.h"
#include "stat/prf/prf_state.h"

/* All edges within p's own range, as offsets from p's centre, sorted. */
static int merge_edges(iv_cuts *cuts, const iv_posterior *p,
                       const iv_posterior *const *all, size_t count, iv_err *err)
{
    const double low = p->panels.edge[0], high = p->panels.edge[p->panels.count];
    size_t need = 0;

    for (size_t i = 0; i < count; i++)
        need += all[i]->panels.count + 1;
    double *grown = iv_grow(cuts->at, &cuts->capacity, need, sizeof *cuts->at);
    if (grown == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    cuts->at = grown;
    cuts->count = 0;
    for (size_t i = 0; i < count; i++) {
        const double shift = all[i]->centre - p->centre;
        for (size_t k = 0; k <= all[i]->panels.count; k++) {
            const double at = all[i] == p ? p->panels.edge[k] : all[i]->panels.edge[k] + shift;
            if (at >= low && at <= high)
                cuts->at[cuts->count++] = at;
        }
    }
    qsort(cuts->at, cuts->count, sizeof *cuts->at, iv_rising);
    return IV_OK;
}

/* P(p is above all the others). */
static double above_all(const iv_cuts *cuts, const iv_posterior *p,
                        const iv_posterior *const *all, size_t count)
{
    double sum = 0.0;

    for (size_t i = 0; i + 1 < cuts->count; i++) {
        const double from = cuts->at[i], half = 0.5 * (cuts->at[i + 1] - from);
        for (size_t k = 0; k < IV_GAUSS_NODES && half > 0.0; k++) {
            const double at = from + half * (1.0 + iv_gauss_node(k));
            double f = half * iv_gauss_weight(k) * iv_panels_density(&p->panels, at);
            for (size_t j = 0; j < count && f > 0.0; j++) {
                if (all[j] != p)
                    f *= iv_panels_below(&all[j]->panels, at + (p->centre - all[j]->centre));
            }
            sum += f;
        }
    }
    return fmin(1.0, sum);
}

int iv_posterior_greater(double *out, const iv_posterior *a, const iv_posterior *b,
                         iv_err *err)
{
    IV_TRY(iv_check_given(a, "a posterior", err));
    IV_TRY(iv_check_given(b, "a posterior", err));
    const iv_posterior *both[2] = { a, b };
    iv_cuts cuts = { 0 };

    if (a == b) {
        *out = 0.5;
        return IV_OK;
    }
    const int rc = merge_edges(&cuts, a, both, 2, err);
    if (rc == IV_OK)
        *out = above_all(&cuts, a, both, 2);
    free(cuts.at);
    return rc;
}

int iv_posterior_best(double *out, const iv_posterior *const *p, size_t count, iv_err *err)
{
    IV_TRY(iv_check_each(p, count, "posterior", err));
    iv_cuts cuts = { 0 };
    int rc = IV_OK;

    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (p[i] == p[j])
                return iv_fail(err, IV_EARG, "a posterior is there twice");
    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        rc = merge_edges(&cuts, p[i], p, count, err);
        if (rc == IV_OK)
            out[i] = above_all(&cuts, p[i], p, count);
    }
    free(cuts.at);
    return rc;
}

/* The search for a quantile of A - B. */
typedef struct gap_search {
    iv_side a, b; /* b mirrored */
    iv_cuts cuts;
    double wanted;
    bool failed;
} gap_search;

static gap_search start(const iv_posterior *a, const iv_posterior *b)
{
    return (gap_search){ .a = { &a->panels, a->centre, a->deviation, false, NULL },
                         .b = { &b->panels, b->centre, b->deviation, true, NULL } };
}

/* At x = from_2 - 2: roots are found to 1e-16 of themselves, and one near 0
 * would be sought beyond what the integral tells. */
static double gap_excess(double from_2, void *user)
{
    gap_search *s = user;
    const double x = from_2 - 2.0;
    double below = 0.0;

    if (x <= -1.0 || x >= 1.0)
        return (x <= -1.0 ? 0.0 : 1.0) - s->wanted;
    if (iv_sum_below(&below, &s->a, &s->b, (iv_halfway){ 0.5 * (1.0 + x), 0.5 * (1.0 - x) },
                     &s->cuts, NULL) < 0)
        s->failed = true;
    return below - s->wanted;
}

/* The x with P(A - B <= x) = q; looks near a guess first. */
static int gap_quantile(double *out, gap_search *s, double q, double guess, double step,
                        iv_err *err)
{
    double low = fmax(1.0, guess + 2.0 - step), high = fmin(3.0, guess + 2.0 + step);
    double root = 2.0;
    int rc;

    s->wanted = q;
    while (low > 1.0 && gap_excess(low, s) > 0.0) {
        high = low;
        step *= 2.0;
        low = fmax(1.0, low - step);
    }
    while (high < 3.0 && gap_excess(high, s) < 0.0) {
        low = high;
        step *= 2.0;
        high = fmin(3.0, high + step);
    }
    rc = iv_find_root(&root, gap_excess, s, low, high, err);
    *out = root - 2.0;
    if (s->failed)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    return rc;
}

int iv_posterior_compare(iv_posterior_gap *out, const iv_posterior *a,
                         const iv_posterior *b, double confidence, iv_err *err)
{
    IV_TRY(iv_check_given(a, "a posterior", err));
    IV_TRY(iv_check_given(b, "a posterior", err));
    iv_posterior_gap gap = { .mean = a->mean - b->mean };
    gap_search s = start(a, b);
    IV_TRY(iv_prf_check_confidence(&confidence, err));
    const double tail = 0.5 * (1.0 - confidence);
    const double sd = hypot(a->deviation, b->deviation), z = -iv_norm_quantile(tail);
    int rc = iv_posterior_greater(&gap.greater, a, b, err);
    if (rc == IV_OK)
        rc = gap_quantile(&gap.lower, &s, tail, gap.mean - z * sd, 0.2 * sd, err);
    if (rc == IV_OK)
        rc = gap_quantile(&gap.upper, &s, 1.0 - tail, gap.mean + z * sd, 0.2 * sd, err);
    free(s.cuts.at);
    if (rc == IV_OK)
        *out = gap;
    return rc;
}

int iv_posterior_gap_cdf(double *out, const iv_posterior *a, const iv_posterior *b,
                         double x, iv_err *err)
{
    gap_search s = start(a, b);

    const double below = gap_excess(x + 2.0, &s);
    free(s.cuts.at);
    if (s.failed)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    *out = below;
    return IV_OK;
}
