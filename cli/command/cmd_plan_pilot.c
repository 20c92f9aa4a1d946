/* SPDX-License-Identifier: Apache-2.0 */
/* plan pilot -- from a few judged topics to the whole experiment. */
#include "frame/cmd.h"

typedef iv_plan_pilot_question question;

static const opt opts[] = {
    OPT_HEADING("What is wanted"),
    OPT_REAL(question, 0, "topics", "N", how.topics, 1.0, 1e6,
             "number of topics of the planned comparison (default: 25)"),
    OPT_REAL(question, 0, "effect", "H", effect, 0.0, 1.0,
             "effect to detect: proportion of topics won minus lost. Instead of --topics",
             .zero = true),
    OPT_REAL_OPEN(question, 0, "power", "P", power, 0.0, 1.0,
                  "power of the one-sided sign test", .usual = "0.8"),
    OPT_REAL_OPEN(question, 0, "alpha", "A", alpha, 0.0, 1.0,
                  "significance level of the test", .usual = "0.05"),
    OPT_PRICES(question, how.prices, "existing topics, which cost nothing"),
    OPT_HEADING("The pilot"),
    OPT_STR(question, 0, "relevance", "P", relevance,
            "probability that an unjudged document is relevant. Or 'rank': estimated from "
            "the pilot by rank", .usual = "0.5"),
    OPT_ENUM(question, 0, "judge", "HOW", how.order, iv_judging_order, iv_judging_order_names,
             "order of judging: by 'intervale next', or by pools. Pools grow in depth"),
    OPT_ENUM(question, 0, "unjudged", "WHAT", how.no_answer, iv_no_answer, iv_no_answer_names,
             "what to do with documents not judged in the pilot. Refuse, count as nonrelevant, "
             "or never ask for them"),
    OPT_DEPTH(question, depth),
    OPT_LEVEL(question, level),
    OPT_INT(question, 0, "samples", "N", how.replicates, 1, 10000,
            "number of samples for each number of topics", .usual = "20"),
    OPT_INT(question, 0, "forecasts", "N", how.forecasts, 10, 1000000,
            "number of simulated experiments for the interval", .usual = "500"),
    OPT_FORMATS(question, from, "JUDGMENTS"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    question *q = c->args;

    cmd_take_runs(&q->from, c);
    return iv_answer_plan_pilot(c->result, q, &c->work, err);
}

const cmd cmd_plan_pilot = {
    .name = "plan pilot",
    .group = "Planning",
    .summary = "how many judgments a comparison needs, from a pilot",
    .operands = "JUDGMENTS RUN RUN",
    .least = 2,
    .most = 3,
    .description =
        "Estimates from a pilot of about ten topics how many judgments a comparison of two runs "
        "needs.\n\n"
        "Judging is simulated on the pilot's topics and on samples of them, until the sign of "
        "the difference is certain. The answer is the mean number of judgments for so many "
        "topics (--topics), with an interval, beside the size of their pool. Table 'training' has "
        "the judgments needed for lower confidences; table 'model' has the fitted curve, for "
        "'plan cost'. An interval from a few topics is wide, and says nothing about different "
        "topics.",
    .examples = (const cmd_example[]){
        { "intervale plan pilot --unjudged nonrelevant pilot.qrels runA runB",
          "Topics are free, judgments are not." },
        { "intervale plan pilot --effect 0.35 --power 0.8 --topic-cost 20 --unjudged skip "
          "pilot.qrels runA runB", "A topic costs as much as twenty judgments." },
        { NULL, NULL } },
    .opts = opts,
    CMD_ASKS(question, how.confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .run = run,
};
