/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rank-biased precision and what unjudged documents could add to it.
 *
 * Ref: Moffat and Zobel (2008), Rank-biased precision for measurement of
 * retrieval effectiveness, ACM TOIS 27, 2.
 */
#include "measure/definition.h"
#include "measure/topic.h"

#include <math.h>

static void widen(double *low, double *high, double gain)
{
    *low = gain < *low ? gain : *low;
    *high = gain > *high ? gain : *high;
}

static bool is_given(const iv_requested *a, int32_t grade)
{
    for (size_t i = 0; i < a->pair_count; i++)
        if (a->pair[i].grade == grade)
            return true;
    return false;
}

/*
 * What maps gains into [0, 1] when one of a topic's is outside; both 0: they stay as they are.
 * Over the gains of every grade from 0 to the topic's highest and of those
 * given by the user.  trec_eval 10 leaves its two limits unset before this loop:
 * its values are those of whatever was in memory, on binary judgments too.
 */
static iv_limits scale_of(const iv_requested *a, const iv_topic *t)
{
    int32_t bottom = 0;
    int32_t top = t->levels->count > 0 ? t->levels->grade : -1;
    double low = INFINITY, high = -INFINITY;

    for (size_t i = 0; i < a->pair_count; i++)
        widen(&low, &high, a->pair[i].gain);
    /* The others are their own gains: their two ends will do. */
    while (bottom <= top && is_given(a, bottom))
        bottom++;
    while (bottom <= top && is_given(a, top))
        top--;
    if (bottom <= top) {
        widen(&low, &high, (double)bottom);
        widen(&low, &high, (double)top);
    }
    if (low >= 0.0 && high <= 1.0)
        return (iv_limits){ 0.0, 0.0 };
    return (iv_limits){ low, high };
}

/* Where a gain may be set for any grade, every judged document counts. */
static double sum_given(const iv_requested *a, const iv_topic *t, iv_limits to)
{
    const iv_ranking *r = t->view->ranking;
    double sum = 0.0;

    for (size_t i = 0; i < r->hit_count; i++) {
        double gain = iv_gain_of(a->pair, a->pair_count, false, r->hits[i].grade);
        if (to.upper - to.lower > 0.0 && r->hits[i].grade >= 0)
            gain = (gain - to.lower) / (to.upper - to.lower);
        sum += gain * t->powers[r->hits[i].rank - 1];
    }
    return sum;
}

static void rbp(double *out, const iv_requested *a, const iv_topic *t)
{
    const iv_gains *g = t->gains;
    const iv_limits to = scale_of(a, t);
    double sum = 0.0;

    if (a->pair_count > 0)
        sum = sum_given(a, t, to);
    else if ((to.upper - to.lower) > 0.0)
        for (size_t k = 0; k < g->found; k++)
            sum += g->gain[k] / (to.upper - to.lower) * t->powers[g->rank[k] - 1];
    else
        for (size_t k = 0; k < g->found; k++)
            sum += g->gain[k] * t->powers[g->rank[k] - 1];
    *out = (1.0 - a->persistence) * sum;
}

const iv_definition iv_define_rbp = {
    .info = {
        .name = "rbp",
        .family = "rank-biased",
        .usage = "rbp  rbp.p=0.95  rbp.p=0.8,1=0.5",
        .brief = "rank-biased precision with trec_eval 10's gains",
        .text =
            "rbp = (1 - p) * sum over ranks i of gain(i) * p^(i-1)\n"
            "\n"
            "p is how likely a reader is to go on to the next document: 0.9 unless\n"
            "given. The gain is the grade, or what 1=0.5 sets; where a topic's gains\n"
            "leave [0, 1] they are scaled into it by its lowest and highest.\n"
            "trec_eval 10 never sets the two before it compares with them: its figures\n"
            "may differ, on binary judgments too. RBP takes one scale for all topics.\n"
            "Unjudged documents have gain 0; rbp_resid says what they might add.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
        .graded = true,
    },
    .shape = IV_SHAPE_PAIRS,
    .sets = IV_IN_ALL_10,
    .reads = IV_READS_GAINS | IV_READS_POWERS,
    .persistence = 0.9,
    .range = IV_RANGE_RBP,
    .topic_scaled = true,
    .compute = rbp,
};

/*
 * The powers of the unjudged ranks, from the first on.  They fall, so once one
 * is too small to change the sum the rest need not be looked at.
 */
static double sum_unjudged(const iv_ranking *r, const double *powers)
{
    const iv_listed_hit *next = r->hits;
    double sum = 0.0;

    for (size_t i = 0; i < r->retrieved && powers[i] > sum * 0x1p-55; i++) {
        const bool here = next->rank == i + 1;
        sum += here && next->grade >= 0 ? 0.0 : powers[i];
        next += here;
    }
    return sum;
}

static void rbp_resid(double *out, const iv_requested *a, const iv_topic *t)
{
    const iv_ranking *r = t->view->ranking;

    *out = r->judged < r->retrieved
        ? t->powers[r->retrieved]
            + (1.0 - a->persistence) * sum_unjudged(r, t->powers)
        : 0.0;
}

const iv_definition iv_define_rbp_resid = {
    .info = {
        .name = "rbp_resid",
        .family = "rank-biased",
        .usage = "rbp_resid  rbp_resid.p=0.95",
        .brief = "the most that unjudged documents could add to rbp",
        .text =
            "rbp_resid = p^n + (1 - p) * sum over unjudged ranks i of p^(i-1)\n"
            "\n"
            "n documents are retrieved; p^n stands for all that would follow them.\n"
            "0 when every retrieved document is judged, as trec_eval has it. p is\n"
            "0.9 unless given.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
    },
    .shape = IV_SHAPE_PAIRS,
    .sets = IV_IN_ALL_10,
    .reads = IV_READS_POWERS,
    .persistence = 0.9,
    .missing = IV_MISSING_CLEARED_PLAIN,
    .compute = rbp_resid,
};

static void graded_rbp(double *out, const iv_requested *a, const iv_topic *t)
{
    const iv_ranking *r = t->view->ranking;
    const int32_t max = a->max_grade > 0 ? a->max_grade : t->largest_grade;
    double sum = 0.0;

    for (size_t i = 0; i < r->hit_count; i++) {
        const iv_listed_hit s = r->hits[i];
        if (a->cutoff > 0 && s.rank > a->cutoff)
            break;
        if (a->rel_given)
            sum += s.grade >= a->level ? t->powers[s.rank - 1] : 0.0;
        else if (s.grade > 0)
            sum += (double)(s.grade < max ? s.grade : max) / (double)max
                * t->powers[s.rank - 1];
    }
    *out = (1.0 - a->persistence) * sum;
}

static const iv_definition iv_define_RBP = {
    .info = {
        .name = "RBP",
        .ir_name = "RBP",
        .family = "rank-biased",
        .usage = "RBP  RBP(p=0.8)  RBP(p=0.95,rel=2)  RBP(max=3)@20",
        .brief = "rank-biased precision",
        .text =
            "RBP = (1 - p) * sum over ranks i of gain(i) * p^(i-1)\n"
            "\n"
            "p is how likely a reader is to go on to the next document: 0.8 unless\n"
            "given. With rel=g the gain is 1 from grade g on; otherwise it is grade /\n"
            "max, max being the largest grade of all judgments unless given.\n"
            "Unjudged documents have gain 0.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
        .graded = true,
    },
    .at = IV_AT_MAY,
    .keywords = IV_IR_REL | IV_IR_P | IV_IR_MAX,
    .reads = IV_READS_POWERS,
    .persistence = 0.8,
    .range = IV_RANGE_RBP,
    .compute = graded_rbp,
};

/*
 * Expected reciprocal rank.
 *
 * Ref: Chapelle, Metzler, Zhang and Grinspan (2009), Expected reciprocal rank
 * for graded relevance, CIKM.
 */

/* (2^grade - 1) / 2^max, which overflows for no grade. */
static double stops(int32_t grade, int32_t max)
{
    return exp2((double)(grade < max ? grade : max) - (double)max)
        - exp2(-(double)max);
}

static void err(double *out, const iv_requested *a, const iv_topic *t)
{
    const iv_ranking *r = t->view->ranking;
    const int32_t max = a->max_grade > 0 ? a->max_grade : t->largest_grade;
    double sum = 0.0, arrives = 1.0;

    for (size_t i = 0; i < r->hit_count; i++) {
        const iv_listed_hit s = r->hits[i];
        if (a->cutoff > 0 && s.rank > a->cutoff)
            break;
        if (s.grade <= 0)
            continue;
        const double stop = stops(s.grade, max);
        sum += stop * arrives / (double)s.rank;
        arrives *= 1.0 - stop;
    }
    *out = sum;
}

static const iv_definition iv_define_ERR = {
    .info = {
        .name = "ERR",
        .ir_name = "ERR",
        .family = "expected reciprocal rank",
        .usage = "ERR  ERR@20  ERR(max=4)@20",
        .brief = "expected reciprocal rank",
        .text =
            "ERR = sum over ranks i of (1/i) * s(i) * product over j < i of (1 - s(j))\n"
            "s(i) = (2^grade - 1) / 2^max\n"
            "\n"
            "A reader goes down the list and stops at rank i with probability s(i).\n"
            "max is the largest grade of all judgments unless given (the Web track's\n"
            "gdeval has 4); a grade above it counts as max.\n"
            "Unjudged documents have s = 0.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
        .graded = true,
    },
    .at = IV_AT_MAY,
    .keywords = IV_IR_MAX,
    .range = IV_RANGE_ERR,
    .compute = err,
};

/* What trec_eval lacks. */
const iv_definition *const iv_beyond_rank_biased[] = { &iv_define_RBP, &iv_define_ERR, NULL };
