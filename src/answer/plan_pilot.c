/* SPDX-License-Identifier: Apache-2.0 */
/* plan pilot -- from a few judged topics to the whole experiment. */
#include <math.h>
#include <stdlib.h>

#include "answer/answer_columns.h"
#include "answer/answer_parts.h"
#include "base/parallel.h"
#include "intervale/answer.h"
#include "plan/pilot_training.h"

typedef struct plan_row {
    const char *plan;
    size_t topics;
    double certainty, judgments, lower, upper, model, cost, saving;
} plan_row;

const iv_field iv_plan_pilot_fields[] = {
    { "plan", IV_AT(plan_row, plan),
      .about = "the recommended one, or what it is compared with" },
    { "topics", IV_AT(plan_row, topics), .about = "to take" },
    { "certainty", IV_AT(plan_row, certainty), .digits = 3, .about = "to judge to" },
    { "judgments", IV_AT(plan_row, judgments), .about = "that it takes, on average" },
    { "lower", IV_AT(plan_row, lower), .about = "lower end of what one experiment takes" },
    { "upper", IV_AT(plan_row, upper), .about = "upper end" },
    { "model", IV_AT(plan_row, model), .about = "judgments by the fitted curve" },
    { "cost", IV_AT(plan_row, cost), .about = "of topics and judgments" },
    { "saving", IV_AT(plan_row, saving), .digits = 3,
      .about = "share of this cost that the recommended plan saves" },
    { NULL } };

const iv_field iv_plan_training_fields[] = {
    { "certainty", IV_AT(iv_pilot_row, certainty), .digits = 2, .about = "to reach" },
    { "topics", IV_AT(iv_pilot_row, topics), .about = "of a sample of the pilot" },
    { "judgments", IV_AT(iv_pilot_row, judgments), .digits = 1, .about = "mean over samples" },
    { "fitted", IV_AT(iv_pilot_row, fitted), .digits = 1, .about = "what the model says" },
    { "samples", IV_AT(iv_pilot_row, samples), .about = "that were drawn" },
    { "reached", IV_AT(iv_pilot_row, reached), .about = "of them, reached the certainty" },
    { NULL } };

static plan_row row_of(const char *name, const iv_forecast *f, double saving)
{
    return (plan_row){ name, f->topics, f->certainty, f->mean, f->lower, f->upper, f->model,
                       f->cost, saving };
}

static void table_plan(iv_result *out, const iv_pilot *p, double n)
{
    const double none = (double)NAN, cost = p->recommended.cost;
    const plan_row rows[] = {
        row_of("recommended", &p->recommended, none),
        row_of("certain", &p->certain, 1.0 - cost / p->certain.cost),
        { "pool", (size_t)ceil(n), none, p->pool_judgments, none, none, none, p->pool_cost,
          1.0 - cost / p->pool_cost } };

    (void)iv_result_rows(out, &(iv_rows){ "plan", iv_plan_pilot_fields, rows, 3, sizeof *rows });
}

/* cheapest: if a topic needed no judgment. */
static void tell(iv_result *out, const iv_pilot *p, const iv_cost_choice *cheapest, double n)
{
    const iv_forecast *f = &p->recommended;

    char range[80] = "no interval: far more topics than the pilot has", certain[80] = "";

    if (isfinite(f->lower))
        (void)snprintf(range, sizeof range, "%.0f to %.0f", f->lower, f->upper);
    if (isfinite(p->certain.mean))
        (void)snprintf(certain, sizeof certain, " %g topics judged to certainty would take about %.0f.",
                       n, p->certain.mean);
    iv_result_answer(out, "Take %zu topics and judge until the confidence is %.2f: about "
                     "%.0f judgments (%s).%s", f->topics, f->certainty, f->mean, range, certain);
    if (p->start_up != SIZE_MAX)
        iv_result_note(out, "the pilot of %zu topics itself took %zu judgments to become "
                       "certain", p->topics, p->start_up);
    else
        iv_result_note(out, "the pilot of %zu topics never became certain", p->topics);
    if (f->topics > 5 * p->topics)
        iv_result_note(out, "%zu topics are far more than the pilot has: so far from what "
                       "was seen an interval seldom holds what it really takes, and none is given; "
                       "a price of topics keeps the plan nearer", f->topics);
    iv_result_note(out, "pool: %g topics with the pool of both runs to depth %g; model: "
                   "what the fitted curve says", n, p->pool_depth);
    if (f->experiments == 0)
        iv_result_note(out, "so many topics are not simulated");
    else if (f->reached < f->experiments)
        iv_result_note(out, "%zu of %zu simulated experiments did not reach the "
                       "confidence and are left out", f->experiments - f->reached,
                       f->experiments);
    if (p->left_out > 0)
        iv_result_note(out, "%zu of %zu training rows were reached by fewer than half of "
                       "their samples and are left out of the fit", p->left_out, p->rows);
    if (cheapest->certainty < p->choice.certainty)
        iv_result_note(out, "%.0f topics judged to %.2f would be cheaper by the model, with fewer "
                       "judgments than topics: a topic without a judgment says nothing",
                       ceil(cheapest->topics - 1e-9), cheapest->certainty);
    if (f->mean < (double)f->topics)
        iv_result_note(out, "fewer judgments than topics: in the pilot one topic decides for "
                       "others, and nothing is known of most topics; do not rely on its power");
    iv_tell_cost(out, &p->model, &p->choice, iv_pilot_levels[0]);
}

/* Does the fitted curve deserve trust? */
static void draw_training(iv_result *out, const iv_pilot *p)
{
    double from = (double)INFINITY, to = 1.0;

    for (size_t i = 0; i < p->rows; i++) {
        from = fmin(from, fmin(p->row[i].fitted, p->row[i].judgments));
        to = fmax(to, fmax(p->row[i].fitted, p->row[i].judgments));
    }
    const iv_axis axis = { NULL, from > 0.0 ? from : 0.0, to, from > 0.0 };
    iv_chart chart = {
        .kind = IV_CHART_POINTS, .table = "training", .title = "Does the model fit the pilot?",
        .caption = "A point is a number of topics and a confidence: the judgments that samples "
                   "of the pilot took to reach it, over what the fitted model says. Points near "
                   "the diagonal are fitted well; the plan is no better than they are.",
        .x = "fitted", .value = "judgments", .group = "topics", .diagonal = true,
        .x_axis = axis, .value_axis = axis };

    chart.x_axis.title = "judgments, by the model";
    chart.value_axis.title = "judgments, simulated";
    iv_result_chart(out, &chart);
}

/* n: as given, or what the effect takes. */
static int topics_wanted(double *n, const iv_plan_pilot_question *q, const iv_work *work,
                         iv_err *err)
{
    const iv_power_options o = { .test = IV_PLAN_SIGN, .sides = IV_ONE_SIDE, .alpha = q->alpha };
    size_t topics;

    *n = q->how.topics == 0.0 ? 25.0 : q->how.topics;
    if (q->effect == 0.0)
        return IV_OK;
    if (q->how.topics != 0.0)
        return iv_fail(err, IV_EARG, "a number of topics or an effect: one of the two");
    const int rc = iv_power_topics(&topics, NULL, q->power == 0.0 ? 0.8 : q->power,
                                   q->effect == IV_ZERO ? 0.0 : q->effect, &o, work, err);
    if (rc == IV_OK)
        *n = (double)topics;
    return rc;
}

static int study(iv_result *out, const iv_inquiry_input *in, const iv_plan_pilot_question *q,
                 double n, const iv_work *work, iv_err *err)
{
    const char *name = q->from.judgments != NULL ? q->from.judgments : "the judgments";
    iv_pilot_options o = q->how;
    iv_pilot p;

    o.prior = in->prior;
    o.topics = n;
    iv_cost_choice cheapest;
    IV_TRY(iv_pilot_study(&p, in->pooled, 0, 1, &o, name, work, err));
    const int rc = iv_cost_least(&cheapest, &p.model, n, &o.prices, iv_pilot_levels[0], err);
    if (rc != IV_OK) {
        iv_pilot_clear(&p);
        return rc;
    }
    for (size_t i = 0; i < p.rows; i++)
        if (p.row[i].reached == 0)
            p.row[i].judgments = (double)NAN;
    tell(out, &p, &cheapest, n);
    table_plan(out, &p, n);
    iv_put_cost_model(out, &p.model);
    (void)iv_result_rows(out, &(iv_rows){ "training", iv_plan_training_fields, p.row, p.rows,
                                          sizeof *p.row, .showing = IV_ASIDE });
    iv_put_cost_curve(out, &p.model, n, &o.prices, p.choice.certainty, IV_FOLDED);
    draw_training(out, &p);
    iv_pilot_clear(&p);
    return IV_OK;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_plan_pilot_question *q = asked;
    const iv_pooled_options pool = { .depth = q->depth, .level = q->level,
                                     .judged_topics = true };
    iv_inquiry_input in = { 0 };
    iv_stage stage;
    double n = 0.0;
    int rc = topics_wanted(&n, q, iv_work_part(&stage, work, 0.0, 0.0), err);

    if (rc == IV_OK)
        rc = iv_inquiry_input_read(&in, out, &q->from, IV_MODEL_INDEPENDENT, q->relevance, &pool,
                                   iv_work_part(&stage, work, 0.0, 0.1), err);
    if (rc == IV_OK)
        rc = study(out, &in, q, n, iv_work_part(&stage, work, 0.1, 1.0), err);
    iv_inquiry_input_free(&in);
    return rc;
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

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked, "plan pilot"), work, err);
}
