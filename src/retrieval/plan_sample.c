/* SPDX-License-Identifier: Apache-2.0 */
/* plan sample -- how many documents to judge, when they are sampled. */
#include "base/arguments.h"
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "result/answering.h"
#include "result/methods.h"
#include "result/run_input.h"
#include "retrieval/sample_plan.h"
#include "sampling/sampled_judgments.h"
#include "sampling/sampling_messages.h"
#include "trec/run_source.h"

#include <math.h>

/* A budget that is enough for a typical run, or for every run. */
typedef struct budget_row {
    const char *goal, *scope, *scope_shown;
    size_t budget, documents; /* SIZE_MAX: none is enough */
    double wanted, predicted, achieved, noise;
} budget_row;

const iv_field iv_plan_budget_fields[] = {
    { "goal", IV_AT(budget_row, goal), .audience = IV_IF_VARIES,
      .about = "quantity to estimate precisely" },
    { "for", IV_AT(budget_row, scope), .audience = IV_FOR_PROGRAMS,
      .about = "typical: on average over runs; every: for the worst of them" },
    { "for_shown", IV_AT(budget_row, scope_shown), .audience = IV_FOR_PEOPLE,
      .heading = "enough for",
      .about = "a typical run: on average over runs; every run: also the worst of them" },
    { "budget", IV_AT(budget_row, budget), .heading = "per topic",
      .about = "documents to judge of a topic" },
    { "documents", IV_AT(budget_row, documents), .about = "documents to judge in all" },
    { "wanted", IV_AT(budget_row, wanted), .digits = 4, .heading = "wanted se",
      .about = "standard error to reach" },
    { "predicted", IV_AT(budget_row, predicted), .digits = 4, .heading = "predicted se",
      .about = "standard error by formula" },
    { "achieved", IV_AT(budget_row, achieved), .digits = 4, .heading = "simulated se",
      .about = "standard error in simulated samples" },
    { "noise", IV_AT(budget_row, noise), .digits = 4, .audience = IV_IF_VERBOSE,
      .about = "standard error of 'achieved', from the number of simulated samples" },
    { NULL } };

const iv_field iv_plan_sample_curve_fields[] = {
    { "budget", IV_AT(iv_sample_curve, budget), .heading = "per topic",
      .about = "documents to judge of a topic" },
    { "se_topic", IV_AT(iv_sample_curve, topic), .digits = 4, .heading = "se_one_topic",
      .about = "of a topic's AP" },
    { "se_mean", IV_AT(iv_sample_curve, mean), .digits = 4,
      .heading = "se_mean (without topics)", .about = "of a run's mean AP" },
    { "se_difference", IV_AT(iv_sample_curve, difference), .digits = 4,
      .about = "of the difference of two means" },
    { NULL } };

static budget_row row_of(const iv_sample_budget *b, iv_sample_goal goal, const char *scope)
{
    return (budget_row){
        .goal = iv_sample_goal_names()[goal], .scope = scope,
        .scope_shown = b->scope == IV_SCOPE_TYPICAL ? "a typical run" : "every run",
        .budget = b->reached ? b->budget : SIZE_MAX,
        .documents = b->reached ? b->documents : SIZE_MAX,
        .wanted = b->wanted, .predicted = b->predicted, .achieved = b->achieved,
        .noise = b->noise };
}

static void put_tables(iv_result *out, const iv_sample_plan *p, iv_sample_goal goal)
{
    static const char *const columns[] = { "se_mean", "se_difference" };
    const budget_row both[] = { row_of(&p->typical, goal, "typical"),
                                row_of(&p->every, goal, "every") };

    IV_TABLE(out, "budget", iv_plan_budget_fields, both, 2);
    IV_TABLE(out, "curve", iv_plan_sample_curve_fields, p->curve, p->curve_count);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "curve", .title = "Judgments and standard error",
        .caption = "The expected standard error by the number of documents judged per topic. It "
                   "levels off where only more topics would help.",
        .x = "budget", .value = columns[goal],
        .x_axis = { .title = "documents judged per topic" },
        .value_axis = { .title = "standard error" },
        .lines = { { "wanted", p->typical.wanted, false },
                   { p->typical.reached ? "the plan" : NULL, (double)p->typical.budget,
                     true } } });
}

/* "a standard error of 0.0100" or "a 95 % interval of +-0.02", and of what. */
static const char *say_goal(char out[160], const iv_sample_plan *p, const iv_sample_plan_options *o)
{
    static const char *const goals[] = { "mean AP of a typical run",
                                         "the difference of a typical pair of runs in mean AP" };

    if (o->halfwidth > 0.0)
        (void)snprintf(out, 160, "a %.10g %% interval of +-%.4g on %s",
                       100.0 * (o->confidence == 0.0 ? 0.95 : o->confidence), o->halfwidth,
                       goals[o->goal]);
    else
        (void)snprintf(out, 160, "a standard error of %.4f, without that of topics, on %s",
                       p->typical.wanted,
                       goals[o->goal]);
    return out;
}

static void answer(iv_result *out, const iv_sample_plan *p, const iv_sample_plan_options *o)
{
    const iv_sample_budget *b = &p->typical;
    char goal[160];

    (void)say_goal(goal, p, o);
    if (!b->reached)
        iv_result_answer(out, "Judging cannot give %s: even with all %s documents judged, the "
                         "choice of topics leaves a standard error of %.4f. Use more topics.", goal,
                         IV_COUNT(p->frame), p->topics_se);
    else if (b->documents == p->frame)
        iv_result_answer(out, "Judge all %s documents that can be sampled for %s.",
                         IV_COUNT(p->frame), goal);
    else
        iv_result_answer(out, "Judge %s documents per topic (%s of the %s that can be sampled) "
                         "for %s.", IV_COUNT(b->budget), IV_COUNT(b->documents),
                         IV_COUNT(p->frame), goal);
}

static void tell(iv_result *out, const iv_sample_plan *p, const iv_sample_plan_options *o)
{
    const size_t depth = o->depth == 0 ? IV_FRAME_DEPTH : o->depth;
    char all[24], first[24];

    (void)snprintf(all, sizeof all, "%zu", p->inside + p->outside);
    (void)snprintf(first, sizeof first, "%zu", depth);
    if (!p->complete)
        IV_SAY_SAMPLING(out, "plan-sample.pilot", 1);
    else if (o->check == IV_ZERO)
        IV_SAY_SAMPLING(out, "plan-sample.unchecked", 1);
    else if (isfinite(p->typical.factor) && p->typical.factor > 1.1)
        IV_SAY_SAMPLING(out, "plan-sample.factor", p->typical.budget,
                        .value = { p->typical.factor });
    IV_SAY_SAMPLING(out, "plan-sample.outside", p->outside, .text = { all, first });
    if (o->halfwidth > 0.0 && p->topics_se > 0.0) /* else the pilot's noise hides it */
        IV_SAY_SAMPLING(out, "plan-sample.topics", p->planned, .value = { p->topics_se });
    iv_result_used(out, "stevens");
    iv_result_used_with(out, "aslam-pavlu", "%s", p->complete && o->check != IV_ZERO
                        ? ", budget corrected by simulated samples" : "");
}

IV_ENDS(sampling)

static int plan(iv_result *out, const iv_plan_sample_question *q, const iv_run_input *in,
                const iv_judgments *j, const iv_work *work, iv_err *err)
{
    const char *name = q->from.judgments != NULL ? q->from.judgments : "the judgments";
    typedef iv_plan_sample_question T;
    iv_sampling *judged = NULL;
    iv_sample_plan p;

    IV_TRY(iv_sampling_new(&judged, j, name, q->unjudged, err));
    IV_TRY(IV_KEEP(out, sampling, judged, err));
    IV_TRY(iv_sample_plan_make(&p, in->runs, in->count, judged, &q->how, work, err));
    const int rc = p.complete ? IV_OK
        : IV_REFUSE(q, "with sampled judgments", err, IV_IDLE(how.check, "check"));
    answer(out, &p, &q->how);
    put_tables(out, &p, q->how.goal);
    tell(out, &p, &q->how);
    iv_sample_plan_clear(&p);
    return rc;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_plan_sample_question *q = asked;
    iv_run_input in;
    iv_judgments *read = NULL;
    iv_stage stage;

    if (q->from.judged == NULL && q->from.judgments == NULL)
        return iv_fail(err, IV_EARG, "--pilot FILE is needed: judgments to learn from");
    IV_TRY(iv_run_input_read(&in, out, &q->from, iv_work_part(&stage, work, 0.0, 0.1), err));
    if (q->from.judged == NULL)
        IV_TRY(iv_judgments_input(&read, out, q->from.judgments, q->from.judgments_format,
                                  iv_work_part(&stage, work, 0.1, 0.2), err));
    return plan(out, q, &in, q->from.judged != NULL ? q->from.judged : read,
                iv_work_part(&stage, work, 0.2, 1.0), err);
}

int iv_answer_plan_sample(iv_result *out, const iv_plan_sample_question *q, const iv_work *work,
                          iv_err *err)
{
    static const iv_part parts[] = {
        IV_SOURCE_PARTS(iv_plan_sample_question, from.),
        IV_CHOICE_OF(iv_plan_sample_question, unjudged, iv_unjudged_names,
                     "what to do with unjudged documents"),
        IV_CHOICE_OF(iv_plan_sample_question, how.goal, iv_sample_goal_names, "the goal"),
        IV_PART_OF(iv_plan_sample_question, how.se, REAL, "the standard error"),
        IV_PART_OF(iv_plan_sample_question, how.halfwidth, REAL, "the half width"),
        IV_PART_OF(iv_plan_sample_question, how.confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked, "aslam-pavlu"), work, err);
}
