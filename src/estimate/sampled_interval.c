/* SPDX-License-Identifier: Apache-2.0 */
/* An interval for one topic's estimate, or the reason why there is none. */
#include <math.h>

#include "estimate/evaluation_parts.h"
#include "estimate/estimate_private.h"
#include "num/num_private.h"

const char *iv_sampled_gap_text(iv_sampled_gap gap)
{
    static const char *const texts[] = {
        [IV_SAMPLED_INTERVAL] = "",
        [IV_SAMPLED_NO_RELEVANT] = "no relevant document in the sample",
        [IV_SAMPLED_FEW] = "fewer than 2 relevant documents sampled",
        [IV_SAMPLED_ZERO] =
            "the estimate is 0: no relevant document of the sample is in the ranking",
        [IV_SAMPLED_RANGE] = "the estimate is not below 1",
        [IV_SAMPLED_NO_SPREAD] = "the estimated variance is not positive",
        [IV_SAMPLED_INFERRED] = "no variance is known for this estimate",
    };

    return texts[gap];
}

static iv_sampled_gap gap_of(const iv_estimate *e, bool count)
{
    if (isnan(e->variance))
        return IV_SAMPLED_INFERRED;
    if (e->gap == IV_SAMPLED_NO_RELEVANT)
        return e->gap;
    if (e->relevant < 2)
        return IV_SAMPLED_FEW;
    if (!(e->value > 0.0))
        return IV_SAMPLED_ZERO;
    if (!count && !(e->value < 1.0))
        return IV_SAMPLED_RANGE;
    return e->variance > 0.0 ? IV_SAMPLED_INTERVAL : IV_SAMPLED_NO_SPREAD;
}

void iv_estimate_interval(iv_estimate *e, bool count, double least, double confidence)
{
    e->lower = e->upper = (double)NAN;
    if (e->exact) {
        e->gap = IV_SAMPLED_INTERVAL;
        e->lower = e->upper = e->value;
        return;
    }
    e->gap = gap_of(e, count);
    if (e->gap != IV_SAMPLED_INTERVAL)
        return;
    const double size = 0.5 * ((double)e->relevant + e->effective);
    const double t = iv_t_isf(0.5 * (1.0 - confidence), fmax(1.0, size - 1.0));
    const double half = t * sqrt(e->variance);
    if (count) {
        e->lower = fmax(least, e->value * exp(-half / e->value));
        e->upper = e->value * exp(half / e->value);
        return;
    }
    iv_logit_wald(&e->lower, &e->upper, e->value, half);
}
