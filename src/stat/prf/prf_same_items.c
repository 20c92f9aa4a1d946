/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two systems on the same items: which of them was right alone, how often?
 *
 * With (pi_a, pi_b, rest) ~ Dirichlet(a, b, r) the share W of pi_a in
 * pi_a + pi_b is Beta(a, b) and independent of S = pi_a + pi_b ~ Beta(a+b, r).
 * So P(pi_a > pi_b) = P(W > 1/2), an incomplete beta function, where the paper
 * draws; and pi_a - pi_b = S (2W - 1) has
 *
 *     P(S (2W-1) <= x) = E P(2W - 1 <= x/S),
 *
 * one integral over S.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/order.h"
#include "stat/prf/prf_state.h"

double iv_paired_greater(iv_paired_cells c)
{
    return iv_beta_cdf(0.5, c.b, c.a);
}

double iv_paired_difference(iv_paired_cells c)
{
    return (c.a - c.b) / (c.a + c.b + c.rest);
}

double iv_paired_log_odds(iv_paired_cells c)
{
    return iv_digamma(c.a) - iv_digamma(c.b);
}

/* The two factors, tabulated, and what is looked for. */
typedef struct product {
    iv_panels s, w;
    double s_centre, w_centre;
    double x, wanted;
    iv_cuts cuts;
    iv_err *err;
    int rc;
} product;

static int product_new(product *p, iv_paired_cells c, iv_err *err)
{
    const iv_logit_beta s = iv_logit_beta_of(c.a + c.b, c.rest);
    const iv_logit_beta w = iv_logit_beta_of(c.a, c.b);

    *p = (product){ .s_centre = s.centre, .w_centre = w.centre, .err = err };
    IV_TRY(iv_logit_beta_panels(&p->s, &s, err));
    return iv_logit_beta_panels(&p->w, &w, err);
}

static void product_clear(product *p)
{
    iv_panels_clear(&p->s);
    iv_panels_clear(&p->w);
    free(p->cuts.at);
}

/* Density of S times P(2W - 1 <= x/S), by S's logit. */
static double slice(double offset, const product *p)
{
    const double share = p->x / iv_logistic(p->s_centre + offset);

    if (share >= 1.0 || share <= -1.0)
        return share < 0.0 ? 0.0 : iv_panels_density(&p->s, offset);
    return iv_panels_density(&p->s, offset)
           * iv_panels_below(&p->w, iv_logit_of(1.0 + share, 1.0 - share) - p->w_centre);
}

/* Cuts of S's logit: its own edges, and where x/S crosses an edge of W. */
static bool cut(product *p, double x)
{
    bool ok = true;

    p->cuts.count = 0;
    for (size_t i = 0; i <= p->s.count && ok; i++)
        ok = iv_add_cut(&p->cuts, p->s.edge[i]);
    for (size_t i = 0; i < p->w.count && ok; i++) {
        const double low = p->w_centre + p->w.edge[i], high = p->w_centre + p->w.edge[i + 1];
        const double pieces = ceil(fmin(high - low, 100.0));
        for (double k = 0.0; k < pieces && ok; k += 1.0) {
            const double t = low + (high - low) * k / pieces;
            const double s = x / tanh(0.5 * t); /* 2w - 1 = tanh(t/2) */
            const double at = iv_logit_of(s, 1.0 - s) - p->s_centre;
            if (at > p->s.edge[0] && at < p->s.edge[p->s.count])
                ok = iv_add_cut(&p->cuts, at);
        }
    }
    if (ok)
        qsort(p->cuts.at, p->cuts.count, sizeof *p->cuts.at, iv_rising);
    return ok;
}

static int product_below(double *out, product *p, double x)
{
    double sum = 0.0;

    p->x = x;
    if (!cut(p, x))
        return iv_fail(p->err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i + 1 < p->cuts.count; i++) {
        const double from = p->cuts.at[i], half = 0.5 * (p->cuts.at[i + 1] - from);
        for (size_t k = 0; k < IV_GAUSS_NODES && half > 0.0; k++)
            sum += half * iv_gauss_weight(k) * slice(from + half * (1.0 + iv_gauss_node(k)), p);
    }
    *out = fmin(1.0, sum);
    return IV_OK;
}

/* At x = from_2 - 2, so that a root near 0 is found to 1e-16, not beyond. */
static double excess(double from_2, void *user)
{
    product *p = user;
    const double x = from_2 - 2.0;
    double below = 0.0;

    if (x <= -1.0 || x >= 1.0)
        return (x < 0.0 ? 0.0 : 1.0) - p->wanted;
    const int rc = product_below(&below, p, x);
    if (rc < 0)
        p->rc = rc;
    return below - p->wanted;
}

static int check(iv_paired_cells c, iv_err *err)
{
    if (c.a > 0.0 && c.b > 0.0 && c.rest > 0.0 && c.a + c.b + c.rest <= 4e13)
        return IV_OK;
    return iv_fail(err, IV_EARG, "cells %g, %g, %g, expected all above 0", c.a, c.b, c.rest);
}

int iv_paired_gap_cdf(double *out, iv_paired_cells c, double x, iv_err *err)
{
    product p = { .err = NULL };
    IV_TRY(check(c, err));
    int rc = product_new(&p, c, err);
    if (rc == IV_OK && (x <= -1.0 || x >= 1.0))
        *out = x < 0.0 ? 0.0 : 1.0;
    else if (rc == IV_OK)
        rc = product_below(out, &p, x);
    product_clear(&p);
    return rc;
}

int iv_paired_compare(iv_posterior_gap *out, iv_paired_cells c, double confidence,
                      iv_err *err)
{
    product p = { .err = NULL };
    iv_posterior_gap gap = { 0.0, 0.0, 0.0, 0.0 };
    int rc = check(c, err);

    if (rc == IV_OK)
        rc = iv_prf_check_confidence(&confidence, err);
    if (rc < 0)
        return rc;
    gap.greater = iv_paired_greater(c);
    gap.mean = iv_paired_difference(c);
    rc = product_new(&p, c, err);
    p.wanted = 0.5 * (1.0 - confidence);
    if (rc == IV_OK)
        rc = iv_find_root(&gap.lower, excess, &p, 1.0, 3.0, err);
    p.wanted = 0.5 * (1.0 + confidence);
    if (rc == IV_OK)
        rc = iv_find_root(&gap.upper, excess, &p, 1.0, 3.0, err);
    if (rc == IV_OK)
        rc = p.rc;
    product_clear(&p);
    gap.lower -= 2.0;
    gap.upper -= 2.0;
    if (rc == IV_OK)
        *out = gap;
    return rc;
}

double iv_mcnemar(int64_t a_only, int64_t b_only)
{
    const int64_t least = a_only < b_only ? a_only : b_only;

    return fmin(1.0, 2.0 * iv_binom_cdf(least, a_only + b_only, 0.5));
}
