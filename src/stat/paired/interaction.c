/* SPDX-License-Identifier: Apache-2.0 */
/* Does the difference of two systems depend on the group of the topic? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat/paired/paired_parts.h"

/* Sum over groups of (sum of d)^2 / size: F grows with it and with nothing
 * else that a permutation changes. */
static double between(const double *d, const uint32_t *group, size_t n, double *sums,
                      const double *sizes, size_t groups)
{
    double total = 0.0;

    memset(sums, 0, groups * sizeof *sums);
    for (size_t i = 0; i < n; i++)
        sums[group[i]] += d[i];
    for (size_t g = 0; g < groups; g++)
        total += sizes[g] > 0.0 ? sums[g] * sums[g] / sizes[g] : 0.0;
    return total;
}

void iv_shuffle_groups(uint32_t *out, const uint32_t *group, size_t n, uint64_t seed, size_t r)
{
    iv_stream s = iv_stream_start(seed, IV_FOR_PERMUTATION, r);

    memcpy(out, group, n * sizeof *out);
    iv_draw_shuffle(&s, out, n, sizeof *out);
}

/* How many shuffled assignments reach `seen`? */
static size_t count_shuffles(const double *d, const uint32_t *group, uint32_t *shuffled,
                             size_t n, double *sums, const double *sizes, size_t groups,
                             double seen, size_t permutations, uint64_t seed)
{
    const double limit = seen - iv_interaction_slack(d, n, n);
    size_t extreme = 0;

    for (size_t r = 0; r < permutations; r++) {
        iv_shuffle_groups(shuffled, group, n, seed, r);
        extreme += between(d, shuffled, n, sums, sizes, groups) >= limit;
    }
    return extreme;
}

iv_test iv_interaction_seen(const double *d, const uint32_t *group, size_t n, double *sums,
                            double *sizes, size_t groups, double *seen)
{
    const iv_differences k = iv_describe_differences(d, n);
    size_t used = 0;

    memset(sizes, 0, groups * sizeof *sizes);
    for (size_t i = 0; i < n; i++)
        used += sizes[group[i]]++ == 0.0;
    *seen = between(d, group, n, sums, sizes, groups);
    if (used < 2 || n <= used || !(k.sd > 0.0))
        return iv_no_test(used, used < 2 ? "fewer than two groups have topics"
                          : n <= used ? "no group has two topics"
                          : "all differences are equal");
    const double mean_part = (double)n * k.mean * k.mean;
    const double within = k.sd * k.sd * (double)(n - 1) - (*seen - mean_part);
    const double f = (*seen - mean_part) / (double)(used - 1) / (within / (double)(n - used));
    return (iv_test){ (double)NAN, f, used, false, NULL };
}

int iv_interaction_test(iv_test *out, const double *d, const uint32_t *group, size_t n,
                        size_t groups, size_t permutations, uint64_t seed, iv_err *err)
{
    double *sums = calloc(2 * groups + 1, sizeof *sums), *sizes = sums + groups;
    uint32_t *shuffled = malloc((n + 1) * sizeof *shuffled);
    double seen;

    if (sums == NULL || shuffled == NULL) {
        free(sums);
        free(shuffled);
        return iv_fail(err, IV_ENOMEM, "out of memory");
    }
    *out = iv_interaction_seen(d, group, n, sums, sizes, groups, &seen);
    if (out->why == NULL) {
        const size_t extreme = count_shuffles(d, group, shuffled, n, sums, sizes, groups, seen,
                                              permutations, seed);
        out->p = (double)(extreme + 1) / (double)(permutations + 1);
    }
    free(sums);
    free(shuffled);
    return IV_OK;
}
