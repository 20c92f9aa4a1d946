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

#include "base/parallel.h"
#include "stat/paired/compare_parts.h"
#include "stat/paired/paired_parts.h"
#include "stat/paired/replicates.h"

/* What all shuffles share. */
typedef struct shuffles {
    const double *by_topic; /* topics x systems */
    size_t systems, topics, groups;
    const iv_couple *couples; /* NULL: all pairs */
    size_t pairs;
    const uint32_t *group;
    const double *weight;   /* of a group: 1 / sqrt of its topics, or 0 */
    const double *limit;    /* by pair: what counts as reached */
    uint64_t seed;
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

/* Squares between groups of system `one` with each later one, added up. */
static void squares(double *out, const double *sums, const shuffles *x, size_t one)
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
static void squares_of_pairs(double *out, const double *sums, const shuffles *x)
{
    const size_t S = x->systems;

    for (size_t p = 0; x->couples != NULL && p < x->pairs; p++) {
        out[p] = 0.0;
        for (size_t g = 0; g < x->groups; g++) {
            const double d = sums[g * S + x->couples[p].a] - sums[g * S + x->couples[p].b];
            out[p] += d * d;
        }
    }
    for (size_t a = 0; x->couples == NULL && a + 1 < S; a++) {
        squares(out, sums, x, a);
        out += S - a - 1;
    }
}

static void count_shuffles(uint64_t *counts, void *room, const void *data, size_t first,
                           size_t last)
{
    const shuffles *x = data;
    double *sums = room, *found = sums + x->groups * x->systems;
    uint32_t *group = (uint32_t *)(void *)(found + x->pairs);

    for (size_t r = first; r < last; r++) {
        iv_shuffle_groups(group, x->group, x->topics, x->seed, r);
        sum_groups(sums, x, group);
        squares_of_pairs(found, sums, x);
        for (size_t p = 0; p < x->pairs; p++)
            counts[p] += found[p] >= x->limit[p];
    }
}

int iv_interaction_counts(uint64_t *counts, const iv_grouped_scores *g, const double *limit,
                          const iv_work *work, iv_err *err)
{
    const size_t S = g->systems, T = g->topics, G = g->groups;
    double *by_topic = malloc((S * T + 1) * sizeof *by_topic);
    double *weight = calloc(G + 1, sizeof *weight);
    int rc;

    if (by_topic != NULL && weight != NULL) {
        const shuffles x = { by_topic, S, T, G, g->all ? NULL : g->couples, g->pairs, g->group, weight, limit,
                             iv_work_seed(work) };
        const iv_replicates all = {
            g->permutations, iv_batch_of(8 * T + S * (T + G) + g->pairs * (G + 1)), g->pairs,
            (G * S + g->pairs) * sizeof(double) + T * sizeof(uint32_t), count_shuffles, &x };
        for (size_t t = 0; t < T; t++) {
            weight[g->group[t]]++;
            for (size_t s = 0; s < S; s++)
                by_topic[t * S + s] = g->values[s * T + t];
        }
        for (size_t k = 0; k < G; k++)
            weight[k] = weight[k] > 0.0 ? 1.0 / sqrt(weight[k]) : 0.0;
        rc = iv_count_replicates(counts, &all, work, err);
    } else {
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    }
    free(by_topic);
    free(weight);
    return rc;
}
