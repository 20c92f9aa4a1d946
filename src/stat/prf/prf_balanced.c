/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Balanced accuracy: the mean of recall ~ Beta(tp, fn) and specificity ~
 * Beta(tn, fp), which are independent in the Dirichlet posterior.
 */
#include <math.h>
#include <stdlib.h>

#include "stat/prf/prf_state.h"

typedef struct rates {
    iv_panels panels[2];
    iv_side recall, specificity;
    iv_cuts cuts;
    double centre;
    bool failed;
} rates;

static double density(double offset, void *user)
{
    rates *r = user;
    const double t = r->centre + offset;
    const iv_halfway at = { iv_logistic(t), iv_logistic(-t) };
    double f = 0.0;

    if (iv_sum_density(&f, &r->recall, &r->specificity, at, &r->cuts, NULL) < 0) {
        r->failed = true;
        return 0.0;
    }
    return f * at.u * at.rest;
}

/* The logit of the mean of two numbers given by their logits. */
static double mean_logit(double s, double t)
{
    return iv_logit_of(iv_logistic(s) + iv_logistic(t), iv_logistic(-s) + iv_logistic(-t));
}

static double beta_variance(double a, double b)
{
    const double n = a + b;

    return a / n * (b / n) / (n + 1.0);
}

/*
 * Panels between the means of the two ends.  The density is not smooth at 1/2,
 * where one rate at 0 meets the other at 1.
 */
static int tabulate(iv_posterior *p, rates *r, double sd, iv_err *err)
{
    const iv_panels *x = &r->panels[0], *y = &r->panels[1];
    const double low = mean_logit(r->recall.centre + x->edge[0],
                                  r->specificity.centre + y->edge[0]) - r->centre;
    const double high = mean_logit(r->recall.centre + x->edge[x->count],
                                   r->specificity.centre + y->edge[y->count]) - r->centre;
    double seeds[16] = { low };
    size_t count = 1;
    bool half_done = false;

    for (int k = -8; k <= 8; k += 2) {
        const double u = p->mean + k * sd;
        const double at = iv_logit_of(u, 1.0 - u) - r->centre;
        if (!half_done && at > -r->centre) {
            half_done = true;
            if (-r->centre > low && -r->centre < high)
                seeds[count++] = -r->centre;
        }
        if (at > low && at < high)
            seeds[count++] = at;
    }
    seeds[count++] = high;
    return iv_panels_fill(&p->panels, density, r, seeds, count, err);
}

int iv_posterior_balanced(iv_posterior *p, const iv_prf_cells *c, iv_err *err)
{
    const iv_logit_beta recall = iv_logit_beta_of(c->tp, c->fn);
    const iv_logit_beta specificity = iv_logit_beta_of(c->tn, c->fp);
    const double v = beta_variance(c->tp, c->fn), w = beta_variance(c->tn, c->fp);
    const double mean = 0.5 * (c->tp / (c->tp + c->fn) + c->tn / (c->tn + c->fp));
    const double rest = 0.5 * (c->fn / (c->tp + c->fn) + c->fp / (c->tn + c->fp));
    rates r = { .centre = log(mean / rest) };
    int rc = iv_logit_beta_panels(&r.panels[0], &recall, err);

    if (rc == IV_OK)
        rc = iv_logit_beta_panels(&r.panels[1], &specificity, err);
    if (rc < 0)
        goto done;
    r.recall = (iv_side){ &r.panels[0], recall.centre, sqrt(v), false, &recall };
    r.specificity = (iv_side){ &r.panels[1], specificity.centre, sqrt(w), false,
                                &specificity };
    p->centre = r.centre;
    p->mean = mean;
    p->low = c->tp + c->tn;
    p->high = c->fp + c->fn;
    p->unbounded_at_half = c->tp + c->fp <= 1.0 || c->fn + c->tn <= 1.0;
    rc = tabulate(p, &r, 0.5 * sqrt(v + w), err);
    if (r.failed)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    if (rc < 0)
        goto done;
    p->mean = 0.0;
    iv_posterior_moments(p);
    p->mean = mean;
done:
    iv_panels_clear(&r.panels[0]);
    iv_panels_clear(&r.panels[1]);
    free(r.cuts.at);
    return rc;
}
