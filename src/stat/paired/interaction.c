/* SPDX-License-Identifier: Apache-2.0 */
/* Does the difference of two systems depend on the group of the topic? */

#include <math.h>

#include "base/checking.h"
#include "base/memory.h"
#include "num/num_private.h"
#include "stat/stat_private.h"
#include "stat/paired/compare_parts.h"
#include "stat/paired/paired_parts.h"

/* Is each of n topics in a group below `groups`?  IV_EARG if not. */
static int check_groups(const uint32_t *group, size_t n, size_t groups, iv_err *err)
{
    IV_TRY(iv_check_list(group, n, "group", err));
    for (size_t i = 0; i < n; i++)
        if (group[i] >= groups)
            return iv_fail(err, IV_EARG, "topic %zu is in group %u of %zu", i + 1, group[i],
                           groups);
    return IV_OK;
}

/* A one-way analysis of variance of the differences; sums and sizes have room for the groups. */
static iv_test test_pair(const double *a, const double *b, const uint32_t *group, size_t topics,
                         double *sums, double *sizes, size_t groups)
{
    double n = 0.0, total = 0.0, squares = 0.0, between = 0.0;
    size_t used = 0;

    for (size_t k = 0; k < groups; k++)
        sums[k] = sizes[k] = 0.0;
    for (size_t t = 0; t < topics; t++) {
        const double d = a[t] - b[t];
        if (isnan(d))
            continue;
        used += sizes[group[t]]++ == 0.0;
        sums[group[t]] += d;
        total += d;
        n++;
    }
    for (size_t t = 0; t < topics; t++) {
        const double d = a[t] - b[t] - total / n;
        squares += isnan(d) ? 0.0 : d * d;
    }
    for (size_t k = 0; k < groups; k++) {
        const double off = sizes[k] > 0.0 ? sums[k] / sizes[k] - total / n : 0.0;
        between += sizes[k] * off * off;
    }
    const double df1 = (double)used - 1.0, df2 = n - (double)used, within = squares - between;
    if (used < 2 || !(df2 > 0.0) || !(within > 1e-12 * squares))
        return iv_no_test(used, used < 2 ? "fewer than two groups have topics"
                          : !(df2 > 0.0) ? "no group has two topics"
                          : "differences do not vary within groups");
    const double f = between / df1 / (within / df2);
    return (iv_test){ iv_beta_cdf(df2 / (df2 + df1 * f), 0.5 * df2, 0.5 * df1), f, used, false,
                      NULL };
}

int iv_compare_interaction(iv_test *out, const double *values, size_t systems, size_t topics,
                           const uint32_t *group, size_t groups,
                           const iv_compare_options *options, iv_err *err)
{
    IV_TRY(check_groups(group, topics, groups, err));
    const iv_compare_options o = options != NULL ? *options : (iv_compare_options){ 0 };
    iv_arena own = { 0 };
    bool known = true;

    for (size_t k = 0; k < o.baseline_count; k++)
        known = known && o.baselines[k] < systems;
    if (systems < 2 || !known)
        return iv_fail(err, IV_EARG, systems < 2 ? "fewer than two systems to compare"
                       : "the baseline is none of the systems");
    const size_t pairs = iv_couples(NULL, systems, o.baselines, o.baseline_count);
    iv_compared_pair *couples = iv_take(&own, pairs, sizeof *couples);
    double *room = iv_take(&own, 2 * groups, sizeof *room);
    const int rc = iv_taken(&own, err);
    if (rc == IV_OK)
        (void)iv_couples(couples, systems, o.baselines, o.baseline_count);
    for (size_t i = 0; rc == IV_OK && i < pairs; i++)
        out[i] = test_pair(values + couples[i].a * topics, values + couples[i].b * topics, group,
                           topics, room, room + groups, groups);
    iv_arena_free(&own);
    return rc;
}
