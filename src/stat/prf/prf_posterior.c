/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The posterior of one metric.
 *
 * Precision, recall, specificity and accuracy are beta variables.  F_1 has
 * twice the odds of one: F/(1-F) = 2 X/(Y+Z) with X, Y, Z the gamma variables
 * of TP, FP, FN, and X/(X+Y+Z) ~ Beta(tp, fp+fn); on the logit scale a shift
 * by log 2.
 */
#include "base/memory.h"
#include "base/checking.h"
#include "stat/prf/prf_state.h"

#include <math.h>
#include <stdlib.h>

enum { DEPTH = 52 }; /* exp(-52) of the peak is nothing */

static double beta_density(double offset, void *user)
{
    return iv_logit_beta_density(user, offset);
}

int iv_logit_beta_panels(iv_panels *out, const iv_logit_beta *t, iv_err *err)
{
    iv_logit_beta copy = *t;
    const double s = t->spread;
    const double low = -iv_logit_beta_reach(t, DEPTH, false);
    const double high = iv_logit_beta_reach(t, DEPTH, true);
    const double seeds[] = { low, -8.0 * s, -4.0 * s, -2.0 * s, 0.0,
                             2.0 * s, 4.0 * s, 8.0 * s, high };
    double kept[9];
    size_t count = 0;

    for (size_t i = 0; i < 9; i++) {
        if (seeds[i] >= low && seeds[i] <= high)
            kept[count++] = seeds[i];
    }
    return iv_panels_fill(out, beta_density, &copy, kept, count, err);
}

double iv_posterior_logit_slope(const iv_posterior *p, double offset)
{
    if (p->odds > 0.0) {
        const double x = iv_logistic(p->beta.centre + offset);
        const double y = iv_logistic(-p->beta.centre - offset);
        return p->beta.a * y - p->beta.b * x;
    }
    return iv_panels_slope(&p->panels, offset) / iv_panels_density(&p->panels, offset);
}

void iv_posterior_moments(iv_posterior *p)
{
    double mass = 0.0, sum = 0.0, squares = 0.0;

    for (int pass = 0; pass < 2; pass++) {
        mass = sum = squares = 0.0;
        for (size_t i = 0; i < p->panels.count; i++) {
            const double from = p->panels.edge[i], half = 0.5 * (p->panels.edge[i + 1] - from);
            for (size_t k = 0; k < IV_GAUSS_NODES; k++) {
                const double at = from + half * (1.0 + iv_gauss_node(k));
                const double w = half * iv_gauss_weight(k) * iv_panels_density(&p->panels, at);
                const double d = iv_logistic(p->centre + at) - p->mean;
                mass += w;
                sum += w * d;
                squares += w * d * d;
            }
        }
        p->mean += sum / mass; /* about 0 the first time, about the mean then */
    }
    p->deviation = sqrt(squares / mass);
}

/* Odds of X = odds x odds of Beta(a, b). */
static int fill_beta(iv_posterior *p, double a, double b, double odds, iv_err *err)
{
    p->beta = iv_logit_beta_of(a, b);
    p->odds = odds;
    p->centre = p->beta.centre + log(odds);
    p->low = a;
    p->high = b;
    IV_TRY(iv_logit_beta_panels(&p->panels, &p->beta, err));
    iv_posterior_moments(p);
    if (odds == 1.0)
        p->mean = a / (a + b);
    return IV_OK;
}

static bool in_domain(double a)
{
    return a > 0.0 && a <= 1e13;
}

int iv_posterior_beta(iv_posterior **out, double a, double b, iv_err *err)
{
    if (!in_domain(a) || !in_domain(b))
        return iv_fail(err, IV_EARG, "Beta(%g, %g), expected parameters above 0 to 1e13", a,
                       b);
    iv_posterior *p = calloc(1, sizeof *p);
    if (p == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    const int rc = fill_beta(p, a, b, 1.0, err);
    if (rc < 0) {
        iv_posterior_free(p);
        return rc;
    }
    *out = p;
    return IV_OK;
}

static int check(const iv_prf_cells *c, iv_prf_metric m, iv_err *err)
{
    if (!in_domain(c->tp) || !in_domain(c->fp) || !in_domain(c->fn)
        || (c->tn != 0.0 && !in_domain(c->tn)))
        return iv_fail(err, IV_EARG, "a cell of the posterior is not above 0");
    if (m.kind >= IV_PRF_SPECIFICITY && c->tn == 0.0)
        return iv_fail(err, IV_EARG, "the metric needs the number of true negatives");
    if (m.kind == IV_PRF_F && !(m.beta >= 0.01 && m.beta <= 100.0))
        return iv_fail(err, IV_EARG, "beta of F is %g, expected 0.01 to 100", m.beta);
    return IV_OK;
}

static int fill(iv_posterior *p, const iv_prf_cells *c, iv_prf_metric m, iv_err *err)
{
    switch (m.kind) {
    case IV_PRF_PRECISION:
        return fill_beta(p, c->tp, c->fp, 1.0, err);
    case IV_PRF_RECALL:
        return fill_beta(p, c->tp, c->fn, 1.0, err);
    case IV_PRF_SPECIFICITY:
        return fill_beta(p, c->tn, c->fp, 1.0, err);
    case IV_PRF_ACCURACY:
        return fill_beta(p, c->tp + c->tn, c->fp + c->fn, 1.0, err);
    case IV_PRF_F:
        if (m.beta == 1.0)
            return fill_beta(p, c->tp, c->fp + c->fn, 2.0, err);
        return iv_posterior_f_beta(p, c, m.beta, err);
    case IV_PRF_BALANCED_ACCURACY:
        return iv_posterior_balanced(p, c, err);
    case IV_PRF_MCC:
        break;
    }
    return iv_fail(err, IV_EARG, "the correlation coefficient has no closed form: draw it");
}

int iv_posterior_prf(iv_posterior **out, const iv_prf_cells *c, iv_prf_metric m,
                     iv_err *err)
{
    IV_TRY(iv_check_given(c, "cells", err));
    IV_TRY(check(c, m, err));
    iv_posterior *p = calloc(1, sizeof *p);
    if (p == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    int rc = fill(p, c, m, err);
    if (rc < 0) {
        iv_posterior_free(p);
        return rc;
    }
    *out = p;
    return IV_OK;
}

void iv_posterior_free(iv_posterior *p)
{
    if (p == NULL)
        return;
    iv_panels_clear(&p->panels);
    free(p);
}

double iv_posterior_mean(const iv_posterior *p)
{
    return p->mean;
}
