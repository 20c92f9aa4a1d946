/* SPDX-License-Identifier: Apache-2.0 */
/* plan pilot -- from a few judged topics to the whole experiment. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/inquiry_input.h"
#include "intervale/plan.h"
#include "command/plan_cost_tables.h"

typedef struct args {
    double topics, effect, power, alpha, topic_cost, judgment_cost, free_topics;
    int64_t depth, level, samples, forecasts;
    const char *relevance;
    int moments, judgments_format, run_format, no_answer, by;
} args;

static const char *const by_words[] = { "next", "pool", NULL };
static const char *const form_words[] = { "plain", "delta", NULL };

static const opt opts[] = {
    OPT_HEADING("What is wanted"),
    OPT_REAL(args, 0, "topics", "N", topics, 1.0, 1e6,
             "topics that would be enough if judged to certainty (default: 25)"),
    OPT_REAL(args, 0, "effect", "H", effect, 0.0, 1.0,
             "or the effect to find: the share of topics won less the share lost"),
    OPT_REAL_OPEN(args, 0, "power", "P", power, 0.0, 1.0, "with this power (sign test)"),
    OPT_REAL_OPEN(args, 0, "alpha", "A", alpha, 0.0, 1.0, "and level"),
    OPT_REAL(args, 0, "topic-cost", "C", topic_cost, 0.0, 1e12, "price of a topic"),
    OPT_REAL(args, 0, "judgment-cost", "C", judgment_cost, 0.0, 1e12, "price of a judgment"),
    OPT_REAL(args, 0, "free-topics", "N", free_topics, 0.0, 1e12,
             "topics that are there already and cost nothing"),
    OPT_HEADING("The pilot"),
    OPT_STR(args, 0, "relevance", "P", relevance,
            "probability that an unjudged document is relevant, or rank: estimated from the "
            "pilot, by rank"),
    OPT_CHOICE(args, 0, "moments", "FORM", moments, form_words,
               "how mean and variance of a difference are found"),
    OPT_CHOICE(args, 0, "judge", "HOW", by, by_words,
               "in the order of intervale next, or by pools of growing depth"),
    OPT_CHOICE(args, 0, "unjudged", "WHAT", no_answer, inquiry_no_answer_words,
               "where the pilot has no judgment: refuse, take it as not relevant, or never ask "
               "for it"),
    OPT_INT(args, 'M', "depth", "N", depth, 1, INT64_MAX,
            "look at the first N documents of each topic only"),
    OPT_INT(args, 'l', "level", "GRADE", level, 0, IV_GRADE_MAX,
            "the lowest grade that counts as relevant"),
    OPT_INT(args, 0, "samples", "N", samples, 1, 10000,
            "samples of topics for each number of topics"),
    OPT_INT(args, 0, "forecasts", "N", forecasts, 10, 1000000,
            "simulated experiments for the interval"),
    OPT_CHOICE(args, 0, "judgments-format", "F", judgments_format, inquiry_judgments_words,
               "format of JUDGMENTS; any is told by content"),
    OPT_CHOICE(args, 0, "run-format", "F", run_format, inquiry_run_words,
               "format of the runs; any is told by content"),
    OPT_END
};

static void put_forecast(iv_table *t, const char *name, const iv_forecast *f, double against)
{
    iv_put_text(t, iv_str_of(name));
    iv_put_int(t, (int64_t)f->topics);
    iv_put_real(t, f->certainty);
    iv_put_real(t, f->mean);
    iv_put_real(t, f->lower);
    iv_put_real(t, f->upper);
    iv_put_real(t, f->model);
    iv_put_real(t, f->cost);
    iv_put_real(t, against);
}

static void table_plan(cmd_context *c, const iv_pilot *p, double n)
{
    static const iv_column columns[] = {
        { "plan", IV_TEXT, 0 }, { "topics", IV_INTEGER, 0 }, { "certainty", IV_REAL, 3 },
        { "judgments", IV_REAL, 0 }, { "lower", IV_REAL, 0 }, { "upper", IV_REAL, 0 },
        { "model", IV_REAL, 0 }, { "cost", IV_REAL, 0 }, { "saving", IV_REAL, 3 } };
    const args *a = c->args;
    iv_table *t = iv_result_table(c->result, "plan", columns, 9);
    const double paid = fmax(0.0, ceil(n) - a->free_topics);
    const double pool = a->topic_cost * paid + a->judgment_cost * p->pool_judgments;

    put_forecast(t, "recommended", &p->recommended, (double)NAN);
    put_forecast(t, "certain", &p->certain, 1.0 - p->recommended.cost / p->certain.cost);
    iv_put_text(t, iv_str_of("pool"));
    iv_put_int(t, (int64_t)ceil(n));
    iv_put_missing(t);
    iv_put_real(t, p->pool_judgments);
    iv_put_missing(t);
    iv_put_missing(t);
    iv_put_missing(t);
    iv_put_real(t, pool);
    iv_put_real(t, 1.0 - p->recommended.cost / pool);
}

static void table_training(cmd_context *c, const iv_pilot *p)
{
    static const iv_column columns[] = {
        { "certainty", IV_REAL, 2 }, { "topics", IV_INTEGER, 0 }, { "judgments", IV_REAL, 1 },
        { "fitted", IV_REAL, 1 }, { "samples", IV_INTEGER, 0 },
        { "reached", IV_INTEGER, 0 } };
    iv_table *t;

    if (strcmp(c->shared->format, "text") == 0
        && (c->shared->table == NULL || strcmp(c->shared->table, "training") != 0))
        return; /* too long to read */
    t = iv_result_table(c->result, "training", columns, 6);
    for (size_t i = 0; i < p->rows; i++) {
        const iv_pilot_row *r = &p->row[i];
        iv_put_real(t, r->certainty);
        iv_put_int(t, (int64_t)r->topics);
        iv_put_real(t, r->reached > 0 ? r->judgments : (double)NAN);
        iv_put_real(t, r->fitted);
        iv_put_int(t, (int64_t)r->samples);
        iv_put_int(t, (int64_t)r->reached);
    }
}

static void tell(cmd_context *c, const iv_pilot *p, double n)
{
    const iv_forecast *f = &p->recommended;

    iv_result_answer(c->result, "Take %zu topics and judge until the confidence is %.2f: about "
                     "%.0f judgments (%.0f to %.0f). %g topics judged to certainty would take "
                     "about %.0f.", f->topics, f->certainty, f->mean, f->lower, f->upper, n,
                     p->certain.mean);
    if (p->start_up != SIZE_MAX)
        iv_result_note(c->result, "the pilot of %zu topics itself took %zu judgments to become "
                       "certain", p->topics, p->start_up);
    else
        iv_result_note(c->result, "the pilot of %zu topics never became certain", p->topics);
    if (f->topics > 5 * p->topics)
        iv_result_note(c->result, "%zu topics are far more than the pilot has: so far from what "
                       "was seen the interval seldom holds what it really takes; a --topic-cost "
                       "keeps the plan nearer", f->topics);
    iv_result_note(c->result, "pool: %g topics with the pool of both runs to depth %g; model: "
                   "what the fitted curve says", n, p->pool_depth);
    if (f->experiments == 0)
        iv_result_note(c->result, "so many topics are not simulated");
    else if (f->reached < f->experiments)
        iv_result_note(c->result, "%zu of %zu simulated experiments did not reach the "
                       "confidence and are left out", f->experiments - f->reached,
                       f->experiments);
    if (p->left_out > 0)
        iv_result_note(c->result, "%zu of %zu training rows were reached by fewer than half of "
                       "their samples and are left out of the fit", p->left_out, p->rows);
    plan_cost_tell(c->result, &p->model, &p->choice, 0.55);
}

/* What the plan was chosen from, and whether the fitted curve deserves trust. */
static void draw(cmd_context *c, const iv_pilot *p, double n, const iv_prices *prices)
{
    double from = (double)INFINITY, to = 1.0;

    for (size_t i = 0; i < p->rows; i++) {
        const bool known = p->row[i].reached > 0;
        from = fmin(from, fmin(p->row[i].fitted, known ? p->row[i].judgments : from));
        to = fmax(to, fmax(p->row[i].fitted, known ? p->row[i].judgments : to));
    }
    const iv_axis axis = { NULL, from > 0.0 ? from : 0.0, to, from > 0.0 };
    iv_chart chart = {
        .kind = IV_CHART_POINTS, .table = "training", .title = "Does the model fit the pilot?",
        .caption = "A point is a number of topics and a confidence: the judgments that samples "
                   "of the pilot took to reach it, over what the fitted model says. Points near "
                   "the diagonal are fitted well; the plan is no better than they are.",
        .x = "fitted", .value = "judgments", .group = "topics", .diagonal = true,
        .x_axis = axis, .value_axis = axis };

    plan_cost_curve_table(c->result, &p->model, n, prices, 1, p->choice.certainty);
    chart.x_axis.title = "judgments, by the model";
    chart.value_axis.title = "judgments, simulated";
    iv_result_chart(c->result, &chart);
}

/* n: as given, or what the effect takes. */
static int topics_wanted(double *out, const args *a, iv_err *err)
{
    iv_power_options o = iv_power_defaults();
    size_t n;

    *out = isnan(a->topics) ? 25.0 : a->topics;
    if (isnan(a->effect))
        return IV_OK;
    if (!isnan(a->topics))
        return cmd_usage(err, "give --topics or --effect, not both");
    o.alpha = a->alpha;
    const int rc = iv_power_topics(&n, NULL, a->power, a->effect, &o, err);
    if (rc == IV_OK)
        *out = (double)n;
    return rc == IV_EARG ? CMD_USAGE : rc;
}

static int study(cmd_context *c, const inquiry_input *in, double n, iv_err *err)
{
    const args *a = c->args;
    iv_pilot_options o = iv_pilot_defaults();
    iv_pilot p;

    o.prior = in->prior;
    o.form = (iv_moments_form)a->moments;
    o.no_answer = (iv_no_answer)a->no_answer;
    o.by_pool = a->by == 1;
    o.topics = n;
    o.prices = (iv_prices){ a->topic_cost, a->judgment_cost, a->free_topics };
    o.replicates = (size_t)a->samples;
    o.forecasts = (size_t)a->forecasts;
    o.confidence = c->shared->confidence;
    o.seed = c->shared->seed;
    o.progress = c->progress;
    const int rc = iv_pilot_study(&p, in->pooled, 0, 1, &o, c->operands[0], err);
    if (rc == IV_ENODATA && a->no_answer == IV_NO_ANSWER_REFUSE
        && strstr(err->msg, "no judgment of") != NULL)
        cmd_hint(err, "; --unjudged nonrelevant or skip says what to do then");
    if (rc != IV_OK)
        return rc;
    tell(c, &p, n);
    table_plan(c, &p, n);
    plan_cost_model_table(c->result, &p.model);
    plan_cost_fit_table(c->result, &p.model);
    table_training(c, &p);
    if (session_draws(c->shared))
        draw(c, &p, n, &o.prices);
    iv_pilot_clear(&p);
    return IV_OK;
}

static int run(cmd_context *c, iv_err *err)
{
    const args *a = c->args;
    const inquiry_source source = {
        .judgments = c->operands[0], .runs = c->operands + 1, .count = c->operand_count - 1,
        .judgments_format = a->judgments_format, .run_format = a->run_format,
        .relevance = a->relevance,
        .pool = { .depth = a->depth > 0 ? (size_t)a->depth : 0, .level = (int32_t)a->level,
                  .judged_topics = true } };
    inquiry_input in = { 0 };
    double n;
    int rc = topics_wanted(&n, a, err);

    if (rc == IV_OK && !(a->topic_cost + a->judgment_cost > 0.0))
        rc = cmd_usage(err, "a topic or a judgment must cost something");
    if (rc == IV_OK)
        rc = inquiry_input_read(&in, c, &source, err);
    if (rc == IV_OK)
        rc = study(c, &in, n, err);
    inquiry_input_free(&in);
    return rc;
}

const cmd cmd_plan_pilot = {
    .name = "plan pilot",
    .group = "Planning",
    .summary = "plan topics and judgments from a few judged topics",
    .operands = "JUDGMENTS RUN RUN",
    .least = 2,
    .most = 3,
    .description =
        "JUDGMENTS are those of a pilot: a few topics, ten or so, judged as far as needed. "
        "Their judging is simulated, and that of samples of them of many sizes, to learn how "
        "many judgments a confidence takes; then the cheapest plan with the power of --topics "
        "certain topics is found, and simulated on samples of samples of the pilot.\n\n"
        "Table plan has the recommended topics, the confidence to judge to, and the judgments "
        "that it will take, mean and interval; beside it fewer topics judged to certainty, "
        "and their whole pool; saving is the share of that cost which the recommended plan "
        "saves. An interval from a few topics is wide, and says nothing of topics unlike them.",
    .examples = (const cmd_example[]){
        { "intervale plan pilot --unjudged nonrelevant pilot.qrels runA runB",
          "Topics are free, judgments are not." },
        { "intervale plan pilot --effect 0.35 --power 0.8 --topic-cost 20 --unjudged skip "
          "pilot.qrels runA runB", "A topic costs as much as twenty judgments." },
        { NULL, NULL } },
    .opts = opts,
    .defaults = &(const args){ .topics = (double)NAN, .effect = (double)NAN, .power = 0.8,
                               .alpha = 0.05, .judgment_cost = 1.0, .depth = -1, .level = 1,
                               .samples = 20, .forecasts = 500, .relevance = "0.5",
                               .moments = IV_MOMENTS_DELTA },
    .args_size = sizeof(args),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "plan", "model", "fit", "training", NULL },
    .run = run,
};
