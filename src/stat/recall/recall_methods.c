/* SPDX-License-Identifier: Apache-2.0 */
/* The methods by name, and the priors each of them gives to a stratum. */
#include "stat/recall/recall_yield.h"

static const char *const names[] = {
    "auto", "naive", "normal", "normal-uncorrected", "laplace", "agresti-coull", "koopman",
    "jeffreys", "betabin-uniform", "betabin-mcp", "betabin-half", "betabin-shared",
    "betabin-weighted", "exact", "all", NULL
};

const char *const *iv_recall_method_names(void) { return names; }

bool iv_recall_has_posterior(iv_recall_method method)
{
    return method == IV_RECALL_AUTO || (method >= IV_RECALL_JEFFREYS && method != IV_RECALL_EXACT);
}

bool iv_recall_has_prior(iv_recall_method method)
{
    return method == IV_RECALL_AUTO
           || (method >= IV_RECALL_BETABIN_HALF && method <= IV_RECALL_BETABIN_WEIGHTED);
}

int iv_recall_fill(iv_recall_options *out, const iv_recall_options *o, iv_err *err)
{
    iv_recall_options x = o == NULL ? (iv_recall_options){ 0 } : *o;

    if ((int)x.method < 0 || x.method >= IV_RECALL_ALL)
        return iv_fail(err, IV_EARG, "there is no recall method %d", (int)x.method);
    x.method = x.method == IV_RECALL_AUTO ? IV_RECALL_BETABIN_WEIGHTED : x.method;
    x.confidence = x.confidence == 0.0 ? 0.95 : x.confidence;
    if (!(x.confidence > 0.0 && x.confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected 0 < confidence < 1", x.confidence);
    if (x.a != 0.0 || x.b != 0.0) {
        if (!iv_recall_has_prior(x.method))
            return iv_fail(err, IV_EARG, "a prior goes with betabin-weighted, betabin-shared or "
                           "betabin-half, not with %s", names[x.method]);
    } else if (iv_recall_has_prior(x.method)) {
        x.a = x.b = 0.5;
    }
    if (iv_recall_has_prior(x.method)
        && !(x.a > 0.0 && x.b > 0.0 && x.a <= 1e6 && x.b <= 1e6))
        return iv_fail(err, IV_EARG, "prior %g,%g, expected two numbers above 0, "
                       "at most 1e6", x.a, x.b);
    *out = x;
    return IV_OK;
}

void iv_recall_pool(iv_stratum *out, const iv_stratum *strata, size_t count,
                    iv_recall_method method)
{
    iv_stratum *first = NULL;

    for (size_t i = 0; i < count; i++) {
        out[i] = strata[i];
        if (method != IV_RECALL_BETABIN_WEIGHTED || strata[i].sampled > 0)
            continue;
        if (first == NULL) {
            first = &out[i];
        } else {
            first->size += strata[i].size;
            out[i].size = 0;
        }
    }
}

/* Of a stratum that is neither unsampled nor fully judged, else 0. */
static double weight_of(const iv_stratum *s)
{
    return s->sampled > 0 && s->sampled < s->size ? (double)s->size / (double)s->sampled : 0.0;
}

/* The part of the segment's prior that a stratum has. */
static double share_of(const iv_stratum *s, iv_recall_method method, double size, double weight)
{
    if (method == IV_RECALL_BETABIN_SHARED)
        return (double)s->size / size;
    if (method == IV_RECALL_BETABIN_WEIGHTED && weight_of(s) > 0.0)
        return weight_of(s) / weight;
    return 1.0; /* also of what is not sampled: it is one stratum, and nothing else tells */
}

int iv_recall_priors(double *a, double *b, const iv_stratum *strata, size_t count,
                     const iv_recall_options *o, iv_err *err)
{
    const double size = (double)iv_strata_size(strata, count);
    double weight = 0.0;
    int rc = IV_OK;

    for (size_t i = 0; i < count; i++)
        weight += weight_of(&strata[i]);
    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        const double share = share_of(&strata[i], o->method, size, weight);
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
