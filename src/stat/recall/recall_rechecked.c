/* SPDX-License-Identifier: Apache-2.0 */
#include "stat/recall/recall_private.h"

static int check_label(const iv_stratum *x, const char *segment, const char *label, iv_err *err)
{
    if (x->sampled > x->size)
        return iv_fail(err, IV_EARG, "the %s segment: %lld rechecked of %lld judged %s", segment,
                       (long long)x->sampled, (long long)x->size, label);
    if (x->relevant > x->sampled)
        return iv_fail(err, IV_EARG, "the %s segment: %lld found relevant of %lld rechecked that "
                       "were judged %s", segment, (long long)x->relevant, (long long)x->sampled,
                       label);
    if (x->size > 0 && x->sampled == 0)
        return iv_fail(err, IV_ENODATA, "the %s segment: none of %lld judged %s was rechecked, "
                       "and nothing is known of their errors", segment, (long long)x->size, label);
    return IV_OK;
}

int iv_rechecked_of(iv_rechecked *out, const int64_t sample[3], const int64_t rechecked[4],
                    const char *segment, iv_err *err)
{
    const int64_t N = sample[0], n = sample[1], r = sample[2];

    if (!(0 <= r && r <= n && 0 < n && n <= N && N <= IV_STRATUM_MAX))
        return iv_fail(err, IV_EARG, "the %s segment: N = %lld, n = %lld and r = %lld, expected "
                       "r <= n <= N and n above 0", segment, (long long)N, (long long)n,
                       (long long)r);
    *out = (iv_rechecked){ { N, n, r }, { r, rechecked[0], rechecked[1] },
                           { n - r, rechecked[2], rechecked[3] } };
    const int rc = check_label(&out->yes, segment, "relevant", err);
    return rc != IV_OK ? rc : check_label(&out->no, segment, "not relevant", err);
}

/* The part of the whole that has a label and is relevant. */
static double share(const iv_stratum *label, int64_t judged)
{
    return label->size == 0 ? 0.0
        : (double)label->size / (double)judged * (double)label->relevant / (double)label->sampled;
}

double iv_rechecked_estimate(const iv_rechecked *x)
{
    return (double)x->first.size
        * (share(&x->yes, x->first.sampled) + share(&x->no, x->first.sampled));
}

int64_t iv_rechecked_found(const iv_rechecked *x)
{
    return x->yes.relevant + x->no.relevant;
}

/* Relevant ones of so many documents, of which x->sampled were looked at. */
static int64_t draw_relevant(iv_stream *s, const iv_stratum *x, int64_t size)
{
    const double p = iv_draw_beta(s, (double)x->relevant + 0.5,
                                  (double)(x->sampled - x->relevant) + 0.5);

    return x->relevant + iv_draw_binom(s, size - x->sampled, p);
}

void iv_rechecked_draw(double *out, size_t count, const iv_rechecked *x, uint64_t seed, int side)
{
    iv_stream s = iv_stream_start(seed, IV_FOR_POSTERIOR, (uint64_t)side);

    for (size_t i = 0; i < count; i++) {
        const int64_t yes = draw_relevant(&s, &x->first, x->first.size);
        const int64_t found = draw_relevant(&s, &x->yes, yes);
        out[i] = (double)(found + draw_relevant(&s, &x->no, x->first.size - yes));
    }
}
