/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of topics and documents, summed over topics, and the run's name. */
#include "measure/definition.h"
#include "measure/topic.h"

#include <math.h>

#define COUNT_INFO(symbol, ir, how, line, words)                            \
    .name = symbol, .ir_name = ir, .family = "counts", .usage = how,        \
    .brief = line, .text = words, .kind = IV_INTEGER,                       \
    .summary = IV_SUMMARY_SUM, .highest = INFINITY, .overall = true

enum { EVERY_SET = IV_IN_OFFICIAL | IV_IN_SET | IV_IN_ALL,
       ANY_KIND = EVERY_SET | IV_IN_ALL_PREFS | IV_IN_PREFS | IV_IN_JG };

static void nothing(double *out, const iv_requested *a, const iv_topic *t)
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

static void num_q(double *out, const iv_requested *a, const iv_topic *t)
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

static void num_rel_ret(double *out, const iv_requested *a, const iv_topic *t)
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

static void num_ret(double *out, const iv_requested *a, const iv_topic *t)
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

static void num_rel(double *out, const iv_requested *a, const iv_topic *t)
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

static void num_nonrel_judged_ret(double *out, const iv_requested *a,
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

/* How well a ranking is judged, and the judgments of its first documents. */

/* The judged documents among the first `rank`. */
static size_t judged_by(const iv_ranking *r, double rank)
{
    size_t judged = 0;

    for (size_t i = 0; i < r->hit_count && r->hits[i].rank <= rank; i++)
        judged += r->hits[i].grade >= 0;
    return judged;
}

static void unjudged(double *out, const iv_requested *a, const iv_topic *t)
{
    const iv_ranking *r = t->view->ranking;

    for (size_t i = 0; i < a->count; i++) {
        const double cut = a->number[i];
        const double looked = (double)r->retrieved < cut ? (double)r->retrieved
                                                         : cut;
        out[i] = (looked - (double)judged_by(r, cut)) / cut;
    }
}

static const double unjudged_cuts[] = { 5.0, 10.0, 20.0 };

const iv_definition iv_define_unj = {
    .info = {
        .name = "unj",
        .family = "judged",
        .usage = "unj  unj.5,10  unj_10",
        .brief = "the unjudged proportion of the first k documents",
        .text =
            "unj@k = (unjudged documents in the first k) / k\n"
            "\n"
            "A list shorter than k is filled up with judged documents. Large values\n"
            "mean that the judgments say little about the run. A grade below 0 is no\n"
            "judgment. Cut-offs: 5,10,20 unless given.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
        .binary = 1,
    },
    .shape = IV_SHAPE_CUTS,
    .usual = unjudged_cuts,
    .usual_count = 3,
    .sets = IV_IN_ALL_10,
    .missing = IV_MISSING_CLEARED,
    .compute = unjudged,
};

static void judged(double *out, const iv_requested *a, const iv_topic *t)
{
    const iv_ranking *r = t->view->ranking;
    const size_t looked = a->cutoff > 0 && a->cutoff < r->retrieved
        ? a->cutoff
        : r->retrieved;

    *out = looked > 0 ? (double)judged_by(r, (double)looked) / (double)looked
                      : 0.0;
}

static const iv_definition iv_define_Judged = {
    .info = {
        .name = "Judged",
        .ir_name = "Judged",
        .family = "judged",
        .usage = "Judged  Judged@10",
        .brief = "the judged proportion of the first k documents",
        .text =
            "Judged@k = (judged documents in the first k) / min(k, retrieved)\n"
            "\n"
            "A grade below 0 is no judgment. 0 when nothing is retrieved.\n",
        IV_MEAN_WITHIN(0.0, 1.0),
        .binary = 1,
    },
    .at = IV_AT_MAY,
    .compute = judged,
};

static void relstring(double *out, const iv_requested *a, const iv_topic *t)
{
    const iv_ranking *r = t->view->ranking;
    const size_t most = (size_t)a->number[0];
    const size_t length = r->retrieved < most ? r->retrieved : most;

    for (size_t i = 0; i < length; i++)
        t->text[i] = '-';
    for (size_t i = 0; i < r->hit_count && r->hits[i].rank <= length; i++) {
        const int32_t grade = r->hits[i].grade;
        t->text[r->hits[i].rank - 1] = grade < 0 ? '.' : grade > 9 ? '>' : (char)('0' + grade);
    }
    t->text[length] = '\0';
    *out = 0.0;
}

static const double ten[] = { 10.0 };

const iv_definition iv_define_relstring = {
    .info = {
        .name = "relstring",
        .family = "judged",
        .usage = "relstring  relstring.20",
        .brief = "the grades of the first k documents as a string",
        .text =
            "One character a document: its grade from 0 to 9, > for a higher one, .\n"
            "for one that is listed but was not judged (a grade below 0), - for one\n"
            "the judgments do not list. The first 10 unless given. For topics only.\n",
        .kind = IV_TEXT,
        .summary = IV_SUMMARY_NONE,
        .per_topic = true,
        .graded = true,
    },
    .shape = IV_SHAPE_NUMBERS,
    .usual = ten,
    .usual_count = 1,
    .most = 1e6,
    .sets = IV_IN_ALL,
    .missing = IV_MISSING_CLEARED_PLAIN,
    .compute = relstring,
};

/* What trec_eval lacks. */
const iv_definition *const iv_beyond_counts[] = { &iv_define_Judged, NULL };
