/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits that hold whatever the truth: Clopper and Pearson's of the binomial shares
 * that a metric is made of.
 *
 * Given how many items are returned, relevant or either, the right ones among them
 * are binomial, so precision, recall, specificity, accuracy and, through the share
 * B = TP/(TP+FP+FN), F1 = 2B/(1+B) have limits of their own; a share of exactly 0 or
 * 1 can be held.  F-beta needs the split of the errors between FP and FN too, and
 * balanced accuracy two shares: their limits are those at the ends of both, each at
 * the square root of the confidence.  The second share is binomial given the first,
 * so the product of the two is what holds.
 */
#include <math.h>

#include "intervale/num.h"
#include "stat/prf/prf_state.h"

typedef struct limits {
    double lower, upper;
} limits;

/* Of the probability of x hits in n. */
static limits share_of(int64_t x, int64_t n, double confidence)
{
    const double tail = 0.5 * (1.0 - confidence), a = (double)x, b = (double)(n - x);

    return (limits){ x == 0 ? 0.0 : iv_beta_quantile(tail, a, b + 1.0),
                     x == n ? 1.0 : iv_beta_isf(tail, a + 1.0, b) };
}

/* F-beta from the share of TP and the mean weight of an error. */
static double f_of(double share, double weight, double b2)
{
    const double right = (1.0 + b2) * share;

    return share == 0.0 ? 0.0 : right / (right + (1.0 - share) * weight);
}

static limits f_beta(const iv_prf_counts *c, double beta, double confidence)
{
    const int64_t wrong = c->fp + c->fn;
    const double b2 = beta * beta, root = sqrt(confidence);

    if (beta == 1.0) {
        const limits one = share_of(c->tp, c->tp + wrong, confidence);
        return (limits){ f_of(one.lower, 1.0, 1.0), f_of(one.upper, 1.0, 1.0) };
    }
    const limits right = share_of(c->tp, c->tp + wrong, root);
    const limits missed = share_of(c->fn, wrong, root);
    const double a = 1.0 + (b2 - 1.0) * missed.lower, b = 1.0 + (b2 - 1.0) * missed.upper;
    return (limits){ f_of(right.lower, fmax(a, b), b2), f_of(right.upper, fmin(a, b), b2) };
}

iv_credible iv_prf_hold_end(iv_credible i, iv_prf_metric m, double value)
{
    const double least = m.kind == IV_PRF_MCC ? -1.0 : 0.0;

    if (value > 1.0 - 1e-13)
        i.upper = 1.0;
    if (value < least + 1e-13)
        i.lower = least;
    return i;
}

int iv_prf_guaranteed(iv_credible *out, const iv_prf_counts *c, iv_prf_metric m,
                      double confidence, iv_err *err)
{
    iv_prf_cells unused;
    limits x = { 0.0, 1.0 };
    int rc = iv_prf_check_kind(m.kind, err);

    if (rc == IV_OK)
        rc = iv_prf_update(&unused, (iv_prf_prior){ 0.0, 0.0 }, c, NULL, err);
    if (rc == IV_OK)
        rc = iv_prf_check_confidence(&confidence, err);
    if (rc == IV_OK && m.kind == IV_PRF_MCC)
        rc = iv_fail(err, IV_EARG, "MCC has no guaranteed limits");
    if (rc == IV_OK && m.kind >= IV_PRF_SPECIFICITY && c->tn < 0)
        rc = iv_fail(err, IV_EARG, "the metric needs TN, which is not known");
    if (rc < 0)
        return rc;
    switch (m.kind) {
    case IV_PRF_PRECISION:
        x = share_of(c->tp, c->tp + c->fp, confidence);
        break;
    case IV_PRF_RECALL:
        x = share_of(c->tp, c->tp + c->fn, confidence);
        break;
    case IV_PRF_F:
        x = f_beta(c, m.beta, confidence);
        break;
    case IV_PRF_SPECIFICITY:
        x = share_of(c->tn, c->tn + c->fp, confidence);
        break;
    case IV_PRF_ACCURACY:
        x = share_of(c->tp + c->tn, c->tp + c->tn + c->fp + c->fn, confidence);
        break;
    default: {
        const limits a = share_of(c->tp, c->tp + c->fn, sqrt(confidence));
        const limits b = share_of(c->tn, c->tn + c->fp, sqrt(confidence));
        x = (limits){ 0.5 * (a.lower + b.lower), 0.5 * (a.upper + b.upper) };
    }
    }
    *out = (iv_credible){ x.lower, x.upper, IV_INTERVAL_EQUAL, false };
    return IV_OK;
}
