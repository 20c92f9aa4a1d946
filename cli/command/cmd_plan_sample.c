/* SPDX-License-Identifier: Apache-2.0 */
/* plan sample -- how many documents to judge, when they are sampled. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frame/cmd.h"
#include "intervale/plan/budget.h"
#include "command/run_operands.h"

typedef struct args {
    const char *pilot;
    int goal, part, unjudged;
    double se, halfwidth;
    int64_t depth, check;
} args;

static const char *const goal_words[] = { "topic", "mean", "difference", NULL };
static const char *const part_words[] = { "judgments", "total", NULL };
static const char *const unjudged_words[] = { "refuse", "nonrelevant", "drop", NULL };

static const opt opts[] = {
    OPT_STR(args, 0, "pilot", "FILE", pilot,
            "judgments to learn from: qrels, or a completed sample"),
    OPT_CHOICE(args, 0, "goal", "WHAT", goal, goal_words,
               "what must be precise: a topic's AP, a run's mean AP, the difference of two "
               "runs' means"),
    OPT_REAL_OPEN(args, 0, "se", "S", se, 0.0, 1.0, "the wanted standard error"),
    OPT_REAL_OPEN(args, 0, "halfwidth", "H", halfwidth, 0.0, 1.0,
                  "or half the width of the wanted interval"),
    OPT_CHOICE(args, 0, "part", "PART", part, part_words,
               "of means: the part that judging everything would remove, or the total, with "
               "the part of the topics"),
    OPT_INT(args, 0, "depth", "N", depth, 1, 100000000,
            "documents of each run and topic that may be drawn: the frame"),
    OPT_INT(args, 0, "check", "N", check, 0, 100000,
            "samples drawn to check and correct a budget, if the pilot is complete; 0: "
            "trust the formula"),
    OPT_CHOICE(args, 0, "unjudged", "WHAT", unjudged, unjudged_words,
               "what to do with documents of a sampled pilot that nobody judged"),
    OPT_END
};

static void put_budget(iv_table *t, const iv_sample_budget *b)
{
    if (b->reached) {
        iv_put_int(t, (int64_t)b->budget);
        iv_put_int(t, (int64_t)b->documents);
    } else {
        iv_put_missing(t);
        iv_put_missing(t);
    }
    iv_put_real(t, b->wanted);
    iv_put_real(t, b->predicted);
    iv_put_real(t, b->achieved);
}

static void put_tables(cmd_context *c, const iv_sample_plan *p)
{
    static const iv_column columns[] = {
        { "goal", IV_TEXT, 0 },      { "for", IV_TEXT, 0 },       { "budget", IV_INTEGER, 0 },
        { "documents", IV_INTEGER, 0 }, { "wanted", IV_REAL, 4 }, { "predicted", IV_REAL, 4 },
        { "achieved", IV_REAL, 4 } };
    static const iv_column topic_columns[] = {
        { "topic", IV_TEXT, 0 },     { "frame", IV_INTEGER, 0 },  { "relevant", IV_REAL, 1 },
        { "budget", IV_INTEGER, 0 }, { "documents", IV_INTEGER, 0 }, { "wanted", IV_REAL, 4 },
        { "predicted", IV_REAL, 4 }, { "achieved", IV_REAL, 4 } };
    static const iv_column curve_columns[] = {
        { "budget", IV_INTEGER, 0 }, { "se_topic", IV_REAL, 4 },  { "se_mean", IV_REAL, 4 },
        { "se_difference", IV_REAL, 4 } };
    static const char *const scopes[] = { "typical", "every" };
    const args *a = c->args;
    iv_table *t = iv_result_table(c->result, "budget", columns, 7);

    for (int k = 0; k < 2; k++) {
        iv_put_text(t, iv_str_of(goal_words[a->goal]));
        iv_put_text(t, iv_str_of(scopes[k]));
        put_budget(t, &p->budget[k]);
    }
    if (p->topics != NULL)
        t = iv_result_table(c->result, "topics", topic_columns, 8);
    for (size_t k = 0; p->topics != NULL && k < p->topic_count; k++) {
        iv_put_text(t, p->topics[k].topic);
        iv_put_int(t, (int64_t)p->topics[k].frame);
        iv_put_real(t, p->topics[k].relevant);
        put_budget(t, &p->topics[k].at);
    }
    t = iv_result_table(c->result, "curve", curve_columns, 4);
    for (size_t k = 0; k < p->curve_count; k++) {
        iv_put_int(t, (int64_t)p->curve[k].budget);
        iv_put_real(t, p->curve[k].topic);
        iv_put_real(t, p->curve[k].mean);
        iv_put_real(t, p->curve[k].difference);
    }
    iv_result_chart(c->result, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "curve", .title = "What judgments buy",
        .caption = "The standard error to expect, over the documents judged of each topic; the "
                   "curve levels off where only more topics would help.",
        .x = "budget", .value = a->goal == 0 ? "se_topic" : a->goal == 1 ? "se_mean"
            : "se_difference",
        .x_axis = { .title = "documents judged a topic" },
        .value_axis = { .title = "standard error" },
        .lines = { { "wanted", p->budget[IV_SCOPE_TYPICAL].wanted, false },
                   { p->budget[IV_SCOPE_TYPICAL].reached ? "the plan" : NULL,
                     (double)p->budget[IV_SCOPE_TYPICAL].budget, true } } });
}

static void answer(cmd_context *c, const iv_sample_plan *p)
{
    static const char *const goals[] = {
        "a topic's average precision", "mean average precision",
        "the difference of two runs in mean average precision" };
    const args *a = c->args;
    const iv_sample_budget *b = &p->budget[IV_SCOPE_TYPICAL];

    if (!b->reached)
        iv_result_answer(c->result, "A standard error of %.4f for %s cannot be had by "
                         "judging: the whole frame leaves %.4f. More topics would help.",
                         b->wanted, goals[a->goal], p->topics_se);
    else if (b->documents == p->frame)
        iv_result_answer(c->result, "A standard error of %.4f on %s needs a census: all %zu "
                         "documents of the frames, up to %zu a topic, must be judged.",
                         b->wanted, goals[a->goal], p->frame, b->budget);
    else
        iv_result_answer(c->result, "Judge %zu documents a topic, %zu of the %zu in the "
                         "frames%s, for a standard error of %.4f on %s.", b->budget,
                         b->documents, p->frame,
                         (double)b->documents >= 0.99 * (double)p->frame
                             ? ", nearly a census" : "", b->wanted, goals[a->goal]);
}

/* What the formula is worth, and whose average precision it is about. */
static void tell_limits(cmd_context *c, const iv_sample_plan *p)
{
    const args *a = c->args;
    const iv_sample_budget *typical = &p->budget[IV_SCOPE_TYPICAL];
    const iv_sample_budget *every = &p->budget[IV_SCOPE_EVERY];

    if (isfinite(typical->factor))
        iv_result_note(c->result, "table 'curve' is the formula, which no sample corrected: at "
                       "%zu documents a topic samples had %.2f times the standard error that it "
                       "predicts", typical->budget, typical->factor);
    if (every->reached && every->documents == p->frame && typical->documents < p->frame)
        iv_result_note(c->result, "for 'every' all documents of the frames must be judged: a "
                       "census");
    if (p->outside > 0)
        iv_result_note(c->result, "the pilot has %zu relevant documents for the runs' topics, %zu "
                       "of them inside the frames of depth %lld: average precision here, and as "
                       "estimated from a sample, is that of the frame, not that of all judgments",
                       p->inside + p->outside, p->inside, (long long)a->depth);
}

static void tell(cmd_context *c, const iv_sample_plan *p)
{
    const args *a = c->args;

    iv_result_note(c->result, "'typical' holds on average over %s, 'every' for the worst of "
                   "them; Stevens' scheme, frame of depth %lld",
                   a->goal == IV_GOAL_DIFFERENCE ? "pairs of runs" : a->goal == IV_GOAL_TOPIC
                   ? "runs and topics" : "runs", (long long)a->depth);
    if (p->complete && a->check > 0)
        iv_result_note(c->result, "'achieved' is the root mean square error over %lld samples "
                       "of that budget from the complete judgments; budgets are corrected "
                       "by it", (long long)a->check);
    else if (!p->complete)
        iv_result_note(c->result, "the pilot is a sample: budgets rest on the formula, which "
                       "tends to be low for small budgets, and on %s",
                       "estimated contributions");
    if (isfinite(p->topics_se))
        iv_result_note(c->result, "judging everything leaves a standard error of %.4f from "
                       "the choice of topics", p->topics_se);
    if (p->without > 0)
        iv_result_note(c->result, "%zu topic%s without a relevant document in the frame %s "
                       "left out", p->without, p->without == 1 ? "" : "s",
                       p->without == 1 ? "is" : "are");
    tell_limits(c, p);
}

static int plan(cmd_context *c, iv_run *const *runs, iv_err *err)
{
    const args *a = c->args;
    const iv_sample_plan_options o = {
        .goal = (iv_sample_goal)a->goal, .depth = (size_t)a->depth,
        .se = a->se > 0.0 ? a->se : 0.0, .halfwidth = a->halfwidth > 0.0 ? a->halfwidth : 0.0,
        .confidence = c->shared->confidence, .total = a->part == 1,
        .check = (size_t)a->check, .seed = c->shared->seed,
        .threads = (int)c->shared->threads };
    iv_judgments *j = NULL;
    iv_sampling *judged = NULL;
    iv_sample_plan p;
    int rc = iv_judgments_load(&j, a->pilot, IV_JUDGMENTS_ANY,
                               &(iv_work){ .threads = o.threads }, err);

    if (rc == IV_OK)
        rc = iv_sampling_new(&judged, j, a->pilot, (iv_unjudged)a->unjudged, err);
    if (rc == IV_OK) {
        iv_result_input(c->result, a->pilot, iv_judgments_bytes(j));
        rc = iv_sample_plan_make(&p, (const iv_run *const *)runs, c->operand_count, judged,
                                 &o, err);
    }
    if (rc == IV_OK) {
        answer(c, &p);
        put_tables(c, &p);
        tell(c, &p);
        iv_sample_plan_clear(&p);
    }
    iv_sampling_free(judged);
    iv_judgments_free(j);
    return rc;
}

static int run(cmd_context *c, iv_err *err)
{
    const args *a = c->args;
    iv_run **runs = NULL;
    int rc;

    if (a->pilot == NULL)
        return cmd_usage(err, "--pilot FILE is needed: judgments to learn from");
    if ((a->se > 0.0) == (a->halfwidth > 0.0))
        return cmd_usage(err, a->se > 0.0 ? "--se and --halfwidth: give one of them"
                                          : "--se or --halfwidth is needed: what is wanted");
    if (a->part == 1 && a->goal == IV_GOAL_TOPIC)
        return cmd_usage(err, "--part total is about means");
    rc = run_operands_load(&runs, c, err);
    if (rc == IV_OK)
        rc = plan(c, runs, err);
    run_operands_free(runs, c);
    return rc;
}

const cmd cmd_plan_sample = {
    .name = "plan sample",
    .group = "Planning",
    .summary = "how many documents to sample for a wanted precision",
    .operands = "RUN...",
    .least = 1,
    .most = CMD_MANY,
    .description =
        "How many documents of each topic must be judged, when 'intervale sample' draws "
        "them, for a wanted standard error (or half the width of an interval) of a topic's "
        "average precision, of mean average precision, or of a difference of two runs in "
        "it? Judgments of the kind of topics that is planned for, complete or a pilot "
        "sample, tell how much each relevant document contributes; the design's exact "
        "probabilities do the rest.\n\n"
        "With complete judgments samples of the budget are drawn, and the budget is "
        "corrected until they give what is wanted: column 'achieved'. Table 'curve' shows "
        "what other budgets would give, by the formula alone (a note says what the check found it to miss); 'topics' has a budget for each topic "
        "where the goal is a topic.",
    .examples = (const cmd_example[]){
        { "intervale plan sample --pilot qrels --se 0.01 runs/*",
          "For a standard error of 0.01 on mean average precision." },
        { "intervale plan sample --pilot judge.txt --goal topic --halfwidth 0.1 runs/*",
          "For intervals of a topic's AP of +- 0.1, learnt from a completed sample." },
        { "intervale plan sample --pilot qrels --goal difference --se 0.01 runs/*",
          "For differences in mean average precision." },
        { NULL, NULL } },
    .opts = opts,
    .defaults = &(const args){ .goal = IV_GOAL_MEAN, .se = (double)NAN,
                               .halfwidth = (double)NAN, .depth = 100, .check = 200 },
    .args_size = sizeof(args),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "budget", "topics", "curve", NULL },
    .run = run,
};
