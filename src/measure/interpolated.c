/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interpolated precision at recall points.
 *
 * The interpolated precision where the k-th relevant document stands is the
 * highest precision there or below.  Precision only falls between relevant
 * documents, so the highest is attained at one of them.
 */
#include <math.h>

#include "measure/measure_parts.h"

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

static void iprec_at_recall(double *out, const iv_asked *a, const iv_topic *t)
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
static void eleven_point_average(double *out, const iv_asked *a,
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
const iv_definition *const iv_beyond_interpolated[] = { NULL };
