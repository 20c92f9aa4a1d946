/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expected reciprocal rank.
 *
 * Ref: Chapelle, Metzler, Zhang and Grinspan (2009), Expected reciprocal rank
 * for graded relevance, CIKM.
 */
#include <math.h>

#include "measure/measure_parts.h"

/* (2^grade - 1) / 2^max, which overflows for no grade. */
static double stops(int32_t grade, int32_t max)
{
    return exp2((double)(grade < max ? grade : max) - (double)max)
        - exp2(-(double)max);
}

static void err(double *out, const iv_asked *a, const iv_topic *t)
{
    const iv_ranking *r = t->view->ranking;
    const int32_t max = a->max_grade > 0 ? a->max_grade : t->largest_grade;
    double sum = 0.0, arrives = 1.0;

    for (size_t i = 0; i < r->seen_count; i++) {
        const iv_seen s = r->seen[i];
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
const iv_definition *const iv_beyond_expected_rr[] = { &iv_define_ERR, NULL };
