/* SPDX-License-Identifier: Apache-2.0 */
/* Buckley's G: gain discounted by what came above in vain, not by rank. */
#include <math.h>

#include "measure/measure_parts.h"

/* log2 by table where the argument is one of its entries. */
static double binary_log(const iv_topic *t, double x)
{
    if (x >= 1.0 && x < (double)t->log2_count) {
        const size_t whole = (size_t)x;
        if ((double)whole == x)
            return t->log2[whole];
    }
    return log2(x);
}

static void bin_g(double *out, const iv_asked *a, const iv_topic *t)
{
    const iv_view *v = t->view;
    double sum = 0.0;

    (void)a;
    for (size_t k = 0; k < v->found; k++)
        sum += 1.0 / t->log2[v->rank[k] - k + 1]; /* 2 + not relevant above */
    *out = v->found > 0 ? sum / (double)v->relevant : 0.0;
}

const iv_definition iv_define_binG = {
    .info = {
        .name = "binG",
        .family = "gain",
        .usage = "binG",
        .brief = "G with gain 1 for every relevant document",
        .text =
            "binG = (1/R) * sum over the relevant documents retrieved of\n"
            "       1 / log2(2 + documents above it that are not relevant)\n"
            "\n"
            "Unjudged documents count as not relevant.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
    },
    .sets = IV_IN_ALL,
    .compute = bin_g,
};

/*
 * cost: by a rank, the ideal gains down to it, each at least 1, and 1 a rank
 * once they are used up.
 */
static void g_measure(double *out, const iv_asked *a, const iv_topic *t)
{
    const iv_gains *g = t->gains;
    size_t rank = 0;
    double cost = 0.0, got = 0.0, sum = 0.0, ideal = 0.0;

    (void)a;
    for (size_t k = 0; k < g->found; k++) {
        const size_t to = g->rank[k];
        for (; rank < to && rank < g->ideal; rank++)
            cost += fmax(g->ideal_gain[rank], 1.0);
        cost += (double)(to - rank);
        rank = to;
        got += g->gain[k];
        sum += g->gain[k] / binary_log(t, 2.0 + cost - got);
    }
    for (size_t i = 0; i < g->ideal; i++)
        ideal += g->ideal_gain[i];
    *out = ideal > 0.0 ? sum / ideal : 0.0;
}

const iv_definition iv_define_G = {
    .info = {
        .name = "G",
        .family = "gain",
        .usage = "G  G.1=3.5,2=9",
        .brief = "gain discounted by the gain missed above",
        .text =
            "G = (1/I) * sum over ranks i of gain(i) / log2(2 + ideal(i) - got(i))\n"
            "\n"
            "got(i): gains down to rank i; ideal(i): the same in the best order, each\n"
            "rank counting at least 1; I: all gains above 0. A document is not\n"
            "punished for what good documents stand above it. See ndcg for the\n"
            "gains. Unjudged documents have gain 0.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
        .graded = true,
    },
    .shape = IV_SHAPE_PAIRS,
    .sets = IV_IN_ALL,
    .reads = IV_READS_GAINS,
    .compute = g_measure,
};

/* What trec_eval lacks. */
const iv_definition *const iv_beyond_gain[] = { NULL };
