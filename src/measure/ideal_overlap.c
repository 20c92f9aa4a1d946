/* SPDX-License-Identifier: Apache-2.0 */
/* How near a ranking is to an ideal one, and how often its pairs are in order. */
#include "measure/definition.h"
#include "measure/topic.h"

#include <math.h>

/* The places of a retrieved document in the ideal: below those of higher grades, and
 * among its own in the order of the ranking. */
static size_t ideal_place(const iv_topic *t, size_t k)
{
    const iv_listed_hit *hits = t->view->ranking->hits;
    size_t place = 1;

    for (const iv_level *l = t->levels; l->count > 0 && l->grade > hits[k].grade; l++)
        place += l->count;
    for (size_t i = 0; i < k; i++)
        place += hits[i].grade == hits[k].grade;
    return place;
}

/*
 * A document is in both lists from the lower of its two places on, and adds the sum of
 * p^(i-1) / i from there to the depth.
 */
static void compat(double *out, const iv_requested *a, const iv_topic *t)
{
    const iv_ranking *r = t->view->ranking;
    const double p = a->persistence;
    double weights = 0.0, overlap = 0.0, best = 0.0, power = 1.0;
    size_t ideal = 0;

    for (const iv_level *l = t->levels; l->count > 0 && l->grade > 0; l++)
        ideal += l->count;
    const size_t depth = r->retrieved > ideal ? r->retrieved : ideal;
    for (size_t i = 1; i <= depth; i++, power *= p) {
        weights += power;
        best += power * (double)(i < ideal ? i : ideal) / (double)i;
    }
    for (size_t k = 0; k < r->hit_count; k++) {
        if (r->hits[k].grade <= 0)
            continue;
        const size_t place = ideal_place(t, k);
        size_t i = place > r->hits[k].rank ? place : r->hits[k].rank;
        power = pow(p, (double)(i - 1));
        for (; i <= depth && power > 1e-20; i++, power *= p)
            overlap += power / (double)i;
    }
    *out = !(best > 0.0) ? 0.0 : a->normal ? overlap / best : overlap / weights;
}

static const iv_definition iv_define_Compat = {
    .info = {
        .name = "Compat",
        .ir_name = "Compat",
        .family = "ideal ranking",
        .usage = "Compat  Compat(p=0.8)  Compat(p=0.95,normalize=False)",
        .brief = "compatibility: rank-biased overlap with an ideal ranking",
        .text =
            "Compat = RBO(ranking, ideal) / RBO(ideal, ideal)\n"
            "RBO = (sum over depths i of p^(i-1) (documents in both down to i) / i)\n"
            "      / (sum of p^(i-1))\n"
            "\n"
            "All sums end at the length of the ranking or of the ideal, whichever is longer.\n"
            "The ideal has the documents with a grade above 0, highest first; those of one\n"
            "grade in the order of the ranking, then the others. p is 0.95 unless given;\n"
            "normalize=False leaves out the divisor. Unjudged documents are in no ideal.\n"
            "Bounds and ties are not known: the ideal moves with the ranking.\n"
            "Ref: Clarke, Vtyurina and Smucker (2021), Assessing top-k preferences, TOIS 39.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
        .graded = true,
    },
    .at = IV_AT_NEVER,
    .persistence = 0.95,
    .keywords = IV_IR_P | IV_IR_NORMALIZE,
    .compute = compat,
};

static void accuracy(double *out, const iv_requested *a, const iv_topic *t)
{
    const iv_view *v = t->view;
    const size_t all = v->ranking->retrieved;
    const size_t n = a->cutoff > 0 && a->cutoff < all ? a->cutoff : all;
    const size_t found = iv_found_by(v, (double)n, 0);
    double above = 0.0; /* pairs in the wrong order */

    for (size_t k = 0; k < found; k++)
        above += (double)(v->rank[k] - k - 1);
    *out = found == 0 ? 0.0
        : n == found ? 1.0 : 1.0 - above / ((double)(n - found) * (double)found);
}

static const iv_definition iv_define_Accuracy = {
    .info = {
        .name = "Accuracy",
        .ir_name = "Accuracy",
        .family = "ideal ranking",
        .usage = "Accuracy  Accuracy@100  Accuracy(rel=2)",
        .brief = "proportion of pairs (relevant, not relevant) retrieved in order",
        .text =
            "Over the documents retrieved, the proportion of pairs of a relevant and another one\n"
            "in which the relevant one stands higher. 0 where no relevant document is\n"
            "retrieved (ir_measures leaves such topics out of its mean), 1 where no other is.\n"
            "Unjudged documents count as not relevant. Bounds and ties are not known: an\n"
            "unjudged document can change both numbers of a pair.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
    },
    .at = IV_AT_MAY,
    .keywords = IV_IR_REL,
    .compute = accuracy,
};

/* What trec_eval lacks. */
const iv_definition *const iv_beyond_ideal_overlap[] = { &iv_define_Compat, &iv_define_Accuracy,
                                                         NULL };
