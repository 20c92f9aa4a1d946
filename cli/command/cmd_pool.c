/* SPDX-License-Identifier: Apache-2.0 */
/* pool -- are the judgments fair to a run that did not contribute to them? */
#include "frame/cmd.h"

typedef iv_pool_question question;

static const opt opts[] = {
    OPT_STR(question, 'm', "measure", "NAME", measure, "measure to score runs by", .usual = "AP"),
    OPT_INT(question, 'k', "top", "K", depth, 1, INT64_MAX,
            "top documents of each topic that a run contributed", .usual = "10"),
    OPT_STR(question, 0, "groups", "FILE", groups,
            "exclude groups of runs together. A table with the columns run and group"),
    OPT_LEVEL(question, level),
    OPT_FORMATS(question, from, "JUDGMENTS"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    question *q = c->args;

    cmd_take_runs(&q->from, c);
    return iv_answer_pool(c->result, q, &c->work, err);
}

const cmd cmd_pool = {
    .name = "pool",
    .group = "Evaluation",
    .summary = "are the judgments fair to a run that was not pooled?",
    .operands = "JUDGMENTS RUN RUN...",
    .least = 3,
    .most = CMD_MANY,
    .description =
        "Excludes the runs one after the other. Judged documents that only the excluded run has "
        "among its top documents count as unjudged, and its score and rank are computed again. "
        "If scores fall much, the judgments are unfair to new runs.\n\n"
        "Runs of one team are often alike: --groups excludes them together.",
    .examples = (const cmd_example[]){
        { "intervale pool -m nDCG@10 qrels runA runB runC",
          "How much does each run depend on its own part of the pool?" },
        { NULL, NULL } },
    .often = "measure top groups level",
    .pages = "doc/methods/incomplete.md",
    .opts = opts,
    .args_size = sizeof(question),
    .shared = SHARED_THREADS | SHARED_REPORT,
    .run = run,
};
