/* SPDX-License-Identifier: Apache-2.0 */
/* A distribution on (0, 1): the panels of its logit's density. */
#ifndef IV_STAT_PRF_POSTERIOR_H
#define IV_STAT_PRF_POSTERIOR_H

#include "intervale/stat/prf.h"
#include "stat/prf/prf_logit.h"
#include "stat/prf/prf_panels.h"

struct iv_posterior {
    iv_panels panels; /* of logit(X) - centre */
    double centre;
    double mean, deviation; /* of X */
    /* The density of X goes like x^(low-1) at 0, (1-x)^(high-1) at 1. */
    double low, high;
    bool unbounded_at_half;
    /* X has odds `odds` times those of a Beta variable: then densities and
     * quantiles are closed forms.  odds = 0: only the panels know. */
    double odds;
    iv_logit_beta beta;
};

/* P(X <= x): 0 and 1 outside (0, 1), NaN for x NaN; P(A - B <= x) of independent
 * posteriors; P(pi_a - pi_b <= x) of paired ones. */
double iv_posterior_cdf(const iv_posterior *p, double x);
IV_MUST_CHECK int iv_posterior_gap_cdf(double *out, const iv_posterior *a,
                                       const iv_posterior *b, double x, iv_err *err);
IV_MUST_CHECK int iv_paired_gap_cdf(double *out, iv_paired_cells c, double x, iv_err *err);

/* Density of the logit at centre + offset, and its derivative over itself. */
double iv_posterior_logit_density(const iv_posterior *p, double offset);
double iv_posterior_logit_slope(const iv_posterior *p, double offset);

/* Fills in mean and deviation from the panels. */
void iv_posterior_moments(iv_posterior *p);

/* Fills the panels of a beta's logit. */
IV_MUST_CHECK int iv_logit_beta_panels(iv_panels *out, const iv_logit_beta *t,
                                       iv_err *err);

/* Posteriors that need an integral; *p is zeroed but for its memory. */
IV_MUST_CHECK int iv_posterior_f_beta(iv_posterior *p, const iv_prf_cells *c,
                                      double beta, iv_err *err);
IV_MUST_CHECK int iv_posterior_balanced(iv_posterior *p, const iv_prf_cells *c,
                                        iv_err *err);

#endif /* IV_STAT_PRF_POSTERIOR_H */
