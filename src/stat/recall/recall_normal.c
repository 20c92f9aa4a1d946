/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intervals around an estimate, from the normal distribution.
 *
 *     Var(R) = sum N^2 p (1-p) / n (1 - n/N)                      (eq 24)
 *     Var(Rec) = (Var(R1) R0^2 + Var(R0) R1^2) / (R1 + R0)^4      (eq 23)
 *
 * Laplace and Agresti-Coull put p = (r+c)/(n+2c) and n+2c for n, c = 1 or 2,
 * in the variance of p and in the midpoint; the factor 1 - n/N keeps the true
 * n.  The uncorrected form, of the TREC 2008 reports, adds the variance of R1
 * twice.  The naive one takes recall for the share of a simple sample of the
 * r1 + r0 relevant documents.
 *
 * Ref: Webber (2013), sections 2.10 and 3.1 to 3.3.
 */
#include <math.h>

#include "stat/recall/recall_yield.h"

typedef struct moments {
    double mean, var;
} moments;

static moments yield_moments(const iv_stratum *strata, size_t count, double c)
{
    moments m = { 0.0, 0.0 };

    for (size_t i = 0; i < count; i++) {
        const double N = (double)strata[i].size, n = (double)strata[i].sampled;
        if (N == 0.0)
            continue;
        const double tilde = n + 2.0 * c;
        const double p = ((double)strata[i].relevant + c) / tilde;
        m.mean += N * p;
        m.var += N * N * (p * (1.0 - p) / tilde) * (1.0 - n / N);
    }
    return m;
}

static double standard_error(moments m1, moments m0, iv_recall_method method)
{
    const double total = m1.mean + m0.mean, square = total * total;
    const double r1 = m1.mean / square, r0 = m0.mean / square;

    if (method == IV_RECALL_NORMAL_UNCORRECTED)
        return sqrt(m1.var / square + (m1.var + m0.var) * r1 * r1);
    return sqrt(m1.var * r0 * r0 + m0.var * r1 * r1);
}

static int check_sampled(const iv_stratum *strata, size_t count, const char *segment,
                         iv_recall_method method, iv_err *err)
{
    for (size_t i = 0; i < count; i++) {
        if (strata[i].size > 0 && strata[i].sampled == 0)
            return iv_fail(err, IV_ENODATA, "%s segment: nothing is sampled of stratum %zu, "
                           "and %s has no prior to speak instead", segment, i + 1,
                           iv_recall_method_names()[method]);
    }
    return IV_OK;
}

int iv_recall_by_normal(iv_recall_interval *out, const iv_segments *s,
                        const iv_recall_options *o, iv_err *err)
{
    const int64_t r1 = iv_strata_relevant(s->retrieved, s->retrieved_count);
    const int64_t r0 = iv_strata_relevant(s->unretrieved, s->unretrieved_count);
    const bool adjusted = o->method == IV_RECALL_LAPLACE
                          || o->method == IV_RECALL_AGRESTI_COULL;
    const double c = !adjusted ? 0.0 : o->method == IV_RECALL_LAPLACE ? 1.0 : 2.0;
    const double z = iv_norm_isf((1.0 - o->confidence) / (o->one_sided ? 1.0 : 2.0));
    double middle, se;

    if (!adjusted) {
        int rc = check_sampled(s->retrieved, s->retrieved_count, "retrieved", o->method, err);
        if (rc == IV_OK)
            rc = check_sampled(s->unretrieved, s->unretrieved_count, "unretrieved",
                               o->method, err);
        if (rc < 0)
            return rc;
    }
    if (iv_recall_unfound(out, s)) /* 0/0 for the plain estimate; forced for the adjusted ones */
        return IV_OK;
    const moments m1 = yield_moments(s->retrieved, s->retrieved_count, c);
    const moments m0 = yield_moments(s->unretrieved, s->unretrieved_count, c);
    middle = m1.mean / (m1.mean + m0.mean);
    se = o->method == IV_RECALL_NAIVE
             ? sqrt(middle * (1.0 - middle) / (double)(r1 + r0))
             : standard_error(m1, m0, o->method);
    out->lower = adjusted && r1 == 0 ? 0.0 : middle - z * se;
    out->upper = adjusted && r0 == 0 ? 1.0 : middle + z * se;
    return IV_OK;
}
