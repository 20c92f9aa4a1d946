/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Average precision and its relatives.  The sums of precisions at relevant
 * documents are prepared with the view: here they are only divided.
 */
#include <math.h>

#include "measure/measure_parts.h"

/* trec_eval's floor, so that a topic with nothing found has a logarithm. */
static const double geometric_floor = 0.00001;

static double average_precision(const iv_view *v)
{
    return v->found > 0 ? v->sum[v->found] / (double)v->relevant : 0.0;
}

static void map(double *out, const iv_asked *a, const iv_topic *t)
{
    (void)a;
    *out = average_precision(t->view);
}

const iv_definition iv_define_map = {
    .info = {
        .name = "map",
        .ir_name = "AP",
        .family = "average precision",
        .usage = "map  AP  AP(rel=2)  AP(judged_only=True)",
        .brief = "average precision; its mean over topics is MAP",
        .text =
            "AP = (1/R) * sum over the relevant documents retrieved of\n"
            "     (relevant documents down to its rank) / (its rank)\n"
            "\n"
            "R is the number of relevant documents judged; one that is not retrieved\n"
            "adds 0. A value of 1 means that the R relevant documents come first.\n"
            "Unjudged documents count as not relevant.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
    },
    .ir_alias = "MAP",
    .keywords = IV_IR_REL | IV_IR_JUDGED_ONLY,
    .sets = IV_IN_OFFICIAL | IV_IN_ALL,
    .range = IV_RANGE_AP,
    .compute = map,
};

static void gm_map(double *out, const iv_asked *a, const iv_topic *t)
{
    (void)a;
    *out = fmax(average_precision(t->view), geometric_floor);
}

const iv_definition iv_define_gm_map = {
    .info = {
        .name = "gm_map",
        .family = "average precision",
        .usage = "gm_map",
        .brief = "geometric mean over topics of average precision",
        .text =
            "gm_map = exp(mean over topics of log(max(AP, 0.00001)))\n"
            "\n"
            "It moves with the hard topics: going from .01 to .02 counts as much as\n"
            "from .4 to .8. A value over topics only.\n"
            "Unjudged documents count as not relevant.\n",
        .kind = IV_REAL,
        .summary = IV_SUMMARY_GEOMETRIC,
        .lowest = 0.00001,
        .highest = 1.0,
        .overall = true,
    },
    .sets = IV_IN_OFFICIAL | IV_IN_ALL,
    .compute = gm_map,
};

static void map_cut(double *out, const iv_asked *a, const iv_topic *t)
{
    const iv_view *v = t->view;
    size_t found = 0;

    for (size_t i = 0; i < a->count; i++) {
        found = iv_found_by(v, a->number[i], found);
        out[i] = v->relevant > 0 ? v->sum[found] / (double)v->relevant : 0.0;
    }
}

const iv_definition iv_define_map_cut = {
    .info = {
        .name = "map_cut",
        .ir_name = "AP",
        .family = "average precision",
        .usage = "map_cut  map_cut.10,100  map_cut_10  AP@10  AP(rel=2)@100",
        .brief = "average precision over the first k documents",
        .text =
            "AP@k = (1/R) * sum over the relevant documents in the first k of\n"
            "       (relevant documents down to its rank) / (its rank)\n"
            "\n"
            "The divisor stays R, so a topic with R > k cannot reach 1.\n"
            "Cut-offs: 5,10,15,20,30,100,200,500,1000 unless given.\n"
            "Unjudged documents count as not relevant.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
    },
    .ir_alias = "MAP",
    .shape = IV_SHAPE_CUTS,
    IV_USUAL_CUTS,
    .at = IV_AT_MUST,
    .keywords = IV_IR_REL | IV_IR_JUDGED_ONLY,
    .sets = IV_IN_ALL,
    .range = IV_RANGE_AP,
    .compute = map_cut,
};

static void yaap(double *out, const iv_asked *a, const iv_topic *t)
{
    const iv_view *v = t->view;
    const double sum = v->sum[v->found];

    (void)a;
    *out = log((1.0 + sum) / (1.0 + (double)v->relevant - sum));
    /* trec_eval 9 divides by the topics it misses, as if they had 0. */
    if (t->missing && t->options->as_trec_eval)
        *out = 0.0;
}

const iv_definition iv_define_yaap = {
    .info = {
        .name = "yaap",
        .family = "average precision",
        .usage = "yaap",
        .brief = "Robertson's smoothed log odds of average precision",
        .text =
            "yaap = log((1 + S) / (1 + R - S)), S = R * AP\n"
            "\n"
            "Orders the runs of a topic as AP does, but its values at the ends are\n"
            "farther from each other, which suits averaging. Robertson, ECIR 2012.\n"
            "Unjudged documents count as not relevant.\n",
        IV_MEAN_WITHIN(-INFINITY, INFINITY),
    },
    .compute = yaap,
};

/* What trec_eval lacks. */
const iv_definition *const iv_beyond_average_precision[] = { NULL };
