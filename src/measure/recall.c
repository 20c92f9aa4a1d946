/* SPDX-License-Identifier: Apache-2.0 */
/* Recall, success and reciprocal rank. */
#include "measure/measure_parts.h"

static void recall(double *out, const iv_asked *a, const iv_topic *t)
{
    const iv_view *v = t->view;
    size_t found = 0;

    for (size_t i = 0; i < a->count; i++) {
        found = iv_found_by(v, a->number[i], found);
        out[i] = v->relevant > 0 ? (double)found / (double)v->relevant : 0.0;
    }
}

const iv_definition iv_define_recall = {
    .info = {
        .name = "recall",
        .ir_name = "R",
        .family = "recall",
        .usage = "recall  recall.5,10  recall_10  R@10  R(rel=2)@10",
        .brief = "recall: the proportion of the relevant documents in the first k",
        .text =
            "R@k = (relevant documents in the first k) / R\n"
            "\n"
            "0 when nothing is relevant.\n"
            "Cut-offs: 5,10,15,20,30,100,200,500,1000 unless given.\n"
            "Unjudged documents count as not relevant, retrieved or not: recall is\n"
            "over the judged ones.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
    },
    .ir_alias = "Recall",
    .shape = IV_SHAPE_CUTS,
    IV_USUAL_CUTS,
    .at = IV_AT_MUST,
    .keywords = IV_IR_REL | IV_IR_JUDGED_ONLY,
    .sets = IV_IN_ALL,
    .range = IV_RANGE_RECALL,
    .compute = recall,
};

static void success(double *out, const iv_asked *a, const iv_topic *t)
{
    for (size_t i = 0; i < a->count; i++)
        out[i] = iv_found_by(t->view, a->number[i], 0) > 0 ? 1.0 : 0.0;
}

static const double success_cuts[] = { 1.0, 5.0, 10.0 };

const iv_definition iv_define_success = {
    .info = {
        .name = "success",
        .ir_name = "Success",
        .family = "recall",
        .usage = "success  success.1,5  success_5  Success@5  Success(rel=2)@5",
        .brief = "1 if a relevant document is among the first k, else 0",
        .text =
            "Success@k = 1 if the first k documents hold a relevant one, else 0\n"
            "\n"
            "Some papers call this Recall@k. Cut-offs: 1,5,10 unless given.\n"
            "Unjudged documents count as not relevant.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
        .binary = SIZE_MAX,
    },
    .shape = IV_SHAPE_CUTS,
    .usual = success_cuts,
    .usual_count = 3,
    .at = IV_AT_MUST,
    .keywords = IV_IR_REL | IV_IR_JUDGED_ONLY,
    .sets = IV_IN_ALL,
    .range = IV_RANGE_SUCCESS,
    .compute = success,
};

static void reciprocal_rank(double *out, const iv_asked *a, const iv_topic *t)
{
    const iv_view *v = t->view;

    *out = v->found > 0 && (a->cutoff == 0 || v->rank[0] <= a->cutoff)
        ? 1.0 / (double)v->rank[0]
        : 0.0;
}

const iv_definition iv_define_recip_rank = {
    .info = {
        .name = "recip_rank",
        .ir_name = "RR",
        .family = "recall",
        .usage = "recip_rank  RR  RR@10  RR(rel=2)@10",
        .brief = "reciprocal rank of the first relevant document",
        .text =
            "RR = 1 / (rank of the first relevant document), 0 if there is none\n"
            "\n"
            "RR@k: 0 if that rank is beyond k. Its mean over topics is MRR.\n"
            "Unjudged documents count as not relevant.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
        .binary = 1,
    },
    .ir_alias = "MRR",
    .at = IV_AT_MAY,
    .keywords = IV_IR_REL | IV_IR_JUDGED_ONLY,
    .sets = IV_IN_OFFICIAL | IV_IN_ALL,
    .range = IV_RANGE_RR,
    .compute = reciprocal_rank,
};

/* What trec_eval lacks. */
const iv_definition *const iv_beyond_recall[] = { NULL };
