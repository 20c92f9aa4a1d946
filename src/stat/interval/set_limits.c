/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of a mean over sets that no set's own limits contradict. */
#include <math.h>

#include "stat/interval/bootstrap.h"
#include "stat/interval/units.h"

/* A set's share of right answers. */
typedef struct tally {
    double right;
    size_t items;
} tally;

/* False: not only 0 and 1. */
static bool count_sets(tally *sets, const double *x, size_t items, const iv_structure *s)
{
    for (size_t t = 0; t < items; t++) {
        if (isnan(x[t]))
            continue;
        if (x[t] != 0.0 && x[t] != 1.0)
            return false;
        sets[s->suite[t]].right += x[t];
        sets[s->suite[t]].items++;
    }
    return true;
}

int iv_within_sets(iv_mean_interval *out, const double *x, size_t items, const iv_structure *s,
                   double confidence, iv_err *err)
{
    const double c = confidence == 0.0 ? 0.95 : confidence;
    iv_arena own = { 0 };
    double all = 0.0, lower = 0.0, upper = 0.0;

    if (out->method != IV_INTERVAL_LOGIT_T || isnan(out->lower) || s->suite == NULL || s->sampled
        || s->cluster != NULL || s->weight != NULL || s->repeat_variance != NULL)
        return IV_OK;
    tally *sets = iv_take(&own, s->suites + 1, sizeof *sets);
    const int rc = iv_taken(&own, err);
    if (rc == IV_OK && count_sets(sets, x, items, s)) {
        for (size_t h = 0; h < s->suites; h++) {
            const double w = s->suite_weight != NULL ? s->suite_weight[h] : 1.0;
            if (sets[h].items == 0)
                continue;
            iv_mean_interval i = { .n = sets[h].items, .method = IV_INTERVAL_BINOMIAL,
                                   .mean = sets[h].right / (double)sets[h].items };
            iv_plain_limits(&i, c);
            lower += w * i.lower;
            upper += w * i.upper;
            all += w;
        }
        out->lower = fmin(out->mean, fmax(out->lower, lower / all));
        out->upper = fmax(out->mean, fmin(out->upper, upper / all));
    }
    iv_arena_free(&own);
    return rc;
}
