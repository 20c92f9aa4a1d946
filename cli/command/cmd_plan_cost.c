/* SPDX-License-Identifier: Apache-2.0 */
/* plan cost -- many topics with few judgments, or few with many? */
#include "frame/cmd.h"

typedef iv_plan_cost_question question;

static const opt opts[] = {
    OPT_NUMBERS(question, 0, "coefficients", "G,G,G", coefficients, 3, 3, -100.0, 100.0,
                "coefficients of the judgment model, instead of PILOT. They are g0, g1 and g2: the "
                "number of judgments is exp(g0 + g1 log certainty + g2 log topics)"),
    OPT_REAL(question, 0, "topics", "N", topics, 1.0, 1e6,
             "fully judged topics that would give enough power", .usual = "25"),
    OPT_NUMBERS(question, 0, "error-costs", "CA,CB", errors, 2, 2, 0.0, 1e12,
                "costs of a false positive and a false negative of the test. In judgments, instead "
                "of --topics; level, power and topics follow"),
    OPT_REAL(question, 0, "effect", "H", effect, 0.0, 1.0,
             "effect to detect: proportion of topics won minus lost"),
    OPT_PRICES(question, prices, "existing topics, which cost nothing"),
    OPT_REAL(question, 0, "certainty", "L", certainty, 0.5, 1.0,
             "certainty to reach in each topic about the better run. A probability; default: the "
             "cheapest one"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    question *q = c->args;

    q->pilot = c->operands[0];
    return iv_answer_plan_cost(c->result, q, &c->work, err);
}

const cmd cmd_plan_cost = {
    .name = "plan cost",
    .group = "Planning",
    .summary = "the cheapest mix of topics and judgments",
    .operands = "[PILOT]",
    .most = 1,
    .description =
        "Finds the cheapest mix of topics and judgments that has the power of N fully judged "
        "topics (--topics N). PILOT is table 'training' of 'intervale plan pilot'.\n\n"
        "PILOT has the columns certainty, topics and judgments. The number of judgments "
        "j = exp(g0 + g1 log certainty + g2 log topics) is fitted by Poisson regression. With a "
        "certainty below 1, the same power needs 1 / (2 certainty - 1)^2 times as many topics.\n\n"
        "Column 'cost' uses unrounded numbers of topics. Columns 'lower' and 'upper' are an "
        "interval for the mean number of judgments; single experiments vary far more. r2 is the "
        "proportion of the null deviance explained.",
    .examples = (const cmd_example[]){
        { "intervale plan cost pilot.csv", "Fit and minimise; topics are free." },
        { "intervale plan cost --topic-cost 20 --free-topics 249 pilot.csv",
          "Topics beyond 249 cost as much as twenty judgments." },
        { NULL, NULL } },
    .often = "topics topic-cost judgment-cost free-topics certainty",
    .opts = opts,
    CMD_ASKS(question, confidence),
    .shared = SHARED_CONFIDENCE | SHARED_REPORT,
    .run = run,
};
