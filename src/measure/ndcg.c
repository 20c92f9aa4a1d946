/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Discounted cumulative gain and its normalised forms.  The sums are prepared
 * with the gains: dcg[k] over the first k documents with a gain, ideal_dcg[k]
 * over the k best of the judgments.
 *
 * Ref: Jarvelin and Kekalainen (2002), Cumulated gain-based evaluation of IR
 * techniques, ACM TOIS 20, 422-446.
 */
#include <math.h>

#include "measure/measure_parts.h"

static void ndcg(double *out, const iv_asked *a, const iv_topic *t)
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

static void ndcg_cut(double *out, const iv_asked *a, const iv_topic *t)
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

static void dcg(double *out, const iv_asked *a, const iv_topic *t)
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

static void ideal_dcg(double *out, const iv_asked *a, const iv_topic *t)
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

/* What trec_eval lacks. */
const iv_definition *const iv_beyond_ndcg[] = { NULL };
