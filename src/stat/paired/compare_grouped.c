/* SPDX-License-Identifier: Apache-2.0 */
/* Does the difference of a pair depend on the group of the topic?  All pairs. */
#include <math.h>
#include <stdlib.h>

#include "base/checking.h"
#include "base/parallel.h"
#include "stat/paired/compare_parts.h"
#include "stat/paired/paired_parts.h"
#include "stat/comparison_private.h"

/* The scores of pair number i, as iv_comparison_pairs() has them. */
static void pair_at(const double **a, const double **b, const iv_grouped_scores *g, size_t i)
{
    *a = g->values + g->couples[i].a * g->topics;
    *b = g->values + g->couples[i].b * g->topics;
}

/* One pair: its differences, and the groups of the topics they are of. */
static int test_pair(iv_test *out, double *error, const iv_grouped_scores *g, size_t i, double *d,
                     uint32_t *of, const iv_work *work, iv_err *err)
{
    const double *a, *b;
    size_t k = 0;

    pair_at(&a, &b, g, i);
    const size_t n = iv_pair_differences(d, a, b, g->topics);
    for (size_t t = 0; t < g->topics; t++) {
        if (!isnan(a[t]) && !isnan(b[t]))
            of[k++] = g->group[t];
    }
    return iv_interaction_of(out, error, d, of, n, g->groups, g->permutations, work, err);
}

/* Scores are missing: pair after pair. */
static int test_apart(iv_test *out, double *error, const iv_grouped_scores *g, const iv_work *work,
                      iv_err *err)
{
    double *d = malloc((g->topics + 1) * sizeof *d);
    uint32_t *of = malloc((g->topics + 1) * sizeof *of);
    int rc = d == NULL || of == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    for (size_t i = 0; rc == IV_OK && i < g->pairs; i++) {
        const double all = (double)g->pairs;
        iv_stage stage;
        rc = test_pair(&out[i], error, g, i, d, of,
                       iv_work_part(&stage, work, (double)i / all, (double)(i + 1) / all), err);
    }
    free(d);
    free(of);
    return rc;
}

static bool all_finite(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i]))
            return false;
    }
    return true;
}

/* Every system has every topic: one shuffle serves all pairs, if one of them needs it. */
static int test_together(iv_test *out, double *error, const iv_grouped_scores *g, const iv_work *work,
                         iv_err *err)
{
    double *limit = malloc((g->pairs + g->topics + 2 * g->groups + 1) * sizeof *limit);
    uint64_t *counts = calloc(g->pairs + 1, sizeof *counts);
    const double slack = iv_interaction_slack(g->values, g->systems * g->topics, g->topics);
    int rc = limit == NULL || counts == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;
    bool limits = true;
    double largest = 0.0;

    for (size_t i = 0; rc == IV_OK && i < g->pairs; i++) {
        double *d = limit + g->pairs;
        const double *a, *b;
        pair_at(&a, &b, g, i);
        (void)iv_pair_differences(d, a, b, g->topics);
        out[i] = iv_interaction_seen(d, g->group, g->topics, d + g->topics,
                                     d + g->topics + g->groups, g->groups, &limit[i]);
        limit[i] -= slack;
        limits = limits && (out[i].why != NULL
                            || iv_interaction_limit(&out[i], &largest, d, g->topics,
                                                    d + g->topics + g->groups, g->groups));
        rc = iv_check_work(work, 0.0, err);
    }
    if (rc == IV_OK && !limits)
        rc = iv_interaction_counts(counts, g, limit, work, err);
    if (limits && error != NULL && largest > *error)
        *error = largest;
    for (size_t i = 0; rc == IV_OK && !limits && i < g->pairs; i++) {
        if (out[i].why == NULL)
            out[i].p = (double)(counts[i] + 1) / (double)(g->permutations + 1);
    }
    free(limit);
    free(counts);
    return rc;
}

int iv_compare_interaction(iv_test *out, const double *values, size_t systems,
                           size_t topics, const uint32_t *group, size_t groups,
                           const iv_compare_options *options, const iv_work *work, iv_err *err)
{
    return iv_interactions_of(out, NULL, values, systems, topics, group, groups, options, work, err);
}

int iv_interactions_of(iv_test *out, double *error, const double *values, size_t systems,
                       size_t topics, const uint32_t *group, size_t groups,
                       const iv_compare_options *options, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_groups(group, topics, groups, err));
    const iv_compare_options o = options != NULL ? *options : (iv_compare_options){ 0 };
    bool known = true;

    for (size_t k = 0; k < o.baseline_count; k++)
        known = known && o.baselines[k] < systems;
    if (systems < 2 || !known)
        return iv_fail(err, IV_EARG, systems < 2 ? "fewer than two systems to compare"
                       : "the baseline is none of the systems");
    const size_t pairs = iv_couples(NULL, systems, o.baselines, o.baseline_count);
    iv_couple *couples = malloc((pairs + 1) * sizeof *couples);
    if (couples == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    (void)iv_couples(couples, systems, o.baselines, o.baseline_count);
    const iv_grouped_scores g = {
        values, systems, topics, group, groups, couples, pairs, o.baseline_count == 0,
        o.permutations > 0 ? o.permutations : IV_PERMUTATIONS };
    const int rc = all_finite(values, systems * topics) ? test_together(out, error, &g, work, err)
                                                        : test_apart(out, error, &g, work, err);
    free(couples);
    return rc;
}
