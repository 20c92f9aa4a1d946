/* SPDX-License-Identifier: Apache-2.0 */
/* Measures of the retrieved documents as a set, whatever their order. */
#include "measure/definition.h"
#include "measure/topic.h"

#include <math.h>

#define SET_INFO(symbol, ir, how, line, words, top)                          \
    .name = symbol, .ir_name = ir, .family = "retrieved set", .usage = how,  \
    .brief = line, .text = words, IV_MEAN_WITHIN(0.0, top)

static double share(double part, double whole)
{
    return whole > 0.0 ? part / whole : 0.0;
}

static void set_precision(double *out, const iv_requested *a, const iv_topic *t)
{
    (void)a;
    *out = share((double)t->view->found, (double)t->view->ranking->retrieved);
}

static void set_relative_precision(double *out, const iv_requested *a,
                                   const iv_topic *t)
{
    const iv_view *v = t->view;

    (void)a;
    *out = share((double)v->found,
                 fmin((double)v->ranking->retrieved, (double)v->relevant));
}

static void set_recall(double *out, const iv_requested *a, const iv_topic *t)
{
    (void)a;
    *out = share((double)t->view->found, (double)t->view->relevant);
}

static void set_map(double *out, const iv_requested *a, const iv_topic *t)
{
    const iv_view *v = t->view;
    const double found = (double)v->found;

    (void)a;
    *out = share(found * found,
                 (double)v->ranking->retrieved * (double)v->relevant);
}

static void set_f(double *out, const iv_requested *a, const iv_topic *t)
{
    const iv_view *v = t->view;
    const double x = a->number[0];

    *out = 0.0;
    if (v->found == 0)
        return;
    const double p = (double)v->found / (double)v->ranking->retrieved;
    const double r = (double)v->found / (double)v->relevant;
    *out = (x + 1.0) * p * r / (x * p + r);
}

const iv_definition iv_define_set_relative_P = {
    .info = { SET_INFO("set_relative_P", "SetRelP",
        "set_relative_P  SetRelP  SetP(relative=True)",
        "set precision over the highest the set's size allows",
        "set_relative_P = (relevant retrieved) / min(retrieved, R)\n"
        "\n"
        "Unjudged documents count as not relevant.\n", 1.0) },
    .keywords = IV_IR_REL | IV_IR_JUDGED_ONLY,
    .sets = IV_IN_SET | IV_IN_ALL,
    .compute = set_relative_precision,
};

const iv_definition iv_define_set_P = {
    .info = { SET_INFO("set_P", "SetP",
        "set_P  SetP  SetP(rel=2)  SetP(relative=True)",
        "precision of the retrieved set",
        "set_P = (relevant retrieved) / (retrieved)\n"
        "\n"
        "Unlike P@k a short list is not filled up. relative=True asks for\n"
        "set_relative_P. Unjudged documents count as not relevant.\n", 1.0) },
    .keywords = IV_IR_REL | IV_IR_JUDGED_ONLY | IV_IR_RELATIVE,
    .sets = IV_IN_SET | IV_IN_ALL,
    .variant = &iv_define_set_relative_P,
    .compute = set_precision,
};

const iv_definition iv_define_set_recall = {
    .info = { SET_INFO("set_recall", "SetR", "set_recall  SetR  SetR(rel=2)",
        "recall of the retrieved set",
        "set_recall = (relevant retrieved) / R\n"
        "\n"
        "Unjudged documents count as not relevant, retrieved or not.\n", 1.0) },
    .keywords = IV_IR_REL,
    .sets = IV_IN_SET | IV_IN_ALL,
    .compute = set_recall,
};

const iv_definition iv_define_set_map = {
    .info = { SET_INFO("set_map", "SetAP", "set_map  SetAP  SetAP(rel=2)",
        "precision times recall of the retrieved set",
        "set_map = (relevant retrieved)^2 / (retrieved * R)\n"
        "\n"
        "Average precision with every relevant document retrieved counted at the\n"
        "set's precision. Unjudged documents count as not relevant.\n", 1.0) },
    .keywords = IV_IR_REL | IV_IR_JUDGED_ONLY,
    .sets = IV_IN_SET | IV_IN_ALL,
    .compute = set_map,
};

static const double one[] = { 1.0 };

const iv_definition iv_define_set_F = {
    .info = { SET_INFO("set_F", "SetF", "set_F  set_F.0.5  SetF  SetF(beta=2)",
        "weighted harmonic mean of the set's precision and recall",
        "set_F = (x + 1) * P * R / (R + x * P)\n"
        "\n"
        "x weighs recall against precision, 1 unless given. Note that it is x, not\n"
        "x squared, here and in ir_measures' beta=: van Rijsbergen's F2 is\n"
        "set_F.4. Unjudged documents count as not relevant.\n", 1.0) },
    .shape = IV_SHAPE_NUMBERS,
    .usual = one,
    .usual_count = 1,
    .most = 1e9,
    .keywords = IV_IR_REL | IV_IR_JUDGED_ONLY | IV_IR_BETA,
    .sets = IV_IN_SET | IV_IN_ALL,
    .compute = set_f,
};

static void utility(double *out, const iv_requested *a, const iv_topic *t)
{
    const iv_view *v = t->view;
    const double found = (double)v->found;
    const double retrieved = (double)v->ranking->retrieved;
    const double relevant = (double)v->relevant;
    const double all = (double)t->options->collection;
    const double *worth = a->number;

    *out = t->missing ? 0.0
                      : worth[0] * found + worth[1] * (retrieved - found)
            + worth[2] * (relevant - found)
            + worth[3] * (all + found - retrieved - relevant);
}

static const double worths[] = { 1.0, -1.0, 0.0, 0.0 };

const iv_definition iv_define_utility = {
    .info = {
        .name = "utility",
        .family = "retrieved set",
        .usage = "utility  utility.2,-1,0,0",
        .brief = "weighted sum of hits, false alarms, misses and rejections",
        .text =
            "utility = a * (relevant retrieved) + b * (retrieved, not relevant)\n"
            "        + c * (relevant, not retrieved) + d * (neither)\n"
            "\n"
            "a,b,c,d are 1,-1,0,0 unless given. With d other than 0 the number of\n"
            "documents in the collection is needed (-N). A topic the run misses has\n"
            "utility 0. Unjudged documents count as not relevant.\n",
        IV_MEAN_WITHIN(-INFINITY, INFINITY),
    },
    .shape = IV_SHAPE_NUMBERS,
    .usual = worths,
    .usual_count = 4,
    .least = -1e12,
    .most = 1e12,
    .sets = IV_IN_SET | IV_IN_ALL,
    .missing = IV_MISSING_CLEARED_PLAIN,
    .compute = utility,
};

/* What trec_eval lacks. */
const iv_definition *const iv_beyond_retrieved_set[] = { NULL };
