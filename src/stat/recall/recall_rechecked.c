/* SPDX-License-Identifier: Apache-2.0 */
/* Recall corrected by labels that a second assessor checked. */
#include "base/err.h"
#include "num/draw.h"
#include "stat/recall/elusion.h"
#include "stat/recall/recall_rechecked.h"

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
                           { n - r, rechecked[2], rechecked[3] }, NULL, 0 };
    const int rc = check_label(&out->yes, segment, "relevant", err);
    return rc != IV_OK ? rc : check_label(&out->no, segment, "not relevant", err);
}

static const iv_stratum *strata_of(size_t *count, const iv_rechecked *x)
{
    *count = x->strata == NULL ? 1 : x->count;
    return x->strata == NULL ? &x->first : x->strata;
}

/* Relevant ones of so many documents with a label. */
static double relevant_of(double documents, const iv_stratum *label)
{
    return label->size == 0 ? 0.0
        : documents * (double)label->relevant / (double)label->sampled;
}

double iv_rechecked_estimate(const iv_rechecked *x)
{
    size_t count;
    const iv_stratum *s = strata_of(&count, x);
    double yes = 0.0;

    for (size_t i = 0; i < count; i++)
        yes += (double)s[i].size * (double)s[i].relevant / (double)s[i].sampled;
    return relevant_of(yes, &x->yes) + relevant_of((double)x->first.size - yes, &x->no);
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
    size_t parts;
    const iv_stratum *part = strata_of(&parts, x);

    for (size_t i = 0; i < count; i++) {
        int64_t yes = 0;
        for (size_t k = 0; k < parts; k++)
            yes += draw_relevant(&s, &part[k], part[k].size);
        const int64_t found = draw_relevant(&s, &x->yes, yes);
        out[i] = (double)(found + draw_relevant(&s, &x->no, x->first.size - yes));
    }
}

/* Limits of the relevant ones of so many documents with a label, of which some were rechecked. */
static int limits_of(int64_t *least, int64_t *most, int64_t documents, const iv_stratum *label,
                     double confidence, iv_err *err)
{
    const iv_stratum s = { documents, label->sampled, label->relevant };

    *least = 0;
    *most = documents;
    return label->sampled == 0 ? IV_OK
        : iv_elusion_limits(least, most, &s, confidence, true, err);
}

/* For a fixed number of relevant documents with a label, finding few (many) of them in the recheck
 * is the likelier (rarer) the more documents have the label.  So both limits rise with that number,
 * and its own limits give those of all of them. */
int iv_rechecked_limits(int64_t *least, int64_t *most, const iv_rechecked *x, double error,
                        iv_err *err)
{
    const int64_t N = x->first.size;
    int64_t low = 0, high = 0, few, many, unused;
    size_t count, open = 0;
    const iv_stratum *s = strata_of(&count, x);

    for (size_t i = 0; i < count; i++)
        open += s[i].sampled < s[i].size;
    const double confidence = 1.0 - error / (2.0 + 2.0 * (double)open);
    for (size_t i = 0; i < count; i++) {
        IV_TRY(iv_elusion_limits(&few, &many, &s[i], confidence, true, err));
        low += few;
        high += many;
    }
    IV_TRY(limits_of(&few, &unused, low, &x->yes, confidence, err));
    IV_TRY(limits_of(&many, &unused, N - high, &x->no, confidence, err));
    *least = few + many;
    IV_TRY(limits_of(&unused, &few, high, &x->yes, confidence, err));
    IV_TRY(limits_of(&unused, &many, N - low, &x->no, confidence, err));
    *most = few + many < N ? few + many : N;
    return IV_OK;
}
