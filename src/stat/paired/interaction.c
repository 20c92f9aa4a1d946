/* SPDX-License-Identifier: Apache-2.0 */
/* Does the difference of two systems depend on the group of the topic? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checking.h"
#include "base/parallel.h"
#include "num/num_parts.h"
#include "stat/interval/resample_limit.h"
#include "stat/paired/paired_parts.h"
#include "stat/paired/replicates.h"
#include "num/num_private.h"
#include "stat/paired_private.h"

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

/* The test at work: topics with their groups, and what a shuffle has to reach. */
typedef struct shuffled {
    const double *d;
    const uint32_t *group;
    const double *sizes;
    size_t n, groups;
    double limit;
    uint64_t seed;
} shuffled;

static void count_shuffles(uint64_t *counts, void *room, const void *data, size_t first,
                           size_t last)
{
    const shuffled *x = data;
    double *sums = room;
    uint32_t *group = (uint32_t *)(void *)(sums + x->groups);

    for (size_t r = first; r < last; r++) {
        iv_shuffle_groups(group, x->group, x->n, x->seed, r);
        counts[0] += between(x->d, group, x->n, sums, x->sizes, x->groups) >= x->limit;
    }
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

int iv_check_groups(const uint32_t *group, size_t n, size_t groups, iv_err *err)
{
    IV_TRY(iv_check_list(group, n, "group", err));
    for (size_t i = 0; i < n; i++)
        if (group[i] >= groups)
            return iv_fail(err, IV_EARG, "topic %zu is in group %u of %zu", i + 1, group[i], groups);
    return IV_OK;
}

bool iv_interaction_limit(iv_test *test, double *error, const double *d, size_t n,
                          const double *sizes, size_t groups)
{
    const double N = (double)n, used = (double)test->used, most = 0.05;
    double least = N;

    for (size_t g = 0; g < groups; g++)
        least = sizes[g] > 0.0 && sizes[g] < least ? sizes[g] : least;
    const double off = iv_mean_limit_at(d, n).error * sqrt(N / least);
    if (!(off <= most))
        return false;
    /* Squares between over those within; a shuffle leaves their sum, n - 1 variances. */
    const double ratio = test->statistic * (used - 1.0) / (N - used);
    const double between = isinf(ratio) ? N - 1.0 : (N - 1.0) * ratio / (1.0 + ratio);
    test->p = iv_gamma_sf(0.5 * between, 0.5 * (used - 1.0));
    if (error != NULL && *error < off)
        *error = off;
    return true;
}

int iv_interaction_test(iv_test *out, const double *d, const uint32_t *group, size_t n,
                        size_t groups, size_t permutations, const iv_work *work, iv_err *err)
{
    return iv_interaction_of(out, NULL, d, group, n, groups, permutations, work, err);
}

int iv_interaction_of(iv_test *out, double *error, const double *d, const uint32_t *group, size_t n,
                      size_t groups, size_t permutations, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_list(d, n, "difference", err));
    IV_TRY(iv_check_groups(group, n, groups, err));
    double *sums = calloc(2 * groups + 1, sizeof *sums), *sizes;
    uint64_t extreme = 0;
    double seen;
    int rc = IV_OK;

    if (sums == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    sizes = sums + groups;
    iv_test test = iv_interaction_seen(d, group, n, sums, sizes, groups, &seen);
    if (test.why == NULL && !iv_interaction_limit(&test, error, d, n, sizes, groups)) {
        const shuffled x = { d, group, sizes, n, groups, seen - iv_interaction_slack(d, n, n),
                             iv_work_seed(work) };
        const iv_replicates all = { permutations, iv_batch_of(8 * n + groups), 1,
                                    groups * sizeof(double) + n * sizeof(uint32_t),
                                    count_shuffles, &x };
        rc = iv_count_replicates(&extreme, &all, work, err);
        test.p = (double)(extreme + 1) / (double)(permutations + 1);
    }
    if (rc == IV_OK)
        *out = test;
    free(sums);
    return rc;
}
