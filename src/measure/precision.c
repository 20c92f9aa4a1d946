/* SPDX-License-Identifier: Apache-2.0 */
/* Measures of the first ranks: precision, recall, success and reciprocal rank. */
#include "measure/definition.h"
#include "measure/topic.h"

#include <math.h>

static void precision(double *out, const iv_requested *a, const iv_topic *t)
{
    size_t found = 0;

    for (size_t i = 0; i < a->count; i++) {
        found = iv_found_by(t->view, a->number[i], found);
        out[i] = (double)found / a->number[i];
    }
}

const iv_definition iv_define_P = {
    .info = {
        .name = "P",
        .ir_name = "P",
        .family = "precision",
        .usage = "P  P.5,10  P_10  P@10  P(rel=2)@10",
        .brief = "precision: the relevant proportion of the first k documents",
        .text =
            "P@k = (relevant documents in the first k) / k\n"
            "\n"
            "A list shorter than k is filled up with documents that are not\n"
            "relevant. Cut-offs: 5,10,15,20,30,100,200,500,1000 unless given.\n"
            "Unjudged documents count as not relevant.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
        .binary = 1,
    },
    .ir_alias = "Precision",
    .shape = IV_SHAPE_CUTS,
    IV_USUAL_CUTS,
    .at = IV_AT_MUST,
    .keywords = IV_IR_REL | IV_IR_JUDGED_ONLY,
    .sets = IV_IN_OFFICIAL | IV_IN_ALL,
    .range = IV_RANGE_P,
    .compute = precision,
};

static void relative_precision(double *out, const iv_requested *a, const iv_topic *t)
{
    const iv_view *v = t->view;
    size_t found = 0;

    for (size_t i = 0; i < a->count; i++) {
        found = iv_found_by(v, a->number[i], found);
        out[i] = v->relevant > 0
            ? (double)found / fmin(a->number[i], (double)v->relevant)
            : 0.0;
    }
}

const iv_definition iv_define_relative_P = {
    .info = {
        .name = "relative_P",
        .family = "precision",
        .usage = "relative_P  relative_P.5,10  relative_P_10",
        .brief = "precision at k over the highest that R allows",
        .text =
            "relative_P@k = (relevant documents in the first k) / min(k, R)\n"
            "\n"
            "Precision up to rank R, recall after it. 0 when nothing is relevant.\n"
            "Cut-offs: 5,10,15,20,30,100,200,500,1000 unless given.\n"
            "Unjudged documents count as not relevant.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
        .binary = 1,
    },
    .shape = IV_SHAPE_CUTS,
    IV_USUAL_CUTS,
    .sets = IV_IN_ALL,
    .compute = relative_precision,
};

static void r_precision(double *out, const iv_requested *a, const iv_topic *t)
{
    const iv_view *v = t->view;
    const double relevant = (double)v->relevant;

    (void)a;
    *out = v->relevant > 0 ? (double)iv_found_by(v, relevant, 0) / relevant : 0.0;
}

const iv_definition iv_define_Rprec = {
    .info = {
        .name = "Rprec",
        .ir_name = "Rprec",
        .family = "precision",
        .usage = "Rprec  Rprec(rel=2)  Rprec(judged_only=True)",
        .brief = "R-precision: precision after R documents",
        .text =
            "Rprec = (relevant documents in the first R) / R\n"
            "\n"
            "R is the number of relevant documents judged: the rank where precision\n"
            "equals recall. 0 when nothing is relevant.\n"
            "Unjudged documents count as not relevant.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
    },
    .ir_alias = "RPrec",
    .keywords = IV_IR_REL | IV_IR_JUDGED_ONLY,
    .sets = IV_IN_OFFICIAL | IV_IN_ALL,
    .range = IV_RANGE_RPREC,
    .compute = r_precision,
};

/*
 * Both versions of trec_eval add .9 and cut here.  Its walk stops above the
 * first relevant document, which leaves 0: the same as counting.
 */
static void r_precision_multiples(double *out, const iv_requested *a,
                                  const iv_topic *t)
{
    const iv_view *v = t->view;

    for (size_t i = 0; i < a->count; i++) {
        const double rank = trunc(a->number[i] * (double)v->relevant + 0.9);
        out[i] = rank >= 1.0 ? (double)iv_found_by(v, rank, 0) / rank : 0.0;
    }
}

const iv_definition iv_define_Rprec_mult = {
    .info = {
        .name = "Rprec_mult",
        .family = "precision",
        .usage = "Rprec_mult  Rprec_mult.0.5,1.5  Rprec_mult_0.50",
        .brief = "precision at multiples of R",
        .text =
            "Rprec_mult at x = precision after trunc(x * R + 0.9) documents\n"
            "\n"
            "Small multiples show a run that favours precision, large ones one that\n"
            "favours recall. Multiples: 0.2 to 2.0 by 0.2 unless given.\n"
            "Unjudged documents count as not relevant.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
    },
    .shape = IV_SHAPE_POINTS,
    .usual = iv_usual_multiples,
    .usual_count = 10,
    .most = 1e6,
    .sets = IV_IN_ALL,
    .compute = r_precision_multiples,
};

/* Recall, success and reciprocal rank. */

static void recall(double *out, const iv_requested *a, const iv_topic *t)
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

static void success(double *out, const iv_requested *a, const iv_topic *t)
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

static void reciprocal_rank(double *out, const iv_requested *a, const iv_topic *t)
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

/*
 * Interpolated precision at recall points.
 *
 * The interpolated precision where the k-th relevant document stands is the
 * highest precision there or below.  Precision only falls between relevant
 * documents, so the highest is attained at one of them.
 */

/* How many relevant documents make a recall of x: the versions disagree. */
static double wanted(double x, const iv_topic *t)
{
    const double exact = x * (double)t->view->relevant;

    return t->options->dialect == IV_TREC_EVAL_9 ? trunc(exact + 0.9)
                                                 : round(exact);
}

/* A walk up the relevant documents; best: over the k-th and those below. */
static double interpolated(size_t *k, double *best, double x, const iv_topic *t)
{
    const iv_view *v = t->view;
    const double need = fmax(wanted(x, t), 1.0);

    if (need > (double)v->found)
        return 0.0;
    if (need > (double)*k) { /* points that do not ascend */
        *k = v->found + 1;
        *best = 0.0;
    }
    while ((double)*k > need) {
        --*k;
        *best = fmax(*best, (double)*k / (double)v->rank[*k - 1]);
    }
    return *best;
}

static void iprec_at_recall(double *out, const iv_requested *a, const iv_topic *t)
{
    size_t k = t->view->found + 1;
    double best = 0.0;

    for (size_t i = a->count; i-- > 0;)
        out[i] = interpolated(&k, &best, a->number[i], t);
}

static const double eleven[] = { 0.0, 0.1, 0.2, 0.3, 0.4, 0.5,
                                 0.6, 0.7, 0.8, 0.9, 1.0 };

const iv_definition iv_define_iprec_at_recall = {
    .info = {
        .name = "iprec_at_recall",
        .ir_name = "IPrec",
        .family = "interpolated precision",
        .usage = "iprec_at_recall  iprec_at_recall.0.1,0.5  "
                 "iprec_at_recall_0.10  IPrec@0.1  IPrec(rel=2)@0.1",
        .brief = "highest precision at a recall of x or more",
        .text =
            "IPrec@x = highest precision at or below the c-th relevant document\n"
            "\n"
            "c = trunc(x * R + 0.9) as in trec_eval 9, or x * R rounded as in\n"
            "trec_eval 10; 0 when fewer are retrieved. The points of the classic\n"
            "recall-precision graph: 0.0 to 1.0 by 0.1 unless given.\n"
            "Unjudged documents count as not relevant.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
    },
    .shape = IV_SHAPE_POINTS,
    .usual = eleven,
    .usual_count = sizeof eleven / sizeof eleven[0],
    .most = 1.0,
    .at = IV_AT_MUST,
    .keywords = IV_IR_REL | IV_IR_JUDGED_ONLY,
    .sets = IV_IN_OFFICIAL | IV_IN_ALL,
    .compute = iprec_at_recall,
};

/* Adds from the highest recall down, as trec_eval does. */
static void eleven_point_average(double *out, const iv_requested *a,
                                 const iv_topic *t)
{
    size_t k = t->view->found + 1;
    double best = 0.0;
    double sum = 0.0;

    for (size_t i = a->number_count; i-- > 0;)
        sum += interpolated(&k, &best, a->number[i], t);
    *out = sum / (double)a->number_count;
}

const iv_definition iv_define_11pt_avg = {
    .info = {
        .name = "11pt_avg",
        .family = "interpolated precision",
        .usage = "11pt_avg  11pt_avg.0.2,0.5,0.8",
        .brief = "mean interpolated precision over 11 recall points",
        .text =
            "11pt_avg = mean of IPrec@x over x = 0.0, 0.1, ..., 1.0\n"
            "\n"
            "Kept for comparison with old results; map has replaced it. Other points\n"
            "may be given. Unjudged documents count as not relevant.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
    },
    .shape = IV_SHAPE_NUMBERS,
    .usual = eleven,
    .usual_count = sizeof eleven / sizeof eleven[0],
    .varied = true,
    .most = 1.0,
    .sets = IV_IN_ALL,
    .compute = eleven_point_average,
};

/* What trec_eval lacks. */
const iv_definition *const iv_beyond_precision[] = { NULL };
