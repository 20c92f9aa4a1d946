/* SPDX-License-Identifier: Apache-2.0 */
/* plan sample -- how many documents to judge, when they are sampled. */
#include "frame/cmd.h"
#include "intervale/answer.h"

typedef iv_plan_sample_question question;

static const opt opts[] = {
    OPT_STR(question, 0, "pilot", "FILE", from.judgments,
            "judgments to learn from: qrels, or a completed sample"),
    OPT_ENUM(question, 0, "goal", "WHAT", how.goal, iv_sample_goal, iv_sample_goal_names,
             "what must be precise: a run's mean AP, a topic's AP, the difference of two "
             "runs' means"),
    OPT_REAL_OPEN(question, 0, "se", "S", how.se, 0.0, 1.0, "the wanted standard error, of "
                                                            "judgments alone"),
    OPT_REAL_OPEN(question, 0, "halfwidth", "H", how.halfwidth, 0.0, 1.0,
                  "or half the width of the interval that eval gives, for new topics"),
    OPT_FRAME_DEPTH(question, how.depth),
    OPT_INT(question, 0, "topics", "N", how.topics, 1, 1000000,
            "of means: over so many topics like the pilot's", .usual = "as many as the pilot has"),
    OPT_INT(question, 0, "check", "N", how.check, 0, 100000,
            "samples taken to check and correct a budget, if the pilot is complete; 0: "
            "trust the formula", .zero = true, .usual = "200"),
    OPT_ENUM(question, 0, "unjudged", "WHAT", unjudged, iv_unjudged, iv_unjudged_names,
             "what to do with documents of a sampled pilot that nobody judged"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    question *q = c->args;

    if (q->from.judgments == NULL)
        return cmd_usage(err, "--pilot FILE is needed: judgments to learn from");
    if ((q->how.se > 0.0) == (q->how.halfwidth > 0.0))
        return cmd_usage(err, q->how.se > 0.0 ? "--se and --halfwidth: give one of them"
                                              : "--se or --halfwidth is needed: what is wanted");
    q->from.runs = (iv_texts){ (const char *const *)c->operands, c->operand_count };
    return iv_answer_plan_sample(c->result, q, &c->work, err);
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
        "it? Judgments of topics like those that are planned, complete or a pilot "
        "sample, tell how much each relevant document contributes; the design's exact "
        "probabilities do the rest.\n\n"
        "With complete judgments samples of the budget are taken and estimated as eval does, and "
        "the budget is corrected until they give what is wanted: column 'achieved'. Of a pilot "
        "sample the formula is multiplied by what makes it agree, "
        "at the pilot's size, with the standard error that eval estimates. Table 'curve' shows "
        "what other budgets would give, by the formula alone (a note says what the check found it "
        "to miss); 'topics' has a budget for each topic "
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
    .args_size = sizeof(question),
    .confidence = CMD_CONFIDENCE(question, how.confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "budget", "topics", "curve", NULL },
    .run = run,
};
