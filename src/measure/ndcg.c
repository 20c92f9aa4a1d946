/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Discounted cumulative gain and its normalised forms.  The sums are prepared
 * with the gains: dcg[k] over the first k documents with a gain, ideal_dcg[k]
 * over the k best of the judgments.
 *
 * Ref: Jarvelin and Kekalainen (2002), Cumulated gain-based evaluation of IR
 * techniques, ACM TOIS 20, 422-446.
 */
#include "measure/definition.h"
#include "measure/topic.h"

#include <math.h>

static void ndcg(double *out, const iv_requested *a, const iv_topic *t)
{
    const iv_gains *g = t->gains;

    (void)a;
    *out = g->ideal > 0 ? g->dcg[g->found] / g->ideal_dcg[g->ideal] : 0.0;
}

const iv_definition iv_define_ndcg = {
    .info = {
        .name = "ndcg",
        .ir_name = "nDCG",
        .family = "discounted gain",
        .usage = "ndcg  ndcg.1=3.5,2=9  nDCG  nDCG(dcg='exp-log2')  nDCG(gains={1:3,2:9})",
        .brief = "normalised discounted cumulative gain",
        .text =
            "nDCG = DCG / (DCG of the best order of all judged documents)\n"
            "DCG  = sum over ranks i of gain(i) / log2(i + 1)\n"
            "\n"
            "The gain is the grade; 1=3.5,2=9 or gains={1:3.5,2:9} sets it for those\n"
            "grades, dcg='exp-log2' makes it 2^grade - 1. 0 when no gain is above 0.\n"
            "May be below 0 if a gain is. Unjudged documents have gain 0.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
        .graded = true,
    },
    .ir_alias = "NDCG",
    .shape = IV_SHAPE_PAIRS,
    .keywords = IV_IR_DCG | IV_IR_GAINS | IV_IR_JUDGED_ONLY,
    .sets = IV_IN_ALL,
    .reads = IV_READS_GAINS,
    .range = IV_RANGE_NDCG,
    .compute = ndcg,
};

static void ndcg_cut(double *out, const iv_requested *a, const iv_topic *t)
{
    const iv_gains *g = t->gains;
    size_t found = 0;

    for (size_t i = 0; i < a->count; i++) {
        const double cut = a->number[i];
        const size_t best = cut < (double)g->ideal ? (size_t)cut : g->ideal;
        while (found < g->found && g->rank[found] <= cut)
            found++;
        out[i] = best > 0 ? g->dcg[found] / g->ideal_dcg[best] : 0.0;
    }
}

const iv_definition iv_define_ndcg_cut = {
    .info = {
        .name = "ndcg_cut",
        .ir_name = "nDCG",
        .family = "discounted gain",
        .usage = "ndcg_cut  ndcg_cut.10,20  ndcg_cut_10  nDCG@10  nDCG(dcg='exp-log2')@10",
        .brief = "nDCG of the first k documents",
        .text =
            "nDCG@k = DCG@k / (DCG@k of the best order of all judged documents)\n"
            "DCG@k  = sum over ranks i = 1..k of gain(i) / log2(i + 1)\n"
            "\n"
            "The gain is the grade; see ndcg for others. Cut-offs:\n"
            "5,10,15,20,30,100,200,500,1000 unless given.\n"
            "Unjudged documents have gain 0.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
        .graded = true,
    },
    .ir_alias = "NDCG",
    .shape = IV_SHAPE_CUTS,
    IV_USUAL_CUTS,
    .at = IV_AT_MUST,
    .keywords = IV_IR_DCG | IV_IR_GAINS | IV_IR_JUDGED_ONLY,
    .sets = IV_IN_ALL,
    .reads = IV_READS_GAINS,
    .range = IV_RANGE_NDCG,
    .compute = ndcg_cut,
};

static void dcg(double *out, const iv_requested *a, const iv_topic *t)
{
    (void)a;
    *out = t->gains->dcg[t->gains->found];
}

const iv_definition iv_define_dcg = {
    .info = {
        .name = "dcg",
        .family = "discounted gain",
        .usage = "dcg  dcg.1=3.5,2=9",
        .brief = "discounted cumulative gain, not normalised",
        .text =
            "DCG = sum over ranks i of gain(i) / log2(i + 1)\n"
            "\n"
            "See ndcg for the gains. Unjudged documents have gain 0.\n",
        IV_MEAN_WITHIN(0.0, INFINITY),
        .graded = true,
    },
    .shape = IV_SHAPE_PAIRS,
    .reads = IV_READS_GAINS,
    .compute = dcg,
};

static void ideal_dcg(double *out, const iv_requested *a, const iv_topic *t)
{
    (void)a;
    *out = t->gains->ideal_dcg[t->gains->ideal];
}

const iv_definition iv_define_ideal_dcg = {
    .info = {
        .name = "ideal_dcg",
        .family = "discounted gain",
        .usage = "ideal_dcg  ideal_dcg.1=3.5,2=9",
        .brief = "discounted cumulative gain of the best order",
        .text =
            "The DCG of all judged documents with a gain above 0, highest first:\n"
            "what ndcg divides by. It does not depend on the run.\n",
        IV_MEAN_WITHIN(0.0, INFINITY),
        .graded = true,
    },
    .shape = IV_SHAPE_PAIRS,
    .reads = IV_READS_GAINS,
    .compute = ideal_dcg,
};

/* nDCG averaged over ranks: at each relevant document, at each grade's end. */

static void ndcg_rel(double *out, const iv_requested *a, const iv_topic *t)
{
    const iv_gains *g = t->gains;
    size_t gaining = 0;
    double sum = 0.0;

    (void)a;
    *out = 0.0;
    if (g->ideal == 0)
        return;
    for (size_t k = 0; k < g->found; k++)
        if (g->gain[k] > 0.0) {
            sum += g->dcg[k + 1] / g->ideal_dcg[g->rank[k] < g->ideal ? g->rank[k] : g->ideal];
            gaining++;
        }
    sum += ((double)g->ideal - (double)gaining) * g->dcg[g->found]
        / g->ideal_dcg[g->ideal];
    if (sum > 0.0)
        *out = sum / (double)g->ideal;
}

const iv_definition iv_define_ndcg_rel = {
    .info = {
        .name = "ndcg_rel",
        .family = "discounted gain",
        .usage = "ndcg_rel  ndcg_rel.1=3.5,2=9",
        .brief = "nDCG averaged over the relevant documents",
        .text =
            "ndcg_rel = (1/G) * sum over documents with a gain above 0 of nDCG@rank\n"
            "\n"
            "G: how many were judged so; for one not retrieved the last DCG over the\n"
            "ideal one counts. See ndcg for the gains.\n"
            "Unjudged documents have gain 0.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
        .graded = true,
    },
    .shape = IV_SHAPE_PAIRS,
    .sets = IV_IN_ALL,
    .reads = IV_READS_GAINS,
    .compute = ndcg_rel,
};

/*
 * nDCG where the ideal gain changes, 0 at its end included, and once more at
 * the end of a ranking that goes on for two or more documents after that.
 */
static void rndcg(double *out, const iv_requested *a, const iv_topic *t)
{
    const iv_gains *g = t->gains;
    size_t found = 0, points = 0;
    double sum = 0.0;

    (void)a;
    *out = 0.0;
    if (t->view->relevant == 0 || g->ideal == 0)
        return;
    for (size_t i = 1; i <= g->ideal; i++) {
        if (i < g->ideal && g->ideal_gain[i] == g->ideal_gain[i - 1])
            continue;
        while (found < g->found && g->rank[found] <= i)
            found++;
        sum += g->dcg[found] / g->ideal_dcg[i];
        points++;
    }
    if (g->ranking->retrieved > g->ideal + 1) {
        sum += g->dcg[g->found] / g->ideal_dcg[g->ideal];
        points++;
    }
    *out = sum / (double)points;
}

const iv_definition iv_define_Rndcg = {
    .info = {
        .name = "Rndcg",
        .family = "discounted gain",
        .usage = "Rndcg  Rndcg.1=3.5,2=9",
        .brief = "nDCG averaged over the ranks where the ideal grade changes",
        .text =
            "Rndcg = mean of nDCG@k over k = the number of documents with the\n"
            "        highest gain, with the two highest, and so on down to the last\n"
            "        gain above 0, and k = the number retrieved\n"
            "\n"
            "The last k drops out when fewer than two documents follow the one\n"
            "before it. See ndcg for the gains. Unjudged documents have gain 0.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
        .graded = true,
    },
    .shape = IV_SHAPE_PAIRS,
    .sets = IV_IN_ALL,
    .reads = IV_READS_GAINS,
    .compute = rndcg,
};

/* Buckley's G: gain discounted by what came above in vain, not by rank. */

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

static void bin_g(double *out, const iv_requested *a, const iv_topic *t)
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
static void g_measure(double *out, const iv_requested *a, const iv_topic *t)
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
const iv_definition *const iv_beyond_ndcg[] = { NULL };
