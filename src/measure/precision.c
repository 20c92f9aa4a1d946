/* SPDX-License-Identifier: Apache-2.0 */
/* Precision at cut-offs, relative to the best possible, and at multiples of R. */
#include <math.h>

#include "measure/measure_parts.h"

static void precision(double *out, const iv_asked *a, const iv_topic *t)
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

static void relative_precision(double *out, const iv_asked *a, const iv_topic *t)
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

static void r_precision(double *out, const iv_asked *a, const iv_topic *t)
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
static void r_precision_multiples(double *out, const iv_asked *a,
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

/* What trec_eval lacks. */
const iv_definition *const iv_beyond_precision[] = { NULL };
