/* SPDX-License-Identifier: Apache-2.0 */
#include "intervale/stat/elusion.h"

#include <math.h>

#include "intervale/num.h"
#include "stat/recall/recall_exact.h"

static int check_confidence(double *out, double confidence, iv_err *err)
{
    *out = confidence == 0.0 ? 0.95 : confidence;
    return *out > 0.0 && *out < 1.0 ? IV_OK
        : iv_fail(err, IV_EARG, "confidence %g, expected between 0 and 1", confidence);
}

int iv_elusion_limits(int64_t *least, int64_t *most, const iv_stratum *s, double confidence,
                      bool one_sided, iv_err *err)
{
    double c;
    int rc = check_confidence(&c, confidence, err);

    if (rc == IV_OK && !(s->relevant >= 0 && s->relevant <= s->sampled && s->sampled <= s->size
                         && s->size >= 1 && s->size <= IV_STRATUM_MAX))
        rc = iv_fail(err, IV_EARG, "N = %lld, n = %lld, r = %lld, expected 0 <= r <= n <= N and "
                     "N of at least 1", (long long)s->size, (long long)s->sampled,
                     (long long)s->relevant);
    if (rc < 0)
        return rc;
    const double alpha = one_sided ? 1.0 - c : 0.5 * (1.0 - c);
    const iv_exact_cell cell = { .N = s->size, .n = s->sampled };
    const int64_t low = iv_exact_least(&cell, s->relevant, alpha);
    const int64_t not = iv_exact_least(&cell, s->sampled - s->relevant, alpha);
    *least = low;
    *most = s->size - not;
    return IV_OK;
}

double iv_elusion_accepts(const iv_elusion_plan *p, int64_t relevant)
{
    return iv_hyper_cdf(p->accept, p->population, relevant, p->sampled);
}

int iv_elusion_size(iv_elusion_plan *out, int64_t population, int64_t accept, double limit,
                    double confidence, iv_err *err)
{
    double c;
    int rc = check_confidence(&c, confidence, err);

    if (rc == IV_OK && !(population >= 1 && population <= IV_STRATUM_MAX))
        rc = iv_fail(err, IV_EARG, "%lld documents, expected at least 1", (long long)population);
    if (rc == IV_OK && !(accept >= 0 && limit > 0.0 && limit <= 1.0))
        rc = iv_fail(err, IV_EARG, "a limit of %g with %lld accepted, expected above 0 and at "
                     "most 1, and none or more", limit, (long long)accept);
    if (rc < 0)
        return rc;
    /* The least number whose share is at the limit: what is below it is below the limit. */
    const int64_t relevant = (int64_t)ceil(limit * (double)population * (1.0 - 1e-14));
    iv_elusion_plan p = { population, population, accept };
    if (relevant <= accept || iv_elusion_accepts(&p, relevant) > 1.0 - c)
        return iv_fail(err, IV_ENODATA, "%g of %lld documents are %lld: with %lld relevant ones "
                       "accepted not even judging all of them shows less", limit,
                       (long long)population, (long long)relevant, (long long)accept);
    int64_t low = 0, high = population; /* not enough, and enough */
    while (high - low > 1) {
        p.sampled = low + (high - low) / 2;
        if (iv_elusion_accepts(&p, relevant) > 1.0 - c)
            low = p.sampled;
        else
            high = p.sampled;
    }
    *out = (iv_elusion_plan){ population, high, accept };
    return IV_OK;
}
