/* SPDX-License-Identifier: Apache-2.0 */
/* Does the difference of two systems depend on the group of the topic? */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checking.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "num/num_parts.h"
#include "num/num_private.h"
#include "stat/stat_private.h"
#include "stat/paired/compare_parts.h"
#include "stat/paired/paired_parts.h"
#include "stat/paired/replicates.h"

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

/* The groups of topics as shuffle number r has them. */
static void iv_shuffle_groups(uint32_t *out, const uint32_t *group, size_t n, uint64_t seed,
                              size_t r)
{
    iv_stream s = iv_stream_start(seed, IV_FOR_PERMUTATION, r);

    memcpy(out, group, n * sizeof *out);
    iv_draw_shuffle(&s, out, n, sizeof *out);
}

/*
 * The interaction test but for its p, which is NaN; *seen is what a shuffle
 * has to reach, the squares between groups.  sums and sizes have room for one
 * number a group.
 */
static iv_test iv_interaction_seen(const double *d, const uint32_t *group, size_t n, double *sums,
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

/* Is each of n topics in a group below `groups`?  IV_EARG if not. */
static int iv_check_groups(const uint32_t *group, size_t n, size_t groups, iv_err *err)
{
    IV_TRY(iv_check_list(group, n, "group", err));
    for (size_t i = 0; i < n; i++)
        if (group[i] >= groups)
            return iv_fail(err, IV_EARG, "topic %zu is in group %u of %zu", i + 1, group[i],
                           groups);
    return IV_OK;
}

/*
 * How far the mean of n draws with replacement is from normal, in probability, at most: Berry and
 * Esseen, with Shevtsova's constant (2011, Informatics and its Applications 5, 124-125).
 */
static double off_normal(const double *d, size_t n)
{
    const iv_differences k = iv_describe_differences(d, n);
    double cubes = 0.0;

    for (size_t i = 0; i < n; i++)
        cubes += pow(fabs(d[i] - k.mean), 3.0);
    return 0.4748 * cubes / pow((double)(n - 1) * k.sd * k.sd, 1.5);
}

/*
 * The p of a test that iv_interaction_seen() began, of infinitely many shuffles: sums of groups
 * are normal then, and squares between them chi-square.  *error rises to how far the sum of the
 * smallest group is from normal, in probability, at most (Berry and Esseen, of draws with
 * replacement).  False where there are few topics, or that is not little: shuffle.
 */
static bool iv_interaction_limit(iv_test *test, double *error, const double *d, size_t n,
                                 const double *sizes, size_t groups)
{
    const double N = (double)n, used = (double)test->used;
    /* The bound of Berry and Esseen is far above the error: unit test many_topics, 2,000
     * shuffles. */
    const double most = 0.05;
    double least = N;

    for (size_t g = 0; g < groups; g++)
        least = sizes[g] > 0.0 && sizes[g] < least ? sizes[g] : least;
    const double off = off_normal(d, n) * sqrt(N / least);
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

/* ----------------------------------------------------- interaction pairs -- */

/*
 * The interaction of many pairs on the same topics.  The sum of a pair's
 * differences over a group is the difference of two sums, so that one shuffle
 * of the topics serves all pairs: after the sums of each system have been
 * made, a pair costs as many operations as there are groups.
 */

/* Scores of systems on topics in groups, and the pairs to look at. */
typedef struct grouped_scores {
    const double *values; /* a system after the other; NaN: missing */
    size_t systems, topics;
    const uint32_t *group; /* by topic */
    size_t groups;
    const iv_couple *couples; /* the pairs ... */
    size_t pairs;             /* ... and how many */
    bool all;                 /* they are all there are */
    size_t permutations;
    /* What all shuffles share. */
    double *by_topic; /* topics x systems */
    double *weight;   /* of a group: 1 / sqrt of its topics, or 0 */
    const double *limit; /* by pair: what counts as reached */
    uint64_t seed;
} grouped_scores;

/* sums[g * systems + s]: over a group, weighted so that squares add up. */
static void sum_groups(double *sums, const grouped_scores *x, const uint32_t *group)
{
    const size_t S = x->systems;

    memset(sums, 0, x->groups * S * sizeof *sums);
    for (size_t t = 0; t < x->topics; t++) {
        double *of = sums + group[t] * S;
        const double *row = x->by_topic + t * S;
        for (size_t s = 0; s < S; s++)
            of[s] += row[s];
    }
    for (size_t g = 0; g < x->groups; g++) {
        for (size_t s = 0; s < S; s++)
            sums[g * S + s] *= x->weight[g];
    }
}

/* Squares between groups of system `one` with each later one, added up. */
static void squares(double *out, const double *sums, const grouped_scores *x, size_t one)
{
    const size_t from = one + 1, to = x->systems;

    for (size_t b = from; b < to; b++)
        out[b - from] = 0.0;
    for (size_t g = 0; g < x->groups; g++) {
        const double *row = sums + g * x->systems;
        const double own = row[one];
        for (size_t b = from; b < to; b++)
            out[b - from] += (own - row[b]) * (own - row[b]);
    }
}

/* Squares of every pair, in the order of iv_comparison_pairs(). */
static void squares_of_pairs(double *out, const double *sums, const grouped_scores *x)
{
    const size_t S = x->systems;

    for (size_t p = 0; !x->all && p < x->pairs; p++) {
        out[p] = 0.0;
        for (size_t g = 0; g < x->groups; g++) {
            const double d = sums[g * S + x->couples[p].a] - sums[g * S + x->couples[p].b];
            out[p] += d * d;
        }
    }
    for (size_t a = 0; x->all && a + 1 < S; a++) {
        squares(out, sums, x, a);
        out += S - a - 1;
    }
}

static void count_shuffles(uint64_t *counts, void *room, const void *data, size_t first,
                           size_t last)
{
    const grouped_scores *g = data;
    double *sums = room, *found = sums + g->groups * g->systems;
    uint32_t *group = (uint32_t *)(void *)(found + g->pairs);

    for (size_t r = first; r < last; r++) {
        iv_shuffle_groups(group, g->group, g->topics, g->seed, r);
        sum_groups(sums, g, group);
        squares_of_pairs(found, sums, g);
        for (size_t p = 0; p < g->pairs; p++)
            counts[p] += found[p] >= g->limit[p];
    }
}

/*
 * How many shuffles of the topics' groups reach each pair's limit, the squares
 * between groups; added to counts[].  Scores are all finite.
 */
static int iv_interaction_counts(uint64_t *counts, grouped_scores g, const double *limit,
                                 iv_arena *own, const iv_work *work, iv_err *err)
{
    const size_t S = g.systems, T = g.topics, G = g.groups;
    const iv_replicates all = {
        counts, g.permutations, iv_batch_of(8 * T + S * (T + G) + g.pairs * (G + 1)), g.pairs,
        (G * S + g.pairs) * sizeof(double) + T * sizeof(uint32_t), count_shuffles, &g };

    g.by_topic = iv_take(own, S * T, sizeof(double));
    g.weight = iv_take(own, G, sizeof(double));
    g.limit = limit;
    g.seed = iv_work_seed(work);
    IV_TRY(iv_taken(own, err));
    for (size_t t = 0; t < T; t++) {
        g.weight[g.group[t]]++;
        for (size_t s = 0; s < S; s++)
            g.by_topic[t * S + s] = g.values[s * T + t];
    }
    for (size_t k = 0; k < G; k++)
        g.weight[k] = g.weight[k] > 0.0 ? 1.0 / sqrt(g.weight[k]) : 0.0;
    return iv_count_replicates(&all, work, err);
}

/* ------------------------------------------------------- compare grouped -- */

/* Does the difference of a pair depend on the group of the topic?  All pairs. */

/* Every system has every topic: one shuffle serves all pairs, if one of them needs it. */
static int test_together(iv_test *out, double *error, const grouped_scores *g, iv_arena *own,
                         const iv_work *work, iv_err *err)
{
    double *limit = iv_take(own, g->pairs, sizeof *limit);
    double *d = iv_take(own, g->topics, sizeof *d);
    double *sums = iv_take(own, g->groups, sizeof *sums);
    double *sizes = iv_take(own, g->groups, sizeof *sizes);
    uint64_t *counts = iv_take(own, g->pairs, sizeof *counts);
    const double slack = iv_interaction_slack(g->values, g->systems * g->topics, g->topics);
    bool limits = true;
    double largest = 0.0;

    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < g->pairs; i++) {
        (void)iv_pair_differences(d, g->values + g->couples[i].a * g->topics,
                                  g->values + g->couples[i].b * g->topics, g->topics);
        out[i] = iv_interaction_seen(d, g->group, g->topics, sums, sizes, g->groups, &limit[i]);
        limit[i] -= slack;
        limits = limits && (out[i].why != NULL
                            || iv_interaction_limit(&out[i], &largest, d, g->topics, sizes,
                                                    g->groups));
        IV_TRY(iv_check_work(work, 0.0, err));
    }
    if (limits) {
        if (error != NULL && largest > *error)
            *error = largest;
        return IV_OK;
    }
    IV_TRY(iv_interaction_counts(counts, *g, limit, own, work, err));
    for (size_t i = 0; i < g->pairs; i++) {
        if (out[i].why == NULL)
            out[i].p = (double)(counts[i] + 1) / (double)(g->permutations + 1);
    }
    return IV_OK;
}

/* One pair, on the topics that both have. */
static int test_pair(iv_test *out, double *error, const grouped_scores *g, size_t i,
                     iv_arena *own, const iv_work *work, iv_err *err)
{
    const double *a = g->values + g->couples[i].a * g->topics;
    const double *b = g->values + g->couples[i].b * g->topics;
    double *values = iv_take(own, 2 * g->topics, sizeof *values);
    uint32_t *of = iv_take(own, g->topics, sizeof *of);
    const iv_couple couple = { 0, 1 };
    size_t n = 0, k = 0;

    IV_TRY(iv_taken(own, err));
    for (size_t t = 0; t < g->topics; t++)
        n += !isnan(a[t]) && !isnan(b[t]);
    for (size_t t = 0; t < g->topics; t++) {
        if (isnan(a[t]) || isnan(b[t]))
            continue;
        values[k] = a[t];
        values[n + k] = b[t];
        of[k++] = g->group[t];
    }
    const grouped_scores one = { values, 2, n, of, g->groups, &couple, 1, true,
                                 g->permutations };
    return test_together(out, error, &one, own, work, err);
}

/* Scores are missing: pair after pair. */
static int test_apart(iv_test *out, double *error, const grouped_scores *g, const iv_work *work,
                      iv_err *err)
{
    int rc = IV_OK;

    for (size_t i = 0; rc == IV_OK && i < g->pairs; i++) {
        iv_arena own = { 0 };
        iv_stage stage;
        rc = test_pair(&out[i], error, g, i, &own, iv_work_nth(&stage, work, i, g->pairs), err);
        iv_arena_free(&own);
    }
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

int iv_compare_interaction(iv_test *out, double *error, const double *values, size_t systems,
                           size_t topics, const uint32_t *group, size_t groups,
                           const iv_compare_options *options, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_groups(group, topics, groups, err));
    const iv_compare_options o = options != NULL ? *options : (iv_compare_options){ 0 };
    iv_arena own = { 0 };
    bool known = true;

    for (size_t k = 0; k < o.baseline_count; k++)
        known = known && o.baselines[k] < systems;
    if (systems < 2 || !known)
        return iv_fail(err, IV_EARG, systems < 2 ? "fewer than two systems to compare"
                       : "the baseline is none of the systems");
    const size_t pairs = iv_couples(NULL, systems, o.baselines, o.baseline_count);
    iv_couple *couples = iv_take(&own, pairs, sizeof *couples);
    const grouped_scores g = {
        values, systems, topics, group, groups, couples, pairs, o.baseline_count == 0,
        o.permutations > 0 ? o.permutations : IV_PERMUTATIONS };
    int rc = iv_taken(&own, err);
    if (rc == IV_OK) {
        (void)iv_couples(couples, systems, o.baselines, o.baseline_count);
        rc = all_finite(values, systems * topics) ? test_together(out, error, &g, &own, work, err)
                                                  : test_apart(out, error, &g, work, err);
    }
    iv_arena_free(&own);
    return rc;
}
