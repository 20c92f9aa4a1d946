/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The difference of two runs on one sample.  Each document changes both
 * estimates; what it changes in their difference is the difference of its u,
 * and most of it cancels.
 */
#include <math.h>
#include <stdlib.h>

#include "estimate/sampled_run.h"

/* The variance of a - b on a topic; NaN when one of them has none. */
static double topic_variance(const iv_sampled *a, const iv_sampled *b, size_t s, size_t t,
                             size_t i, double *u, double *sums)
{
    const iv_sampled_place *p = &a->place[s], *q = &b->place[t];
    const iv_sampling_topic x = iv_sampling_topic_at(a->sampling, p->judged);
    const double nan = (double)NAN;

    if (isnan(a->estimates[s * a->width + i].variance)
        || isnan(b->estimates[t * b->width + i].variance))
        return nan;
    for (size_t d = 0; d < x.count; d++)
        u[d] = p->u[i * x.count + d] - q->u[i * x.count + d];
    return fmax(0.0, iv_scheme_variance(x.scheme, u, &(iv_drawn_set){ x.pi, x.bucket,
                                                                      x.count }, sums));
}

int iv_sampled_difference(double *difference, double *variance, size_t *topic,
                          size_t *count, const iv_sampled *a, const iv_sampled *b, size_t i,
                          iv_err *err)
{
    size_t most = 0, buckets = 0, n = 0;

    if (a->sampling != b->sampling || a->measures != b->measures || i >= a->width)
        return iv_fail(err, IV_EARG, "the two runs were not estimated from one sample");
    for (size_t s = 0; s < a->topics; s++) {
        const iv_sampling_topic x = iv_sampling_topic_at(a->sampling, a->place[s].judged);
        most = x.count > most ? x.count : most;
        if (iv_scheme_buckets(x.scheme) > buckets)
            buckets = iv_scheme_buckets(x.scheme);
        if (a->place[s].u == NULL)
            return iv_fail(err, IV_EARG, "the estimates were not kept for differences");
    }
    double *u = malloc((most + buckets + 1) * sizeof *u);
    if (u == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for a difference");
    for (size_t s = 0, t = 0; s < a->topics; s++) {
        while (t < b->topics && b->place[t].judged < a->place[s].judged)
            t++;
        if (t == b->topics || b->place[t].judged != a->place[s].judged)
            continue;
        if (b->place[t].u == NULL) {
            free(u);
            return iv_fail(err, IV_EARG, "the estimates were not kept for differences");
        }
        topic[n] = a->place[s].judged;
        difference[n] = a->estimates[s * a->width + i].value
            - b->estimates[t * b->width + i].value;
        variance[n++] = topic_variance(a, b, s, t, i, u, u + most);
    }
    free(u);
    *count = n;
    return IV_OK;
}
