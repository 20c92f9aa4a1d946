/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The variance of a total from a sample.
 *
 * Pairs of documents matter through their buckets only, so sums a bucket are
 * enough.  Two documents of one full bucket are drawn as if independently
 * (joint probability g^2) and have no cross term; two of different buckets
 * have 1 - m/(m-1) = -1/(m-1), m the number of draws; the short last bucket
 * has terms of its own.  Strata have cross terms inside and none across.
 */
#include <math.h>

#include "design/sampling_state.h"

/* 1 - pi_a pi_b / pi_ab for two documents of buckets a and b, if they can be
 * in the sample together. */
static double cross_term(const iv_scheme *s, size_t a, size_t b)
{
    const double joint = iv_scheme_joint(s, a, b);

    return joint > 0.0 ? 1.0 - s->bucket[a].pi * s->bucket[b].pi / joint : 0.0;
}

/*
 * The sum over pairs of different buckets of coefficient x sum_a x sum_b, where
 * the coefficient is one number for all full buckets and another for the pairs
 * with a short last one.
 */
static double across(const iv_scheme *s, const double *sums, double full, double last)
{
    const size_t n = s->short_last ? s->buckets - 1 : s->buckets;
    double sum = 0.0, squares = 0.0;

    for (size_t i = 0; i < n; i++) {
        sum += sums[i];
        squares += sums[i] * sums[i];
    }
    return full * (sum * sum - squares)
        + (s->short_last ? 2.0 * last * sum * sums[n] : 0.0);
}

double iv_scheme_variance(const iv_scheme *s, const double *u, const iv_drawn_set *sample,
                          double *sums)
{
    double own = 0.0, pairs = 0.0;

    for (size_t b = 0; b < s->buckets; b++)
        sums[b] = 0.0;
    for (size_t i = 0; i < sample->count; i++) {
        if (u[i] == 0.0)
            continue;
        const double pi = sample->pi[i], z = u[i] / pi;
        if (s->kind == IV_SCHEME_INDEPENDENT || sample->bucket[i] == IV_FIXED) {
            own += (1.0 - pi) * z * z;
            continue;
        }
        const size_t b = sample->bucket[i];
        own += (1.0 - pi) * z * z;
        pairs -= z * z * cross_term(s, b, b);
        sums[b] += z;
    }
    if (s->kind == IV_SCHEME_INDEPENDENT)
        return own;
    for (size_t b = 0; b < s->buckets; b++)
        if (sums[b] != 0.0)
            pairs += cross_term(s, b, b) * sums[b] * sums[b];
    if (s->kind == IV_SCHEME_STEVENS && s->buckets > 1)
        pairs += across(s, sums, s->draws > 1 ? -1.0 / ((double)s->draws - 1.0) : 0.0,
                        s->short_last ? cross_term(s, 0, s->buckets - 1) : 0.0);
    return own + pairs;
}

double iv_scheme_true_variance(const iv_scheme *s, const double *u, const double *weight,
                               const uint32_t *bucket, size_t count, double *sums)
{
    double own = 0.0, pairs = 0.0;

    for (size_t b = 0; b < s->buckets; b++)
        sums[b] = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (bucket[i] == IV_FIXED)
            continue;
        const iv_bucket *b = &s->bucket[bucket[i]];
        const double w = weight != NULL ? weight[i] : 1.0;
        own += w * u[i] * u[i] * (1.0 - b->pi) / b->pi;
        pairs -= w * u[i] * u[i] * (b->within / (b->pi * b->pi) - 1.0);
        sums[bucket[i]] += w * u[i];
    }
    for (size_t b = 0; b < s->buckets; b++) {
        const double pi = s->bucket[b].pi;
        pairs += (s->bucket[b].within / (pi * pi) - 1.0) * sums[b] * sums[b];
    }
    if (s->kind == IV_SCHEME_STEVENS && s->buckets > 1) {
        const double with_last = s->short_last ? s->last_ratio - 1.0 : 0.0;
        pairs += across(s, sums, -1.0 / (double)s->draws, with_last);
    }
    return own + pairs;
}
