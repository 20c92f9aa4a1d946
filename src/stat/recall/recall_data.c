/* SPDX-License-Identifier: Apache-2.0 */
/* Segments and strata: what they must be, and the plain estimates from them. */
#include <math.h>

#include "base/checking.h"
#include "stat/recall/recall_yield.h"

int64_t iv_strata_relevant(const iv_stratum *strata, size_t count)
{
    int64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += strata[i].relevant;
    return sum;
}

int64_t iv_strata_sampled(const iv_stratum *strata, size_t count)
{
    int64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += strata[i].sampled;
    return sum;
}

int64_t iv_strata_size(const iv_stratum *strata, size_t count)
{
    int64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += strata[i].size;
    return sum;
}

static int check_stratum(const iv_stratum *s, const char *segment, size_t i, size_t count,
                         iv_err *err)
{
    char where[64];

    if (count == 1)
        (void)snprintf(where, sizeof where, "%s segment", segment);
    else
        (void)snprintf(where, sizeof where, "%s segment, stratum %zu", segment, i + 1);
    if (s->size < 0 || s->sampled < 0 || s->relevant < 0)
        return iv_fail(err, IV_EARG, "%s: N = %lld, n = %lld, r = %lld, and one is negative",
                       where, (long long)s->size, (long long)s->sampled,
                       (long long)s->relevant);
    if (s->size > IV_STRATUM_MAX)
        return iv_fail(err, IV_EARG, "%s: N = %lld, expected at most 2^40", where,
                       (long long)s->size);
    if (s->sampled > s->size)
        return iv_fail(err, IV_EARG, "%s: n = %lld sampled of N = %lld", where,
                       (long long)s->sampled, (long long)s->size);
    if (s->relevant > s->sampled)
        return iv_fail(err, IV_EARG, "%s: r = %lld relevant of n = %lld sampled", where,
                       (long long)s->relevant, (long long)s->sampled);
    return IV_OK;
}

static int check_segment(const iv_stratum *strata, size_t count, const char *name,
                         int64_t *population, iv_err *err)
{
    int64_t size = 0;

    for (size_t i = 0; i < count; i++) {
        const int rc = check_stratum(&strata[i], name, i, count, err);
        if (rc < 0)
            return rc;
        size += strata[i].size;
        *population += strata[i].size;
        if (*population > IV_STRATUM_MAX)
            return iv_fail(err, IV_EARG, "a population of %lld documents, expected at most 2^40 "
                           "(%lld)", (long long)*population, (long long)IV_STRATUM_MAX);
    }
    if (size == 0)
        return iv_fail(err, IV_EARG, "the %s segment is empty", name);
    return IV_OK;
}

int iv_segments_check(const iv_segments *s, iv_err *err)
{
    IV_TRY(iv_check_given(s, "the segments", err));
    IV_TRY(iv_check_list(s->retrieved, s->retrieved_count, "stratum", err));
    IV_TRY(iv_check_list(s->unretrieved, s->unretrieved_count, "stratum", err));
    int64_t population = 0;
    const int rc = check_segment(s->retrieved, s->retrieved_count, "retrieved",
                                 &population, err);

    return rc < 0 ? rc
                  : check_segment(s->unretrieved, s->unretrieved_count, "unretrieved",
                                  &population, err);
}

double iv_beta2(double beta) { return beta == 0.0 ? 1.0 : beta * beta; }

/* NaN: nothing of it was sampled. */
static double plain_yield(const iv_stratum *strata, size_t count)
{
    double sum = 0.0;
    bool sampled = false;

    for (size_t i = 0; i < count; i++) {
        if (strata[i].sampled == 0)
            continue;
        sampled = true;
        sum += (double)strata[i].size * (double)strata[i].relevant / (double)strata[i].sampled;
    }
    return sampled ? sum : NAN;
}

double iv_recall_plain(const iv_segments *s, iv_recall_quantity quantity, double beta)
{
    const double R1 = plain_yield(s->retrieved, s->retrieved_count);
    const double R0 = plain_yield(s->unretrieved, s->unretrieved_count);
    const double N1 = (double)iv_strata_size(s->retrieved, s->retrieved_count);
    const double N0 = (double)iv_strata_size(s->unretrieved, s->unretrieved_count);
    const double b2 = iv_beta2(beta);

    switch (quantity) {
    case IV_RECALL_RECALL:
        return R1 + R0 > 0.0 ? R1 / (R1 + R0) : NAN;
    case IV_RECALL_PRECISION:
        return R1 / N1;
    case IV_RECALL_F:
        return (1.0 + b2) * R1 / (b2 * (R1 + R0) + N1);
    case IV_RECALL_YIELD:
        return R1 + R0;
    case IV_RECALL_ELUSION:
        return R0 / N0;
    }
    return NAN;
}

static bool is_whole(const iv_stratum *strata, size_t count)
{
    return iv_strata_sampled(strata, count) == iv_strata_size(strata, count);
}

bool iv_recall_unfound(iv_recall_interval *out, const iv_segments *s)
{
    if (iv_strata_relevant(s->retrieved, s->retrieved_count)
        + iv_strata_relevant(s->unretrieved, s->unretrieved_count) > 0)
        return false;
    const bool one = is_whole(s->unretrieved, s->unretrieved_count);
    const bool zero = is_whole(s->retrieved, s->retrieved_count);
    *out = (iv_recall_interval){ one && !zero ? 1.0 : 0.0, zero && !one ? 0.0 : 1.0 };
    return true;
}

double iv_recall_estimate(const iv_segments *s)
{
    return iv_recall_plain(s, IV_RECALL_RECALL, 1.0);
}

double iv_recall_estimate_mean(int64_t N1, int64_t R1, int64_t n1, int64_t N0, int64_t R0,
                               int64_t n0)
{
    iv_pmf p1 = { 0 }, p0 = { 0 };
    double sum = 0.0, mass = 0.0;
    int rc = iv_pmf_hyper(&p1, N1, R1, n1, 1e-17, NULL);

    if (rc == IV_OK)
        rc = iv_pmf_hyper(&p0, N0, R0, n0, 1e-17, NULL);
    for (size_t i = 0; rc == IV_OK && i < p1.count; i++) {
        const double y1 = (double)N1 * (double)(p1.offset + (int64_t)i) / (double)n1;
        for (size_t k = 0; k < p0.count; k++) {
            const double y0 = (double)N0 * (double)(p0.offset + (int64_t)k) / (double)n0;
            if (!(y1 + y0 > 0.0))
                continue;
            sum += p1.p[i] * p0.p[k] * (y1 / (y1 + y0));
            mass += p1.p[i] * p0.p[k];
        }
    }
    iv_pmf_free(&p1);
    iv_pmf_free(&p0);
    return rc == IV_OK && mass > 0.0 ? sum / mass : NAN;
}
