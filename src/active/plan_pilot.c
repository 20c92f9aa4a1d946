/* SPDX-License-Identifier: Apache-2.0 */
/* plan pilot -- from a few judged topics to the whole experiment. */
#include "active/judging_input.h"
#include "active/judging_messages.h"
#include "active/pilot.h"
#include "base/arguments.h"
#include "base/err.h"
#include "base/listing.h"
#include "base/parallel.h"
#include "intervale/stat/topic_power.h"
#include "result/answering.h"
#include "result/methods.h"
#include "stat/incomplete/ap_moments.h"
#include "trec/run_source.h"

#include <math.h>
#include <string.h>

/* One plan. */
typedef struct pilot_plan {
    const char *plan;
    size_t topics;
    double certainty, judgments, lower, upper, model, cost;
} pilot_plan;

const iv_field iv_plan_pilot_fields[] = {
    { "plan", IV_AT(pilot_plan, plan),
      .about = "judging until the better run is certain, or a pool" },
    { "topics", IV_AT(pilot_plan, topics), .about = "topics to judge" },
    { "certainty", IV_AT(pilot_plan, certainty), .digits = 3, .about = "certainty to reach" },
    { "judgments", IV_AT(pilot_plan, judgments), .about = "mean number of judgments" },
    { "lower", IV_AT(pilot_plan, lower), .about = "lower limit for one experiment" },
    { "upper", IV_AT(pilot_plan, upper), .about = "upper limit" },
    { "model", IV_AT(pilot_plan, model), .audience = IV_FOR_PROGRAMS,
      .about = "judgments by the fitted model" },
    { "cost", IV_AT(pilot_plan, cost), .about = "cost of topics and judgments" },
    { NULL } };

const iv_field iv_plan_training_fields[] = {
    { "certainty", IV_AT(iv_pilot_row, certainty), .digits = 2, .about = "certainty to reach" },
    { "topics", IV_AT(iv_pilot_row, topics), .about = "topics in a sample of the pilot" },
    { "judgments", IV_AT(iv_pilot_row, judgments), .digits = 1, .about = "mean over samples" },
    { "fitted", IV_AT(iv_pilot_row, fitted), .digits = 1,
      .about = "judgments by the fitted model" },
    { "samples", IV_AT(iv_pilot_row, samples), .about = "simulated samples" },
    { "reached", IV_AT(iv_pilot_row, reached), .about = "samples that reached the certainty" },
    { NULL } };

static void table_plan(iv_result *out, const iv_pilot *p, double n)
{
    const iv_forecast *f = &p->certain;
    const double none = (double)NAN;
    const pilot_plan rows[] = {
        { .plan = "certain", .topics = f->topics, .certainty = f->certainty,
          .judgments = f->mean, .lower = f->lower, .upper = f->upper, .model = f->model,
          .cost = f->cost },
        { .plan = "pool", .topics = (size_t)ceil(n), .certainty = none,
          .judgments = p->pool_judgments, .lower = none, .upper = none, .model = none,
          .cost = p->pool_cost } };

    IV_TABLE(out, "plan", iv_plan_pilot_fields, rows, 2);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "plan", .title = "Judgments",
        .caption = "A point is the mean number of judgments of a plan. The line is the interval "
                   "for a single experiment.",
        .label = "plan", .value = "judgments", .lower = "lower", .upper = "upper" });
}

static void tell(iv_result *out, const iv_pilot *p, double n, double confidence)
{
    const iv_forecast *f = &p->certain;
    char range[80] = "";

    if (isfinite(f->lower))
        (void)snprintf(range, sizeof range, " (%.10g %% interval %s to %s)", 100.0 * confidence,
                       IV_COUNT(f->lower), IV_COUNT(f->upper));
    if (isfinite(f->mean) && f->mean >= p->pool_judgments)
        iv_result_answer(out, "Judge a pool: %g topics to depth %g have about %s documents. "
                         "Judging until the better run is certain would take about %s%s.", n,
                         p->pool_depth, IV_COUNT(p->pool_judgments), IV_COUNT(f->mean), range);
    else if (isfinite(f->mean))
        iv_result_answer(out, "Judging %g topics until the better run is certain takes about %s "
                         "judgments%s; a pool of depth %g takes %s.", n, IV_COUNT(f->mean), range,
                         p->pool_depth, IV_COUNT(p->pool_judgments));
    else
        iv_result_answer(out, "No simulated experiment of %g topics became certain; a pool of "
                         "depth %g takes %s judgments.", n, p->pool_depth,
                         IV_COUNT(p->pool_judgments));
    char all[24], pilot[24];
    (void)snprintf(all, sizeof all, "%zu", f->experiments);
    (void)snprintf(pilot, sizeof pilot, "%zu", p->topics);
    if (isfinite(f->mean))
        IV_SAY(out, "pilot.uncertain", f->experiments - f->reached, .text = { all });
    if (isfinite(f->mean) && !isfinite(f->lower))
        IV_SAY(out, "pilot.far", f->topics, .text = { pilot });
    IV_SAY(out, "pilot.lower", 1);
    iv_result_used_with(out, "incomplete", ", simulated on samples of the pilot's %zu topics",
                        p->topics);
}

/* n: as given, or what the effect takes. */
static int topics_wanted(double *n, const iv_plan_pilot_question *q, const iv_work *work,
                         iv_err *err)
{
    const iv_power_options o = { .test = IV_PLAN_SIGN, .sides = IV_ONE_SIDE, .alpha = q->alpha };
    typedef iv_plan_pilot_question T;
    size_t topics;

    *n = q->how.topics == 0.0 ? 25.0 : q->how.topics;
    if (q->how.prices.topic == 0.0)
        IV_TRY(IV_REFUSE(q, "without --topic-cost", err,
            IV_IDLE(how.prices.free_topics, "free-topics")));
    if (q->effect == 0.0)
        return IV_REFUSE(q, "without --effect", err, IV_IDLE(power, "power"),
            IV_IDLE(alpha, "alpha"));
    if (q->how.topics != 0.0)
        return iv_fail(err, IV_EARG, "give --topics or --effect, not both");
    IV_TRY(iv_power_topics(&topics, NULL, q->power == 0.0 ? 0.8 : q->power,
                           q->effect == IV_ZERO ? 0.0 : q->effect, &o, work, err));
    *n = (double)topics;
    return IV_OK;
}

static int study(iv_result *out, const iv_judging_input *in, const iv_plan_pilot_question *q,
                 double n, const iv_work *work, iv_err *err)
{
    const char *name = q->from.judgments != NULL ? q->from.judgments : "the judgments";
    iv_pilot_options o = q->how;
    iv_pilot p;

    o.prior = in->prior;
    o.topics = n;
    if (q->relevance != NULL && strcmp(q->relevance, "rank") == 0)
        IV_TRY(iv_prior_by_rank(&o.prior, in->pooled, err));
    IV_TRY(iv_pilot_study(&p, in->pooled, 0, 1, &o, name, work, err));
    for (size_t i = 0; i < p.rows; i++)
        if (p.row[i].reached == 0)
            p.row[i].judgments = (double)NAN;
    tell(out, &p, n, o.confidence == 0.0 ? 0.95 : o.confidence);
    table_plan(out, &p, n);
    iv_put_cost_model(out, &p.model);
    IV_TABLE(out, "training", iv_plan_training_fields, p.row, p.rows, .showing = IV_ASIDE);
    iv_pilot_clear(&p);
    return IV_OK;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_plan_pilot_question *q = asked;
    const iv_pooled_options pool = { .depth = q->depth, .level = q->level,
                                     .judged_topics = true };
    iv_judging_input in = { 0 };
    iv_stage stage;
    double n = 0.0;

    IV_TRY(topics_wanted(&n, q, iv_work_part(&stage, work, 0.0, 0.0), err));
    IV_TRY(iv_judging_input_read(&in, out, &q->from, q->relevance, &pool,
                                 iv_work_part(&stage, work, 0.0, 0.1), err));
    if (q->effect != 0.0)
        iv_result_used(out, "power");
    return study(out, &in, q, n, iv_work_part(&stage, work, 0.1, 1.0), err);
}

int iv_answer_plan_pilot(iv_result *out, const iv_plan_pilot_question *q, const iv_work *work,
                         iv_err *err)
{
    static const iv_part parts[] = {
        IV_SOURCE_PARTS(iv_plan_pilot_question, from.),
        IV_PART_OF(iv_plan_pilot_question, effect, REAL, "the effect"),
        IV_PART_OF(iv_plan_pilot_question, power, REAL, "the power"),
        IV_PART_OF(iv_plan_pilot_question, alpha, REAL, "alpha"),
        IV_CHOICE_OF(iv_plan_pilot_question, how.form, iv_moments_form_names,
                     "the form of the moments"),
        IV_CHOICE_OF(iv_plan_pilot_question, how.no_answer, iv_no_answer_names,
                     "what to do without an answer"),
        IV_CHOICE_OF(iv_plan_pilot_question, how.order, iv_judging_order_names,
                     "the order of judging"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked), work, err);
}
