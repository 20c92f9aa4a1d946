/* SPDX-License-Identifier: Apache-2.0 */
/* The methods by name, and the priors each of them gives to a stratum. */
#include "stat/recall/recall_yield.h"

static const char *const names[] = {
    "auto", "naive", "normal", "normal-uncorrected", "laplace", "agresti-coull", "koopman",
    "jeffreys", "betabin-uniform", "betabin-mcp", "betabin-half", "betabin-shared", "all", NULL
};

const char *const *iv_recall_method_names(void) { return names; }

bool iv_recall_has_posterior(iv_recall_method method)
{
    return method == IV_RECALL_AUTO || method >= IV_RECALL_JEFFREYS;
}

int iv_recall_fill(iv_recall_options *out, const iv_recall_options *o, iv_err *err)
{
    iv_recall_options x = o == NULL ? (iv_recall_options){ 0 } : *o;

    if ((int)x.method < 0 || x.method >= IV_RECALL_ALL)
        return iv_fail(err, IV_EARG, "there is no recall method %d", (int)x.method);
    x.method = x.method == IV_RECALL_AUTO ? IV_RECALL_BETABIN_SHARED : x.method;
    x.confidence = x.confidence == 0.0 ? 0.95 : x.confidence;
    if (!(x.confidence > 0.0 && x.confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected 0 < confidence < 1", x.confidence);
    if (x.a != 0.0 || x.b != 0.0) {
        if (x.method < IV_RECALL_BETABIN_HALF)
            return iv_fail(err, IV_EARG, "a prior goes with betabin-shared or betabin-half, not "
                           "with %s", names[x.method]);
    } else if (x.method >= IV_RECALL_BETABIN_HALF) {
        x.a = x.b = 0.5;
    }
    if (x.method >= IV_RECALL_BETABIN_HALF
        && !(x.a > 0.0 && x.b > 0.0 && x.a <= 1e6 && x.b <= 1e6))
        return iv_fail(err, IV_EARG, "prior %g,%g, expected two numbers above 0, "
                       "at most 1e6", x.a, x.b);
    *out = x;
    return IV_OK;
}

int iv_recall_priors(double *a, double *b, const iv_stratum *strata, size_t count,
                     const iv_recall_options *o, iv_err *err)
{
    const bool shared = o->method == IV_RECALL_BETABIN_SHARED;
    const double size = (double)iv_strata_size(strata, count);
    int rc = IV_OK;

    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        const double share = shared ? (double)strata[i].size / size : 1.0;
        a[i] = share * (o->a > 0.0 ? o->a : 0.5);
        b[i] = share * (o->b > 0.0 ? o->b : 0.5);
        if (o->method == IV_RECALL_BETABIN_UNIFORM)
            a[i] = b[i] = 1.0;
        if (o->method == IV_RECALL_BETABIN_MCP) {
            if (strata[i].sampled == 0 && strata[i].size > 0)
                return iv_fail(err, IV_ENODATA, "betabin-mcp needs a sample of every "
                               "stratum: its prior depends on the sample's size");
            rc = strata[i].size == 0
                     ? IV_OK
                     : iv_conservative_prior(&a[i], strata[i].size, strata[i].sampled,
                                             true, err);
            b[i] = a[i];
        }
    }
    return rc;
}
