/* SPDX-License-Identifier: Apache-2.0 */
/* study judging -- does judging little work? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/study_judging_input.h"
#include "intervale/num.h"
#include "study/study.h"
#include "command/study_judging_cost.h"

typedef struct args {
    const char *qrels, *relevance;
    int moments, judgments_format, run_format, by;
    int64_t depth, level, pairs, topics, pilot, trials, rankings, forecasts;
    double alpha, topic_cost, judgment_cost, free_topics;
} args;

static const char *const by_words[] = { "next", "pool", NULL };
static const char *const form_words[] = { "delta", "plain", NULL };

static const opt opts[] = {
    OPT_STR(args, 0, "qrels", "FILE", qrels, "the judgments, taken for the truth"),
    OPT_STR(args, 0, "relevance", "P", relevance,
            "probability that an unjudged document is relevant, or rank: a curve fitted to all "
            "of the judgments"),
    OPT_CHOICE(args, 0, "moments", "FORM", moments, form_words,
               "how mean and variance of a difference are found"),
    OPT_CHOICE(args, 0, "judge", "HOW", by, by_words,
               "in the order of intervale next, or by pools of growing depth, as the paper"),
    OPT_INT(args, 'M', "depth", "N", depth, 1, INT64_MAX,
            "look at the first N documents of each topic only"),
    OPT_INT(args, 'l', "level", "GRADE", level, 0, IV_GRADE_MAX,
            "the lowest grade that counts as relevant"),
    OPT_INT(args, 0, "pairs", "N", pairs, 1, 100000000, "so many pairs by lot, not all"),
    OPT_INT(args, 0, "topics", "N", topics, 2, 100000, "topics to be judged to certainty"),
    OPT_INT(args, 0, "pilot", "N", pilot, 2, 100000, "topics of a pilot"),
    OPT_INT(args, 0, "trials", "N", trials, 1, 1000, "samples of topics for each pair"),
    OPT_INT(args, 0, "forecasts", "N", forecasts, 10, 10000,
            "simulated experiments for the interval of each pilot"),
    OPT_REAL_OPEN(args, 0, "alpha", "A", alpha, 0.0, 1.0, "level of the one-sided sign test"),
    OPT_REAL(args, 0, "topic-cost", "C", topic_cost, 0.0, 1e12, "price of a topic"),
    OPT_REAL(args, 0, "judgment-cost", "C", judgment_cost, 0.0, 1e12, "price of a judgment"),
    OPT_REAL(args, 0, "free-topics", "N", free_topics, 0.0, 1e12,
             "topics that cost nothing"),
    OPT_INT(args, 0, "rankings", "N", rankings, 1, 100000,
            "random rankings for each row of table moments"),
    OPT_CHOICE(args, 0, "judgments-format", "F", judgments_format, inquiry_judgments_words,
               "format of the judgments; any is told by content"),
    OPT_CHOICE(args, 0, "run-format", "F", run_format, inquiry_run_words,
               "format of the runs; any is told by content"),
    OPT_END
};

static void table_certainty(cmd_context *c, const iv_judging_study *s)
{
    static const iv_column columns[] = {
        { "from", IV_REAL, 2 }, { "to", IV_REAL, 2 }, { "points", IV_INTEGER, 0 },
        { "confidence", IV_REAL, 4 }, { "accuracy", IV_REAL, 4 },
        { "topic_accuracy", IV_REAL, 4 } };
    iv_table *t = iv_result_table(c->result, "certainty", columns, 6);

    for (size_t k = 0; k < IV_CERTAINTY_BINS; k++) {
        const iv_certainty_bin *b = &s->certainty[k];
        iv_put_real(t, b->from);
        iv_put_real(t, b->to);
        iv_put_int(t, (int64_t)b->points);
        iv_put_real(t, b->confidence);
        iv_put_real(t, b->accuracy);
        iv_put_real(t, b->topic_accuracy);
    }
    iv_result_chart(c->result, &(iv_chart){
        .kind = IV_CHART_POINTS, .table = "certainty", .title = "Is confidence deserved?",
        .caption = "How often the sign of the difference was right, over the confidence in it. "
                   "On the diagonal confidence is deserved; below it, too high.",
        .x = "confidence", .value = "accuracy", .diagonal = true,
        .x_axis = { .title = "confidence", .from = 0.5, .to = 1.0 },
        .value_axis = { .title = "share right", .from = 0.0, .to = 1.0 } });
}

static void table_judgments(cmd_context *c, const iv_judging_study *s)
{
    static const iv_column columns[] = {
        { "topics", IV_INTEGER, 0 }, { "confidence", IV_REAL, 2 },
        { "judgments", IV_REAL, 1 }, { "fitted", IV_REAL, 1 }, { "samples", IV_INTEGER, 0 },
        { "reached", IV_INTEGER, 0 } };
    const bool brief = strcmp(c->shared->format, "text") == 0 && c->shared->table == NULL;
    iv_table *t = iv_result_table(c->result, "judgments", columns, 6);

    for (size_t k = 0; k < s->rows; k++) {
        const iv_pilot_row *r = &s->row[k];
        if (brief && (r->topics % 5 != 0 || lround(20.0 * r->certainty) % 2 != 0))
            continue; /* every second row of some sizes; all when asked for */
        iv_put_int(t, (int64_t)r->topics);
        iv_put_real(t, r->certainty);
        iv_put_real(t, r->reached > 0 ? r->judgments : (double)NAN);
        iv_put_real(t, r->fitted);
        iv_put_int(t, (int64_t)r->samples);
        iv_put_int(t, (int64_t)r->reached);
    }
    iv_result_chart(c->result, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "judgments", .title = "What confidence takes",
        .caption = "Judgments needed to reach a confidence, a line for each; over the number of "
                   "topics.",
        .x = "topics", .value = "judgments", .group = "confidence" });
}

static void put_count(iv_table *t, size_t n)
{
    if (n == SIZE_MAX)
        iv_put_missing(t);
    else
        iv_put_int(t, (int64_t)n);
}

static void table_trials(cmd_context *c, const inquiry_input *in, const iv_judging_study *s)
{
    static const iv_column columns[] = {
        { "a", IV_TEXT, 0 }, { "b", IV_TEXT, 0 }, { "topics", IV_INTEGER, 0 },
        { "confidence", IV_REAL, 3 }, { "predicted", IV_REAL, 0 },
        { "actual", IV_INTEGER, 0 }, { "lower", IV_REAL, 0 }, { "upper", IV_REAL, 0 },
        { "certain", IV_INTEGER, 0 }, { "start_up", IV_INTEGER, 0 } };
    iv_table *t;

    if (strcmp(c->shared->format, "text") == 0 && c->shared->table == NULL)
        return; /* one row a pair; the summary does */
    t = iv_result_table(c->result, "trials", columns, 10);
    for (size_t k = 0; k < s->trials; k++) {
        const iv_cost_trial *x = &s->trial[k];
        iv_put_text(t, iv_str_of(in->names[x->a]));
        iv_put_text(t, iv_str_of(in->names[x->b]));
        iv_put_int(t, (int64_t)x->topics);
        iv_put_real(t, x->certainty);
        iv_put_real(t, x->predicted);
        put_count(t, x->actual);
        iv_put_real(t, x->lower);
        iv_put_real(t, x->upper);
        put_count(t, x->certain);
        put_count(t, x->start_up);
    }
}

static void table_costs(cmd_context *c, const iv_judging_study *s)
{
    static const iv_column columns[] = {
        { "pairs", IV_INTEGER, 0 }, { "topics", IV_REAL, 1 }, { "confidence", IV_REAL, 3 },
        { "predicted", IV_REAL, 0 }, { "actual", IV_REAL, 0 }, { "correlation", IV_REAL, 3 },
        { "within", IV_REAL, 3 }, { "covered", IV_REAL, 3 }, { "certain", IV_REAL, 0 },
        { "start_up", IV_REAL, 0 } };
    iv_table *t = iv_result_table(c->result, "costs", columns, 10);
    double sum[6] = { 0.0 };
    double *x = calloc(2 * s->trials + 1, sizeof *x);
    size_t n = 0, within = 0, covered = 0;

    for (size_t k = 0; x != NULL && k < s->trials; k++) {
        const iv_cost_trial *r = &s->trial[k];
        if (r->actual == SIZE_MAX || r->certain == SIZE_MAX || r->start_up == SIZE_MAX)
            continue;
        x[n] = r->predicted;
        x[s->trials + n++] = (double)r->actual;
        within += (double)r->actual <= r->predicted;
        covered += (double)r->actual >= r->lower && (double)r->actual <= r->upper;
        sum[0] += (double)r->topics;
        sum[1] += r->certainty;
        sum[2] += r->predicted;
        sum[3] += (double)r->actual;
        sum[4] += (double)r->certain;
        sum[5] += (double)r->start_up;
    }
    if (n > 0) {
        const double m = (double)n;
        iv_put_int(t, (int64_t)n);
        for (size_t k = 0; k < 4; k++)
            iv_put_real(t, sum[k] / m);
        iv_put_real(t, iv_pearson(x, x + s->trials, n));
        iv_put_real(t, (double)within / m);
        iv_put_real(t, (double)covered / m);
        iv_put_real(t, sum[4] / m);
        iv_put_real(t, sum[5] / m);
    }
    free(x);
}

static void table_power(cmd_context *c, const iv_judging_study *s)
{
    static const iv_column columns[] = {
        { "design", IV_TEXT, 0 }, { "from", IV_REAL, 1 }, { "to", IV_REAL, 1 },
        { "trials", IV_INTEGER, 0 }, { "effect", IV_REAL, 3 }, { "adjusted", IV_REAL, 3 },
        { "observed", IV_REAL, 3 }, { "power", IV_REAL, 3 }, { "predicted", IV_REAL, 3 } };
    static const char *const names[] = { "model", "pilot", "certain" };
    iv_table *t = iv_result_table(c->result, "power", columns, 9);

    for (size_t d = 0; d < IV_POWER_DESIGNS; d++) {
        for (size_t k = 0; k < IV_POWER_BINS; k++) {
            const iv_power_bin *b = &s->power[d][k];
            if (b->trials == 0)
                continue;
            iv_put_text(t, iv_str_of(names[d]));
            iv_put_real(t, b->from);
            iv_put_real(t, b->to);
            iv_put_int(t, (int64_t)b->trials);
            iv_put_real(t, b->effect);
            iv_put_real(t, b->adjusted);
            iv_put_real(t, b->observed_effect);
            iv_put_real(t, b->power);
            iv_put_real(t, b->predicted);
        }
    }
}

static int table_moments(cmd_context *c, iv_err *err)
{
    static const iv_column columns[] = {
        { "documents", IV_INTEGER, 0 }, { "prevalence", IV_REAL, 2 },
        { "plain_mean", IV_REAL, 4 }, { "plain_sd", IV_REAL, 4 }, { "delta_mean", IV_REAL, 4 },
        { "delta_sd", IV_REAL, 4 } };
    static const size_t sizes[] = { 10, 30, 100, 300, 1000 };
    static const double prevalences[] = { 0.02, 0.1, 0.5, 0.9 };
    const args *a = c->args;
    iv_table *t = iv_result_table(c->result, "moments", columns, 6);

    for (size_t i = 0; i < 5; i++) {
        for (size_t k = 0; k < 4; k++) {
            iv_moments_error e;
            const int rc = iv_moments_study(&e, sizes[i], prevalences[k],
                                            (size_t)a->rankings, c->shared->seed, err);
            if (rc != IV_OK)
                return rc;
            iv_put_int(t, (int64_t)e.documents);
            iv_put_real(t, e.prevalence);
            iv_put_real(t, e.plain_mean);
            iv_put_real(t, e.plain_sd);
            iv_put_real(t, e.delta_mean);
            iv_put_real(t, e.delta_sd);
        }
    }
    return IV_OK;
}

static void tell(cmd_context *c, const inquiry_input *in, const iv_judging_study *s)
{
    const iv_pooled_facts f = iv_pooled_facts_of(in->pooled);
    double worst = 1.0, at = 0.0;

    for (size_t k = 0; k < IV_CERTAINTY_BINS; k++) {
        const iv_certainty_bin *b = &s->certainty[k];
        if (b->points >= 30 && b->accuracy - b->confidence < worst) {
            worst = b->accuracy - b->confidence;
            at = b->confidence;
        }
    }
    iv_result_answer(c->result, "Over %zu pairs confidence is %s: at %.2f, the worst, the sign "
                     "is right %.3f %s often than that; the cheapest plan judges %.0f topics to "
                     "confidence %.2f.", s->pairs,
                     worst >= -0.02 ? "deserved" : "not deserved everywhere", at, fabs(worst),
                     worst < 0.0 ? "less" : "more", ceil(s->choice.topics - 1e-9),
                     s->choice.certainty);
    iv_result_note(c->result, "documents without a judgment are taken as not relevant: %zu of "
                   "%zu", f.documents - f.judged, f.documents);
    if (s->pairs_without_model > 0)
        iv_result_note(c->result, "the pilots of %zu pairs gave no model, or a plan of more "
                       "than 5000 topics: they are not in table costs",
                       s->pairs_without_model);
    if (s->choice.topics > 5000.0)
        iv_result_note(c->result, "the plan of all pairs' model takes more than 5000 topics "
                       "and is not tried");
}

static int study(cmd_context *c, const inquiry_input *in, iv_err *err)
{
    const args *a = c->args;
    const iv_judging_study_options o = {
        .prior = in->prior, .form = (iv_moments_form)a->moments, .by_pool = a->by == 1,
        .pairs = a->pairs > 0 ? (size_t)a->pairs : 0, .topics = (size_t)a->topics,
        .pilot = (size_t)a->pilot, .trials = (size_t)a->trials, .alpha = a->alpha,
        .prices = { a->topic_cost, a->judgment_cost > 0.0 ? a->judgment_cost : IV_ZERO,
                    a->free_topics },
        .forecasts = (size_t)a->forecasts, .confidence = c->shared->confidence,
        .seed = c->shared->seed, .threads = (int)c->shared->threads,
        .progress = c->progress };
    iv_judging_study s;
    int rc = iv_judging_study_run(&s, in->pooled, &o, err);

    if (rc != IV_OK)
        return rc;
    tell(c, in, &s);
    inquiry_input_tell_prior(c, in);
    table_certainty(c, &s);
    table_judgments(c, &s);
    plan_cost_model_table(c->result, &s.model);
    plan_cost_fit_table(c->result, &s.model);
    table_costs(c, &s);
    table_trials(c, in, &s);
    table_power(c, &s);
    rc = table_moments(c, err);
    iv_judging_study_clear(&s);
    return rc;
}

static int run(cmd_context *c, iv_err *err)
{
    const args *a = c->args;
    const inquiry_source source = {
        .judgments = a->qrels, .runs = c->operands, .count = c->operand_count,
        .judgments_format = a->judgments_format, .run_format = a->run_format,
        .relevance = a->relevance,
        .pool = { .depth = a->depth > 0 ? (size_t)a->depth : 0, .level = a->level == 0 ? IV_ZERO : (int32_t)a->level,
                  .judged_topics = true } };
    inquiry_input in = { 0 };
    int rc = IV_OK;

    if (a->qrels == NULL)
        return cmd_usage(err, "--qrels FILE is missing: the judgments");
    if (!(a->topic_cost + a->judgment_cost > 0.0))
        return cmd_usage(err, "a topic or a judgment must cost something");
    rc = inquiry_input_read(&in, c, &source, err);
    if (rc == IV_OK)
        rc = study(c, &in, err);
    inquiry_input_free(&in);
    return rc;
}

const cmd cmd_study_judging = {
    .name = "study judging",
    .group = "Studies",
    .summary = "try judging little on a judged collection",
    .operands = "RUN RUN...",
    .least = 1,
    .most = CMD_MANY,
    .description =
        "Repeats the experiments of Carterette and Smucker (2007) on any collection, with its "
        "judgments as the truth. Judging starts from nothing.\n\n"
        "Tables: certainty, by confidence of the sign of a difference in mean average "
        "precision, how often the sign is right, and how often the signs of topics are (their "
        "figure 4); judgments, how many a confidence takes by number of topics, with the "
        "fitted model (figure 5), and model and fit, the model itself; costs, pilots' "
        "predictions beside what judging took, means over pairs (within: share of pairs that "
        "took no more than predicted; covered: share whose judgments were in the interval that "
        "plan pilot would give; certain: --topics topics to certainty), and trials, one "
        "row a pair (section 5.2); power, by true effect size, what the uncertainty should "
        "leave of it, what was observed, how often the sign test rejected, and the exact power "
        "of --topics certain topics (figures 7 and 8), for topics judged as the model of all "
        "pairs says (model), as each pilot says (pilot) and to certainty (certain); moments, "
        "plain and delta moments beside exact ones: error of the mean in standard deviations, "
        "and ratio of standard deviations.",
    .examples = (const cmd_example[]){
        { "intervale study judging --qrels qrels runs/*", "All pairs of runs." },
        { "intervale study judging --judge pool --relevance 0.5 --format tsv --table certainty "
          "--qrels qrels runs/*", "Their figure 4." },
        { NULL, NULL } },
    .opts = opts,
    .defaults = &(const args){ .relevance = "0.5", .moments = IV_MOMENTS_DELTA, .depth = -1,
                               .level = 1, .pairs = -1, .topics = 25, .pilot = 10,
                               .trials = 4, .rankings = 10, .forecasts = 200, .alpha = 0.05,
                               .judgment_cost = 1.0 },
    .args_size = sizeof(args),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "certainty", "judgments", "model", "fit", "costs",
                                     "trials", "power", "moments", NULL },
    .run = run,
};
