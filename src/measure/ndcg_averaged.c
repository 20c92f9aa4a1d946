/* SPDX-License-Identifier: Apache-2.0 */
/* nDCG averaged over ranks: at each relevant document, at each grade's end. */
#include "measure/measure_parts.h"

static double best_by(const iv_gains *g, size_t rank)
{
    return g->ideal_dcg[rank < g->ideal ? rank : g->ideal];
}

static void ndcg_rel(double *out, const iv_asked *a, const iv_topic *t)
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
            sum += g->dcg[k + 1] / best_by(g, g->rank[k]);
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
static void rndcg(double *out, const iv_asked *a, const iv_topic *t)
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

/* What trec_eval lacks. */
const iv_definition *const iv_beyond_ndcg_averaged[] = { NULL };
