/* SPDX-License-Identifier: Apache-2.0 */
/* plan sample -- how many documents to judge, when they are sampled. */
#include "frame/cmd.h"

typedef iv_plan_sample_question question;

static const opt opts[] = {
    OPT_STR(question, 0, "pilot", "FILE", from.judgments,
            "judgments to learn from: qrels, or a completed sample"),
    OPT_ENUM(question, 0, "goal", "WHAT", how.goal, iv_sample_goal, iv_sample_goal_names,
             "what to estimate: mean AP of a run, or a difference"),
    OPT_REAL_OPEN(question, 0, "se", "S", how.se, 0.0, 1.0, "standard error to reach; of "
                                                            "sampling documents alone"),
    OPT_REAL_OPEN(question, 0, "halfwidth", "H", how.halfwidth, 0.0, 1.0,
                  "interval half-width to reach; of the interval that 'intervale eval' reports for "
                  "new topics"),
    OPT_FRAME_DEPTH(question, how.depth),
    OPT_INT(question, 0, "topics", "N", how.topics, 1, 1000000,
            "plan for N topics that resemble those of the pilot",
            .usual = "as many as the pilot has"),
    OPT_INT(question, 0, "check", "N", how.check, 0, 100000,
            "number of samples to check and correct the plan. Only if the pilot is complete; 0 "
            "trusts the formula", .zero = true, .usual = "200"),
    OPT_ENUM(question, 0, "unjudged", "WHAT", unjudged, iv_unjudged, iv_unjudged_names,
             "what to do with sampled documents without a judgment"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    question *q = c->args;

    if ((q->how.se > 0.0) == (q->how.halfwidth > 0.0))
        return cmd_usage(err, q->how.se > 0.0 ? "--se and --halfwidth: give one of them"
                                              : "--se or --halfwidth is needed");
    q->from.runs = (iv_texts){ (const char *const *)c->operands, c->operand_count };
    return iv_answer_plan_sample(c->result, q, &c->work, err);
}

const cmd cmd_plan_sample = {
    .name = "plan sample",
    .group = "Planning",
    .summary = "how many documents to sample for a given standard error",
    .operands = "RUN...",
    .least = 1,
    .most = CMD_MANY,
    .description =
        "Plans how many documents of each topic to judge when 'intervale sample' chooses them, "
        "for a given standard error or half-width.\n\n"
        "The goal is mean average precision, or a difference of two runs. Judgments of similar "
        "topics, complete or a pilot sample, show how much each relevant document "
        "contributes.\n\n"
        "With complete judgments, samples of the planned size are taken and estimated as eval "
        "does, and the plan is corrected until they reach the goal (column 'achieved'). With a "
        "pilot sample, the formula is scaled to the standard error that eval estimates at the "
        "pilot's size. Table 'curve' has other budgets, by the formula alone.",
    .examples = (const cmd_example[]){
        { "intervale plan sample --pilot qrels --se 0.01 runs/*",
          "For a standard error of 0.01 on mean average precision." },
        { "intervale plan sample --pilot judge.txt --halfwidth 0.1 runs/*",
          "For intervals of +- 0.1, learnt from a completed sample." },
        { "intervale plan sample --pilot qrels --goal difference --se 0.01 runs/*",
          "For differences in mean average precision." },
        { NULL, NULL } },
    .often = "pilot goal se halfwidth depth topics",
    .pages = "doc/methods/sampling.md",
    .opts = opts,
    CMD_ASKS(question, how.confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .run = run,
};
