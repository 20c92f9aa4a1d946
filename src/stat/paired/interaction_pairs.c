/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interaction of many pairs on the same topics.  The sum of a pair's
 * differences over a group is the difference of two sums, so that one shuffle
 * of the topics serves all pairs: after the sums of each system have been
 * made, a pair costs as many operations as there are groups.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "stat/paired/compare_parts.h"
#include "stat/paired/paired_parts.h"

/* What all shuffles share. */
typedef struct shuffles {
    const double *by_topic; /* topics x systems */
    size_t systems, topics, groups, baseline;
    const uint32_t *group;
    const double *weight;   /* of a group: 1 / sqrt of its topics, or 0 */
    const double *limit;    /* by pair: what counts as reached */
} shuffles;

/* sums[g * systems + s]: over a group, weighted so that squares add up. */
static void sum_groups(double *sums, const shuffles *x, const uint32_t *group)
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

/* Squares between groups of system `one` with each of [from, to), added up. */
static void squares(double *out, const double *sums, const shuffles *x, size_t one, size_t from,
                    size_t to)
{
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
static void squares_of_pairs(double *out, const double *sums, const shuffles *x)
{
    const size_t S = x->systems, base = x->baseline;

    if (base != IV_NO_BASELINE) {
        squares(out, sums, x, base, 0, base);
        squares(out + base, sums, x, base, base + 1, S);
        return;
    }
    for (size_t a = 0; a + 1 < S; a++) {
        squares(out, sums, x, a, a + 1, S);
        out += S - a - 1;
    }
}

/* Adds to counts[] how often each pair reaches its limit; false: no memory. */
static bool count_all(uint64_t *counts, const shuffles *x, size_t pairs,
                      const iv_compare_options *o)
{
    bool ok = true;

    #pragma omp parallel num_threads(iv_threads(o->threads)) reduction(&& : ok)
    {
        double *sums = malloc((x->groups * x->systems + pairs + 1) * sizeof *sums);
        double *found = sums != NULL ? sums + x->groups * x->systems : NULL;
        uint32_t *group = malloc((x->topics + 1) * sizeof *group);
        uint64_t *own = calloc(pairs + 1, sizeof *own);
        ok = sums != NULL && group != NULL && own != NULL;
        #pragma omp for schedule(dynamic, 64)
        for (size_t r = 0; r < o->permutations; r++) {
            if (!ok)
                continue;
            iv_shuffle_groups(group, x->group, x->topics, o->seed, r);
            sum_groups(sums, x, group);
            squares_of_pairs(found, sums, x);
            for (size_t p = 0; p < pairs; p++)
                own[p] += found[p] >= x->limit[p];
            if (o->progress.report != NULL && iv_thread() == 0)
                o->progress.report(o->progress.user,
                                   (double)(r + 1) / (double)o->permutations);
        }
        #pragma omp critical(iv_interaction)
        for (size_t p = 0; ok && p < pairs; p++)
            counts[p] += own[p];
        free(sums);
        free(group);
        free(own);
    }
    return ok;
}

bool iv_interaction_counts(uint64_t *counts, const double *values, size_t systems,
                           size_t topics, const uint32_t *group, size_t groups,
                           const double *limit, size_t pairs, const iv_compare_options *o)
{
    double *by_topic = malloc((systems * topics + 1) * sizeof *by_topic);
    double *weight = calloc(groups + 1, sizeof *weight);
    bool ok = by_topic != NULL && weight != NULL;

    for (size_t t = 0; ok && t < topics; t++) {
        weight[group[t]]++;
        for (size_t s = 0; s < systems; s++)
            by_topic[t * systems + s] = values[s * topics + t];
    }
    for (size_t g = 0; ok && g < groups; g++)
        weight[g] = weight[g] > 0.0 ? 1.0 / sqrt(weight[g]) : 0.0;
    const shuffles x = { by_topic, systems, topics, groups, o->baseline, group, weight, limit };
    ok = ok && count_all(counts, &x, pairs, o);
    free(by_topic);
    free(weight);
    return ok;
}
