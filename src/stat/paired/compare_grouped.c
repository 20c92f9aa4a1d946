/* SPDX-License-Identifier: Apache-2.0 */
/* Does the difference of a pair depend on the group of the topic?  All pairs. */
#include <math.h>
#include <stdlib.h>

#include "base/threads.h"
#include "stat/paired/compare_parts.h"
#include "stat/paired/paired_parts.h"

/* One pair: its differences, and the groups of the topics they are of. */
static int test_pair(iv_test *out, const double *a, const double *b, size_t topics,
                     const uint32_t *group, size_t groups, const iv_compare_options *o,
                     double *d, uint32_t *of)
{
    const size_t n = iv_pair_differences(d, a, b, topics);
    size_t k = 0;

    for (size_t t = 0; t < topics; t++) {
        if (!isnan(a[t]) && !isnan(b[t]))
            of[k++] = group[t];
    }
    return iv_interaction_test(out, d, of, n, groups, o->permutations, o->seed, NULL);
}

/* The systems of pair number i, as iv_comparison_pairs() has them. */
static void pair_at(size_t *a, size_t *b, size_t i, size_t systems, size_t baseline)
{
    if (baseline != IV_NO_BASELINE) {
        *a = i < baseline ? i : i + 1;
        *b = baseline;
        return;
    }
    for (*a = 0; i >= systems - 1 - *a; (*a)++)
        i -= systems - 1 - *a;
    *b = *a + 1 + i;
}

static bool all_finite(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i]))
            return false;
    }
    return true;
}

/* Every system has every topic: one shuffle serves all pairs. */
static int test_together(iv_test *out, const double *values, size_t systems, size_t topics,
                         const uint32_t *group, size_t groups, size_t pairs,
                         const iv_compare_options *o, iv_err *err)
{
    double *limit = malloc((pairs + topics + 2 * groups + 1) * sizeof *limit);
    uint64_t *counts = calloc(pairs + 1, sizeof *counts);
    bool ok = limit != NULL && counts != NULL;
    const double slack = iv_interaction_slack(values, systems * topics, topics);

    for (size_t i = 0; ok && i < pairs; i++) {
        double *d = limit + pairs;
        size_t a, b;
        pair_at(&a, &b, i, systems, o->baseline);
        (void)iv_pair_differences(d, values + a * topics, values + b * topics, topics);
        out[i] = iv_interaction_seen(d, group, topics, d + topics, d + topics + groups, groups,
                                     &limit[i]);
        limit[i] -= slack;
    }
    ok = ok && iv_interaction_counts(counts, values, systems, topics, group, groups, limit,
                                     pairs, o);
    for (size_t i = 0; ok && i < pairs; i++) {
        if (out[i].why == NULL)
            out[i].p = (double)(counts[i] + 1) / (double)(o->permutations + 1);
    }
    free(limit);
    free(counts);
    return ok ? IV_OK : iv_fail(err, IV_ENOMEM, "out of memory");
}

int iv_compare_interaction(iv_test *out, const double *values, size_t systems,
                           size_t topics, const uint32_t *group, size_t groups,
                           const iv_compare_options *options, iv_err *err)
{
    const iv_compare_options o = options != NULL ? *options : iv_compare_defaults();
    const bool all = o.baseline == IV_NO_BASELINE;
    const size_t pairs = all ? iv_pair_count(systems) : systems - 1;
    int worst = IV_OK;

    if (systems < 2 || (!all && o.baseline >= systems))
        return iv_fail(err, IV_EARG, systems < 2 ? "fewer than two systems to compare"
                       : "the baseline is none of the systems");
    if (all_finite(values, systems * topics))
        return test_together(out, values, systems, topics, group, groups, pairs, &o, err);
    #pragma omp parallel num_threads(iv_threads(o.threads))
    {
        double *d = malloc((topics + 1) * sizeof *d);
        uint32_t *of = malloc((topics + 1) * sizeof *of);
        #pragma omp for schedule(dynamic, 1)
        for (size_t i = 0; i < pairs; i++) {
            size_t a, b;
            pair_at(&a, &b, i, systems, o.baseline);
            const int rc = d == NULL || of == NULL ? IV_ENOMEM
                : test_pair(&out[i], values + a * topics, values + b * topics, topics, group,
                            groups, &o, d, of);
            if (rc < 0) {
                #pragma omp atomic write
                worst = rc;
            }
            if (o.progress.report != NULL && iv_thread() == 0)
                o.progress.report(o.progress.user, (double)(i + 1) / (double)pairs);
        }
        free(d);
        free(of);
    }
    return worst == IV_OK ? IV_OK : iv_fail(err, worst, "out of memory");
}
