/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binary preference: of the judged documents only.
 *
 * Ref: Buckley and Voorhees (2004), Retrieval evaluation with incomplete
 * information, SIGIR.
 */
#include <math.h>

#include "measure/measure_parts.h"

static const double geometric_floor = 0.00001; /* as of gm_map */

/* The judged documents below the level, retrieved or not. */
static size_t judged_nonrelevant(const iv_levels *l, int32_t level)
{
    size_t n = 0;

    for (size_t i = 0; i < l->count; i++)
        n += l->level[i].grade < level ? l->level[i].count : 0;
    return n;
}

static double binary_preference(const iv_topic *t)
{
    const iv_view *v = t->view;
    const size_t nonrelevant = judged_nonrelevant(t->levels, v->level);
    const double most = (double)(nonrelevant < v->relevant ? nonrelevant
                                                           : v->relevant);
    double sum = 0.0;

    if (v->found == 0)
        return 0.0;
    for (size_t k = 0; k < v->found; k++) {
        const size_t above = v->judged[k] - k; /* and not relevant */
        sum += above == 0
            ? 1.0
            : 1.0 - (double)(above < v->relevant ? above : v->relevant) / most;
    }
    return sum / (double)v->relevant;
}

static void bpref(double *out, const iv_asked *a, const iv_topic *t)
{
    (void)a;
    *out = binary_preference(t);
}

const iv_definition iv_define_bpref = {
    .info = {
        .name = "bpref",
        .ir_name = "Bpref",
        .family = "preference",
        .usage = "bpref  Bpref  Bpref(rel=2)",
        .brief = "binary preference: judged documents in the right order",
        .text =
            "bpref = (1/R) * sum over the relevant documents retrieved of\n        1 - min(n, R) "
            "/ min(N, R)\n\nn: judged nonrelevant documents ranked above it; N: all judged "
            "nonrelevant ones.\nUnjudged documents are ignored, so bpref changes little with "
            "fewer\njudgments.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
    },
    .ir_alias = "BPref",
    .keywords = IV_IR_REL,
    .sets = IV_IN_OFFICIAL | IV_IN_ALL,
    .compute = bpref,
};

static void gm_bpref(double *out, const iv_asked *a, const iv_topic *t)
{
    (void)a;
    *out = fmax(binary_preference(t), geometric_floor);
}

const iv_definition iv_define_gm_bpref = {
    .info = {
        .name = "gm_bpref",
        .family = "preference",
        .usage = "gm_bpref",
        .brief = "geometric mean over topics of bpref",
        .text =
            "gm_bpref = exp(mean over topics of log(max(bpref, 0.00001)))\n"
            "\n"
            "A value over topics only. Unjudged documents are ignored.\n",
        .kind = IV_REAL,
        .summary = IV_SUMMARY_GEOMETRIC,
        .lowest = 0.00001,
        .highest = 1.0,
        .overall = true,
    },
    .sets = IV_IN_ALL,
    .compute = gm_bpref,
};

/* What trec_eval lacks. */
const iv_definition *const iv_beyond_preference[] = { NULL };
