/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Average precision and its relatives.  The sums of precisions at relevant
 * documents are prepared with the view: here they are only divided.
 */
#include "measure/definition.h"
#include "measure/topic.h"

#include <math.h>

/* trec_eval's floor, so that a topic with nothing found has a logarithm. */
static const double geometric_floor = 0.00001;

static double average_precision(const iv_view *v)
{
    return v->found > 0 ? v->sum[v->found] / (double)v->relevant : 0.0;
}

static void map(double *out, const iv_requested *a, const iv_topic *t)
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

static void gm_map(double *out, const iv_requested *a, const iv_topic *t)
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

static void map_cut(double *out, const iv_requested *a, const iv_topic *t)
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

static void yaap(double *out, const iv_requested *a, const iv_topic *t)
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

/*
 * Inferred average precision, where a random part of the pool was judged and
 * the rest of it is listed with a grade below 0.
 *
 * Ref: Yilmaz and Aslam (2006), Estimating average precision with incomplete
 * and imperfect judgments, CIKM.
 */

static const double epsilon = 0.00001; /* smooths 0/0 */

/*
 * Expected precision at a relevant document with n documents above it, of
 * which `pooled` are in the pool and `relevant` of the `judged` ones relevant.
 * The order of the operations is trec_eval's.
 */
static double expected_precision(double n, size_t pooled, size_t relevant,
                                 size_t judged)
{
    if (n == 0.0)
        return 1.0;
    return 1.0 / (n + 1.0)
        + (n / (n + 1.0)) * ((double)pooled / n)
            * (((double)relevant + epsilon)
               / ((double)judged + 2.0 * epsilon));
}

static void infap(double *out, const iv_requested *a, const iv_topic *t)
{
    const iv_view *v = t->view;
    double sum = 0.0;

    (void)a;
    for (size_t k = 0; k < v->found; k++)
        sum += expected_precision((double)v->rank[k] - 1.0, v->listed[k], k,
                                  v->judged[k]);
    *out = v->relevant > 0 ? sum / (double)v->relevant : 0.0;
}

const iv_definition iv_define_infAP = {
    .info = {
        .name = "infAP",
        .ir_name = "infAP",
        .family = "inferred",
        .usage = "infAP  infAP(rel=2)",
        .brief = "average precision inferred from a judged sample of the pool",
        .text =
            "infAP = (1/R) * sum over the relevant documents retrieved of\n"
            "        1/k + (k-1)/k * p * (r + e) / (r + n + 2e)\n"
            "\n"
            "k: rank of the document. Of the k-1 above it, a proportion p is in the pool,\n"
            "r were judged relevant and n not; e = 0.00001. Documents in the pool\n"
            "but not judged (grade below 0) are taken to be relevant as often as the\n"
            "judged ones, documents outside the pool not to be relevant. Equals\n"
            "average precision when the whole pool is judged.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
    },
    .keywords = IV_IR_REL,
    .sets = IV_IN_ALL,
    .compute = infap,
};

/*
 * Binary preference: of the judged documents only.
 *
 * Ref: Buckley and Voorhees (2004), Retrieval evaluation with incomplete
 * information, SIGIR.
 */

/* The judged documents below the level, retrieved or not. */
static size_t judged_nonrelevant(const iv_level *l, int32_t level)
{
    size_t n = 0;

    for (; l->count > 0; l++)
        n += l->grade < level ? l->count : 0;
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

static void bpref(double *out, const iv_requested *a, const iv_topic *t)
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

static void gm_bpref(double *out, const iv_requested *a, const iv_topic *t)
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
const iv_definition *const iv_beyond_average_precision[] = { NULL };
