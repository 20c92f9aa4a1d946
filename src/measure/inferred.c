/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inferred average precision, where a random part of the pool was judged and
 * the rest of it is listed with a grade below 0.
 *
 * Ref: Yilmaz and Aslam (2006), Estimating average precision with incomplete
 * and imperfect judgments, CIKM.
 */
#include "measure/measure_parts.h"

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

static void infap(double *out, const iv_asked *a, const iv_topic *t)
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
            "k: its rank; of the k-1 documents above it p is the share in the pool,\n"
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

/* What trec_eval lacks. */
const iv_definition *const iv_beyond_inferred[] = { NULL };
