/* SPDX-License-Identifier: Apache-2.0 */
/* plan sample -- how many documents to judge, when they are sampled. */
#include <math.h>
#include <stdlib.h>

#include "answer/answer_columns.h"
#include "answer/answer_parts.h"
#include "base/parallel.h"
#include "intervale/answer.h"

/* A budget as tables have it; of all topics or of one. */
typedef struct row {
    iv_sample_goal goal;
    const char *scope;
    iv_str topic;
    size_t frame;
    double relevant;
    size_t budget, documents; /* SIZE_MAX: no budget is enough */
    iv_sample_budget b;
} row;

enum { OF_ALL = 1, OF_A_TOPIC = 2 };

const iv_field iv_plan_budget_fields[] = {
    { "goal", IV_AT(row, goal), .names = iv_sample_goal_names, .needs = OF_ALL,
      .about = "what must be precise" },
    { "for", IV_AT(row, scope), .needs = OF_ALL,
      .about = "typical: on average over runs; every: for the worst of them" },
    { "topic", IV_AT(row, topic), .needs = OF_A_TOPIC, .about = "its id" },
    { "frame", IV_AT(row, frame), .needs = OF_A_TOPIC, .about = "its documents" },
    { "relevant", IV_AT(row, relevant), .digits = 1, .needs = OF_A_TOPIC,
      .about = "of them, as the pilot says" },
    { "budget", IV_AT(row, budget), .about = "documents to judge of a topic" },
    { "documents", IV_AT(row, documents), .about = "documents to judge in all" },
    { "wanted", IV_AT(row, b.wanted), .digits = 4, .about = "standard error" },
    { "predicted", IV_AT(row, b.predicted), .digits = 4, .about = "standard error by formula" },
    { "achieved", IV_AT(row, b.achieved), .digits = 4, .about = "standard error of samples" },
    { "noise", IV_AT(row, b.noise), .digits = 4,
      .about = "standard error of 'achieved', for samples are few" },
    { NULL } };

const iv_field iv_plan_sample_curve_fields[] = {
    { "budget", IV_AT(iv_sample_curve, budget), .about = "documents to judge of a topic" },
    { "se_topic", IV_AT(iv_sample_curve, topic), .digits = 4, .about = "of a topic's AP" },
    { "se_mean", IV_AT(iv_sample_curve, mean), .digits = 4, .about = "of a run's mean AP" },
    { "se_difference", IV_AT(iv_sample_curve, difference), .digits = 4,
      .about = "of the difference of two means" },
    { NULL } };

static row row_of(const iv_sample_budget *b, iv_sample_goal goal, const char *scope)
{
    return (row){ .goal = goal, .scope = scope, .b = *b,
                  .budget = b->reached ? b->budget : SIZE_MAX,
                  .documents = b->reached ? b->documents : SIZE_MAX };
}

static int put_tables(iv_result *out, const iv_sample_plan *p, iv_sample_goal goal, iv_err *err)
{
    static const char *const columns[] = { "se_mean", "se_topic", "se_difference" };
    const row both[] = { row_of(&p->typical, goal, "typical"), row_of(&p->every, goal, "every") };
    row *rows = calloc(p->topic_count + 1, sizeof *rows);

    if (rows == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t k = 0; k < p->topic_count; k++) {
        rows[k] = row_of(&p->topics[k].at, goal, NULL);
        rows[k].topic = p->topics[k].topic;
        rows[k].frame = p->topics[k].frame;
        rows[k].relevant = p->topics[k].relevant;
    }
    (void)iv_result_rows(out, &(iv_rows){ "budget", iv_plan_budget_fields, both, 2, sizeof *both,
                                          .with = OF_ALL });
    if (p->topics != NULL)
        (void)iv_result_rows(out, &(iv_rows){ "topics", iv_plan_budget_fields, rows, p->topic_count,
                                              sizeof *rows, .with = OF_A_TOPIC });
    (void)iv_result_rows(out, &(iv_rows){ "curve", iv_plan_sample_curve_fields, p->curve, p->curve_count,
                                          sizeof *p->curve });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "curve", .title = "What judgments buy",
        .caption = "The standard error to expect, over the documents judged of each topic; the "
                   "curve levels off where only more topics would help.",
        .x = "budget", .value = columns[goal],
        .x_axis = { .title = "documents judged a topic" },
        .value_axis = { .title = "standard error" },
        .lines = { { "wanted", p->typical.wanted, false },
                   { p->typical.reached ? "the plan" : NULL, (double)p->typical.budget,
                     true } } });
    free(rows);
    return IV_OK;
}

static void answer(iv_result *out, const iv_sample_plan *p, iv_sample_goal goal)
{
    static const char *const goals[] = {
        "mean average precision", "a topic's average precision",
        "the difference of two runs in mean average precision" };
    const iv_sample_budget *b = &p->typical;

    if (!b->reached)
        iv_result_answer(out, "A standard error of %.4f for %s cannot be had by "
                         "judging: the whole frame leaves %.4f. More topics would help.",
                         b->wanted, goals[goal], p->topics_se);
    else if (b->documents == p->frame)
        iv_result_answer(out, "A standard error of %.4f on %s needs a census: all %zu "
                         "documents of the frames, up to %zu a topic, must be judged.",
                         b->wanted, goals[goal], p->frame, b->budget);
    else
        iv_result_answer(out, "Judge %zu documents a topic, %zu of the %zu in the "
                         "frames%s, for a standard error of %.4f on %s.", b->budget,
                         b->documents, p->frame,
                         (double)b->documents >= 0.99 * (double)p->frame
                             ? ", nearly a census" : "", b->wanted, goals[goal]);
}

/* What the formula is worth, and whose average precision it is about. */
static void tell_limits(iv_result *out, const iv_sample_plan *p, const iv_sample_plan_options *o,
                        size_t depth)
{
    const bool labels = o->estimator == IV_ESTIMATOR_AUTO || o->estimator == IV_ESTIMATOR_RECTIFIED;

    if (!p->complete)
        iv_result_note(out, "budgets are by the formula for weights 1/pi, multiplied so that it gives at "
                       "the pilot's size the standard error that eval estimates there; no sample checked "
                       "them: in trials with pilots of 30 and 60 documents a topic they were 0.4 to 2.2 "
                       "times those that complete judgments ask for");
    else if (o->check == IV_ZERO)
        iv_result_note(out, "budgets are by the formula for weights 1/pi, which no sample checked");
    else if (labels)
        iv_result_note(out, "samples were estimated as eval does where a file tells the frame, by "
                       "labels that ranks make likely; 'predicted' is the formula for weights 1/pi");
    if (isfinite(p->typical.factor))
        iv_result_note(out, "table 'curve' is the formula, which no sample corrected: at "
                       "%zu documents a topic samples had %.2f times the standard error that it "
                       "predicts", p->typical.budget, p->typical.factor);
    if (p->every.reached && p->every.documents == p->frame && p->typical.documents < p->frame)
        iv_result_note(out, "for 'every' all documents of the frames must be judged: a "
                       "census");
    if (p->outside > 0)
        iv_result_note(out, "the pilot has %zu relevant documents for the runs' topics, %zu "
                       "of them inside the frames of depth %zu: average precision here, and as "
                       "estimated from a sample, is that of the frame, not that of all judgments",
                       p->inside + p->outside, p->inside, depth);
}

static void tell(iv_result *out, const iv_sample_plan *p, const iv_sample_plan_options *o)
{
    static const char *const over[] = { "runs", "runs and topics", "pairs of runs" };
    const size_t depth = o->depth == 0 ? IV_FRAME_DEPTH : o->depth;

    iv_result_note(out, "'typical' holds on average over %s, 'every' for the worst of "
                   "them; Stevens' scheme, frame of depth %zu", over[o->goal], depth);
    if (o->topics > 0)
        iv_result_note(out, "means are over %zu topics like the pilot's: what chance makes of its samples "
                       "becomes less with their number, what all of them are off by does not", o->topics);
    else if (o->goal != IV_GOAL_TOPIC)
        iv_result_note(out, "means are over as many topics as the pilot has, %zu", p->planned);
    if (p->complete && o->check != IV_ZERO)
        iv_result_note(out, "'achieved' is the root mean square error over %lld samples "
                       "of that budget from the complete judgments; budgets are corrected "
                       "by it, and so are no better than its 'noise'", (long long)(o->check == 0 ? IV_PLAN_CHECKS : o->check));
    else if (!p->complete)
        iv_result_note(out, "the pilot is a sample: contributions of documents are estimated");
    if (isfinite(p->topics_se))
        iv_result_note(out, "judging everything leaves a standard error of %.4f from "
                       "the choice of topics", p->topics_se);
    if (p->without > 0)
        iv_result_note(out, "%zu topic%s without a relevant document in the frame %s", p->without,
                       p->without == 1 ? "" : "s", o->goal == IV_GOAL_TOPIC 
                           ? (p->without == 1 ? "is left out" : "are left out")
                           : p->without == 1 ? "counts in means, with an average precision of 0"
                                             : "count in means, with an average precision of 0");
    tell_limits(out, p, o, depth);
}

static int plan(iv_result *out, const iv_plan_sample_question *q, const iv_run_input *in,
                const iv_judgments *j, const iv_work *work, iv_err *err)
{
    const char *name = q->from.judgments != NULL ? q->from.judgments : "the judgments";
    iv_sampling *judged = NULL;
    iv_sample_plan p;
    int rc = iv_sampling_new(&judged, j, name, q->unjudged, err);

    if (rc == IV_OK)
        rc = iv_sample_plan_make(&p, in->runs, in->count, judged, &q->how, work, err);
    if (rc == IV_OK) {
        answer(out, &p, q->how.goal);
        rc = put_tables(out, &p, q->how.goal, err);
        tell(out, &p, &q->how);
        iv_sample_plan_clear(&p);
    }
    iv_sampling_free(judged);
    return rc;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_plan_sample_question *q = asked;
    iv_run_input in = { 0 };
    iv_judgments *own = NULL;
    iv_stage stage;
    int rc = IV_OK;

    if (q->from.judged == NULL && q->from.judgments == NULL)
        return iv_fail(err, IV_EARG, "there are no judgments to learn from");
    if (q->how.part == IV_PART_TOTAL && q->how.goal == IV_GOAL_TOPIC)
        return iv_fail(err, IV_EARG, "a topic's standard error has no part of the topics");
    rc = iv_run_input_read(&in, out, &q->from, iv_work_part(&stage, work, 0.0, 0.1), err);
    if (rc == IV_OK && q->from.judged == NULL)
        rc = iv_judgments_input(&own, out, q->from.judgments, q->from.judgments_format,
                                iv_work_part(&stage, work, 0.1, 0.2), err);
    if (rc == IV_OK)
        rc = plan(out, q, &in, q->from.judged != NULL ? q->from.judged : own,
                  iv_work_part(&stage, work, 0.2, 1.0), err);
    iv_judgments_free(own);
    iv_run_input_free(&in);
    return rc;
}

int iv_answer_plan_sample(iv_result *out, const iv_plan_sample_question *q, const iv_work *work,
                          iv_err *err)
{
    static const iv_part parts[] = {
        IV_SOURCE_PARTS(iv_plan_sample_question, from.),
        IV_CHOICE_OF(iv_plan_sample_question, unjudged, iv_unjudged_names,
                     "what to do with unjudged documents"),
        IV_CHOICE_OF(iv_plan_sample_question, how.goal, iv_sample_goal_names, "the goal"),
        IV_CHOICE_OF(iv_plan_sample_question, how.part, iv_sample_part_names, "the part"),
        IV_CHOICE_OF(iv_plan_sample_question, how.estimator, iv_estimator_names, "the estimator"),
        IV_PART_OF(iv_plan_sample_question, how.se, REAL, "the standard error"),
        IV_PART_OF(iv_plan_sample_question, how.halfwidth, REAL, "the half width"),
        IV_PART_OF(iv_plan_sample_question, how.confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked, "plan sample"), work, err);
}
