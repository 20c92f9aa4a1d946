/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of topics and documents, summed over topics, and the run's name. */
#include <math.h>

#include "measure/measure_parts.h"

#define COUNT_INFO(symbol, ir, how, line, words)                            \
    .name = symbol, .ir_name = ir, .family = "counts", .usage = how,        \
    .brief = line, .text = words, .kind = IV_INTEGER,                       \
    .summary = IV_SUMMARY_SUM, .highest = INFINITY, .overall = true

enum { EVERY_SET = IV_IN_OFFICIAL | IV_IN_SET | IV_IN_ALL,
       ANY_KIND = EVERY_SET | IV_IN_ALL_PREFS | IV_IN_PREFS | IV_IN_JG };

static void nothing(double *out, const iv_asked *a, const iv_topic *t)
{
    (void)a, (void)t;
    *out = 0.0;
}

const iv_definition iv_define_runid = {
    .info = {
        .name = "runid",
        .family = "counts",
        .usage = "runid",
        .brief = "the run's tag",
        .text = "The tag that the run gives itself. Over topics only.\n",
        .kind = IV_TEXT,
        .summary = IV_SUMMARY_NONE,
        .overall = true,
    },
    .sets = ANY_KIND,
    .reads = IV_READS_NOTHING,
    .compute = nothing,
};

static void num_q(double *out, const iv_asked *a, const iv_topic *t)
{
    (void)a, (void)t;
    *out = 1.0;
}

const iv_definition iv_define_num_q = {
    .info = { COUNT_INFO("num_q", "NumQ", "num_q  NumQ", "number of topics",
        "The topics that the other values are summed or averaged over. A value\n"
        "over topics only.\n") },
    .sets = ANY_KIND,
    .reads = IV_READS_NOTHING,
    .compute = num_q,
};

static void num_rel_ret(double *out, const iv_asked *a, const iv_topic *t)
{
    (void)a;
    *out = (double)t->view->found;
}

const iv_definition iv_define_num_rel_ret = {
    .info = { COUNT_INFO("num_rel_ret", "NumRelRet",
        "num_rel_ret  NumRelRet  NumRet(rel=2)",
        "number of relevant documents retrieved",
        "Summed over topics. Unjudged documents count as not relevant.\n"),
        .per_topic = true },
    .keywords = IV_IR_REL,
    .sets = EVERY_SET,
    .compute = num_rel_ret,
};

static void num_ret(double *out, const iv_asked *a, const iv_topic *t)
{
    (void)a;
    *out = (double)t->view->ranking->retrieved;
}

const iv_definition iv_define_num_ret = {
    .info = { COUNT_INFO("num_ret", "NumRet", "num_ret  NumRet  NumRet(rel=2)",
        "number of documents retrieved",
        "Summed over topics. With rel=g only those of grade g or above, which is\n"
        "num_rel_ret.\n"),
        .per_topic = true },
    .keywords = IV_IR_REL,
    .sets = EVERY_SET,
    .variant = &iv_define_num_rel_ret,
    .missing = IV_MISSING_CLEARED_PLAIN,
    .compute = num_ret,
};

static void num_rel(double *out, const iv_asked *a, const iv_topic *t)
{
    (void)a;
    *out = (double)t->view->relevant;
}

const iv_definition iv_define_num_rel = {
    .info = { COUNT_INFO("num_rel", "NumRel", "num_rel  NumRel  NumRel(rel=2)",
        "number of relevant documents judged, R",
        "Summed over topics. When topics the run misses are included (-c), the\n"
        "sum is over all judgments above 0, whatever the level, as in trec_eval.\n"),
        .per_topic = true },
    .keywords = IV_IR_REL,
    .sets = EVERY_SET,
    .above_0 = true,
    .compute = num_rel,
};

static void num_nonrel_judged_ret(double *out, const iv_asked *a,
                                  const iv_topic *t)
{
    (void)a;
    *out = (double)t->view->ranking->judged - (double)t->view->found;
}

const iv_definition iv_define_num_nonrel_judged_ret = {
    .info = { COUNT_INFO("num_nonrel_judged_ret", NULL, "num_nonrel_judged_ret",
        "number of documents retrieved, judged and not relevant",
        "Summed over topics. Unjudged documents do not count.\n"),
        .per_topic = true },
    .sets = IV_IN_ALL,
    .compute = num_nonrel_judged_ret,
};

/* What trec_eval lacks. */
const iv_definition *const iv_beyond_counts[] = { NULL };
