/* SPDX-License-Identifier: Apache-2.0 */
/*
 * F_beta for beta other than 1.
 *
 * With X, Y, Z the gamma variables of TP, FP, FN and w = Y/(Y+Z),
 *
 *     odds of F = (1+b^2) X / (b^2 Z + Y) = X/(Y+Z) (1+b^2)/(b^2 (1-w) + w),
 *
 * and X/(Y+Z) is independent of w.  So the logit of F is the logit of a
 * Beta(tp, fp+fn) variable plus an independent function v of w ~ Beta(fp, fn),
 * and its density one convolution, computed over Gauss' nodes in w.
 */
#include "stat/prf/prf_state.h"

#include <math.h>
#include <stdlib.h>

typedef struct mixture {
    iv_panels base;         /* of the Beta(tp, fp+fn) part */
    double *shift, *weight; /* v at the nodes, measured from origin */
    size_t count;
    double origin;
} mixture;

/* v as a function of w, given w and 1 - w. */
static double shift_of(double b2, double w, double rest)
{
    return log1p(b2) - log(b2 * rest + w);
}

/* The smallest and largest shift, the mean and the standard deviation. */
typedef struct extent {
    double low, high, mean, deviation;
} extent;

static extent measure(const mixture *m)
{
    extent e = { INFINITY, -INFINITY, 0.0, 0.0 };
    double mass = 0.0;

    for (size_t i = 0; i < m->count; i++) {
        e.low = fmin(e.low, m->shift[i]);
        e.high = fmax(e.high, m->shift[i]);
        e.mean += m->weight[i] * m->shift[i];
        mass += m->weight[i];
    }
    e.mean /= mass;
    for (size_t i = 0; i < m->count; i++)
        e.deviation += m->weight[i] * (m->shift[i] - e.mean) * (m->shift[i] - e.mean);
    e.deviation = sqrt(e.deviation / mass);
    return e;
}

/* Adds the nodes of a stretch of w's logit, cut so that v moves a little. */
static bool add_stretch(mixture *m, const iv_panels *w, double centre, double b2,
                        double from, double to, double step)
{
    const double reach = fabs(
        shift_of(b2, iv_logistic(centre + to), iv_logistic(-centre - to))
        - shift_of(b2, iv_logistic(centre + from), iv_logistic(-centre - from)));
    const size_t pieces = 1 + (size_t)fmin(reach / step, 1e5);
    const double half = 0.5 * (to - from) / (double)pieces;
    const size_t need = m->count + pieces * IV_GAUSS_NODES;
    double *shift = realloc(m->shift, need * sizeof *shift);

    if (shift != NULL)
        m->shift = shift;
    double *weight = realloc(m->weight, need * sizeof *weight);
    if (weight != NULL)
        m->weight = weight;
    if (shift == NULL || weight == NULL)
        return false;
    for (size_t i = 0; i < pieces; i++) {
        for (size_t k = 0; k < IV_GAUSS_NODES; k++) {
            const double at = from + half * (2.0 * (double)i + 1.0 + iv_gauss_node(k));
            const double mass = half * iv_gauss_weight(k) * iv_panels_density(w, at);
            if (mass < 1e-19)
                continue;
            shift[m->count] = shift_of(b2, iv_logistic(centre + at), iv_logistic(-centre - at))
                              - m->origin;
            weight[m->count++] = mass;
        }
    }
    return true;
}

static int prepare(mixture *m, const iv_prf_cells *c, double b2, iv_err *err)
{
    const iv_logit_beta base = iv_logit_beta_of(c->tp, c->fp + c->fn);
    const iv_logit_beta t = iv_logit_beta_of(c->fp, c->fn);
    iv_panels w = { 0 };
    int rc = iv_logit_beta_panels(&m->base, &base, err);

    if (rc == IV_OK)
        rc = iv_logit_beta_panels(&w, &t, err);
    m->origin = shift_of(b2, c->fp / (c->fp + c->fn), c->fn / (c->fp + c->fn));
    for (size_t i = 0; i < w.count && rc == IV_OK; i++) {
        if (!add_stretch(m, &w, t.centre, b2, w.edge[i], w.edge[i + 1], base.spread))
            rc = iv_fail(err, IV_ENOMEM, "out of memory");
    }
    iv_panels_clear(&w);
    return rc;
}

static double density(double offset, void *user)
{
    const mixture *m = user;
    double sum = 0.0;

    for (size_t i = 0; i < m->count; i++)
        sum += m->weight[i] * iv_panels_density(&m->base, offset - m->shift[i]);
    return sum;
}

static int tabulate(iv_posterior *p, mixture *m, double spread, iv_err *err)
{
    const extent e = measure(m);
    const double s = sqrt(spread * spread + e.deviation * e.deviation);
    const double low = m->base.edge[0] + e.low, high = m->base.edge[m->base.count] + e.high;
    double seeds[16] = { low };
    size_t count = 1;

    for (int k = -8; k <= 8; k += 2) {
        const double at = e.mean + k * s;
        if (at > low && at < high)
            seeds[count++] = at;
    }
    seeds[count++] = high;
    return iv_panels_fill(&p->panels, density, m, seeds, count, err);
}

int iv_posterior_f_beta(iv_posterior *p, const iv_prf_cells *c, double beta, iv_err *err)
{
    mixture m = { .count = 0 };
    int rc = prepare(&m, c, beta * beta, err);

    p->low = c->tp;
    p->high = c->fp + c->fn;
    if (rc == IV_OK) {
        p->centre = log(c->tp / (c->fp + c->fn)) + m.origin;
        rc = tabulate(p, &m, sqrt(1.0 / c->tp + 1.0 / (c->fp + c->fn)), err);
    }
    if (rc == IV_OK)
        iv_posterior_moments(p);
    iv_panels_clear(&m.base);
    free(m.shift);
    free(m.weight);
    return rc;
}
