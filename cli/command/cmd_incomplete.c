/* SPDX-License-Identifier: Apache-2.0 */
/* incomplete -- which run is better, as far as the judgments go? */
#include "frame/cmd.h"

typedef iv_incomplete_question question;

static const opt opts[] = {
    OPT_STR(question, 'm', "measure", "NAME", measure,
            "measure to compare, such as nDCG@10, P@10 or RR", .usual = "AP"),
    OPT_STR(question, 0, "baseline", "RUN", baseline,
            "run to compare the others with, instead of all pairs; by name or file"),
    OPT_RELEVANCE(question),
    OPT_ENUM(question, 0, "alternative", "SIDE", alternative, iv_alternative,
             iv_alternative_names, "side of the sign test: two-sided or one-sided"),
    OPT_DEPTH(question, depth),
    OPT_LEVEL(question, level),
    OPT_FORMATS(question, from, "JUDGMENTS"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    question *q = c->args;

    cmd_take_runs(&q->from, c);
    return iv_answer_incomplete(c->result, q, &c->work, err);
}

const cmd cmd_incomplete = {
    .name = "incomplete",
    .group = "Evaluation",
    .summary = "which run is better while judgments are missing?",
    .operands = "JUDGMENTS RUN RUN...",
    .least = 2,
    .most = CMD_MANY,
    .description =
        "Estimates for each pair of runs which one is better, and with what probability, when "
        "only some documents are judged.\n\n"
        "An unjudged document is relevant with a probability that is estimated from the judged "
        "ones. Columns 'expected' and 'sd' are the mean and standard deviation of the difference "
        "in the mean of the measure; p_less is the probability that it is below 0. "
        "effect_adjusted is the sign test's effect (proportion of topics won minus proportion "
        "lost) reduced by that uncertainty; topics_adjusted is the number of topics that would "
        "restore its power. Table 'signs' has the sign test.\n\n"
        "JUDGMENTS may be an empty file. Only topics that all runs and the judgments have are "
        "used. 'intervale next' lists what to judge next.",
    .examples = (const cmd_example[]){
        { "intervale incomplete qrels runA runB",
          "How sure is the difference, with the judgments there are?" },
        { "intervale incomplete -m nDCG@10 qrels runA runB", "By another measure." },
        { "intervale incomplete --baseline runA qrels runA runB runC", "Each run against a "
                                                                       "baseline." },
        { NULL, NULL } },
    .often = "measure baseline depth level",
    .pages = "doc/methods/incomplete.md",
    .opts = opts,
    CMD_ASKS(question, confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .run = run,
};
