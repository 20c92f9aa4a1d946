/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "estimate/rectified.h"
#include "intervale/num.h"

/* The variance over samples, if documents are relevant as p says. */
static double expected_variance(const iv_rectified_topic *t, const double *change, size_t level,
                                size_t levels)
{
    double sum = 0.0;

    for (size_t d = 0; d < t->framed; d++) {
        double own = 0.0;
        if (!(t->pi[d] < 1.0))
            continue;
        for (size_t h = 0; h < levels; h++)
            for (size_t k = 0; k < levels; k++) {
                const double p = t->p[(level + h) * t->count + d];
                const double q = t->p[(level + k) * t->count + d];
                own += change[h * t->count + d] * change[k * t->count + d] * (fmin(p, q) - p * q);
            }
        sum += (1.0 - t->pi[d]) / t->pi[d] * own;
    }
    return fmax(0.0, sum);
}

/* Does the value depend on a document that might not have been judged? */
static bool moves(const iv_rectified_topic *t, const double *change, size_t levels)
{
    for (size_t d = 0; d < t->framed; d++)
        for (size_t h = 0; h < levels && t->pi[d] < 1.0; h++)
            if (fabs(change[h * t->count + d]) > 1e-12)
                return true;
    return false;
}

void iv_rectified_interval(iv_estimate *e, const iv_rectified_topic *t, const double *change,
                           size_t level, size_t levels, double sampled, iv_rectified_scale scale,
                           double least, double confidence)
{
    const double likely = expected_variance(t, change, level, levels);
    const double dust = 1e-14 * fmax(1.0, fabs(e->value));

    /* What no document can change was not left to chance. */
    e->exact = e->exact || !moves(t, change, levels);
    e->variance = 0.5 * (fmax(0.0, sampled) + likely);
    e->lower = e->upper = e->exact ? e->value : (double)NAN;
    e->gap = e->exact || e->variance > dust * dust ? IV_SAMPLED_INTERVAL : IV_SAMPLED_NO_SPREAD;
    if (e->exact || e->gap != IV_SAMPLED_INTERVAL) {
        e->variance = 0.0;
        return;
    }
    const double size = 0.5 * ((double)e->relevant + e->effective);
    const double half = iv_t_isf(0.5 * (1.0 - confidence), fmax(4.0, size)) * sqrt(e->variance);
    if (scale == IV_RECTIFIED_COUNT) {
        const double at = fmax(e->value, 0.5);
        e->lower = fmax(least, at * exp(-half / at));
        e->upper = fmax(e->lower, at * exp(half / at));
        return;
    }
    e->lower = fmin(fmax(0.0, e->value - half), 1.0);
    e->upper = fmax(fmin(1.0, e->value + half), 0.0);
    if (scale == IV_RECTIFIED_TOP || !(e->value > 0.0 && e->value < 1.0))
        return;
    const double wide = half / (e->value * (1.0 - e->value));
    const double logit = log(e->value / (1.0 - e->value));
    e->lower = 1.0 / (1.0 + exp(-(logit - wide)));
    e->upper = 1.0 / (1.0 + exp(-(logit + wide)));
}
