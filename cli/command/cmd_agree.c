/* SPDX-License-Identifier: Apache-2.0 */
/* agree -- do two sets of scores put systems into the same order? */
#include "frame/cmd.h"
#include "intervale/answer.h"

typedef struct ask {
    iv_agree_question q;
    bool orders;
} ask;

static const opt opts[] = {
    OPT_HEADING("What is compared"),
    OPT_FLAG(ask, 0, "orders", orders, "the operands are two files of scores, A.csv and B.csv"),
    OPT_ENUM(ask, 0, "by", "WHAT", q.by, iv_matrix_rows, iv_matrix_rows_names,
             "what a line of these files is"),
    OPT_STR(ask, 0, "other", "QRELS", q.other, "other judgments of the same runs"),
    OPT_LIST(ask, 0, "reproduced", "RUN", q.again,
             "a run made again; once for each RUN, in their order"),
    OPT_STR(ask, 'm', "measure", "NAME", q.measure, "the measure", .usual = "AP"),
    OPT_STR(ask, 0, "other-measure", "NAME", q.other_measure,
            "the measure of the second scores", .usual = "as --measure"),
    OPT_STR(ask, 0, "baseline", "SYSTEM", q.baseline,
            "are effects over this one the same? effect ratio and change of improvement"),
    OPT_HEADING("How"),
    OPT_REAL_OPEN(ask, 'p', "persistence", "P", q.how.persistence, 0.0, 1.0,
                  "of rank-biased overlap", .usual = "0.9"),
    OPT_INT(ask, 0, "draws", "N", q.how.draws, 100, 10000000, "draws of the systems' means",
            .usual = "10000"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    ask *a = c->args;

    if (a->orders && (c->operand_count != 2 || a->q.other != NULL || a->q.again.count > 0))
        return cmd_usage(err, "--orders takes two files of scores and nothing else to compare");
    if (a->orders) {
        a->q.a_matrix = c->operands[0];
        a->q.b_matrix = c->operands[1];
    } else {
        a->q.source.judgments = c->operands[0];
        a->q.source.runs = (iv_texts){ (const char *const *)c->operands + 1,
                                       c->operand_count - 1 };
    }
    return iv_answer_agree(c->result, &a->q, &c->work, err);
}

const cmd cmd_agree = {
    .name = "agree",
    .group = "Evaluation",
    .summary = "do two sets of scores order systems alike? was a run reproduced?",
    .operands = "{--orders A.csv B.csv | QRELS RUN...}",
    .least = 2,
    .most = CMD_MANY,
    .description =
        "Two sets of scores of the same systems on the same topics: two files of scores, as "
        "eval --write-matrix makes them; runs on two sets of judgments (--other); runs and the "
        "same made again (--reproduced); or two measures (--other-measure).\n\n"
        "Table orders has Kendall's tau, AP correlation (the first scores are the truth) and "
        "rank-biased overlap of the two orders, on these topics and, with an interval, on all "
        "such topics. Table pairs lists the pairs of systems whose verdict changes: significant "
        "the other way round (flips), no longer (lost), or anew (new). Table systems has ranks "
        "by both and the root mean squared difference of a system's scores (rmse); with "
        "--baseline, table effects has the effect ratio and the change of the relative "
        "improvement over the baseline.",
    .examples = (const cmd_example[]){
        { "intervale agree --orders scores.csv pilot.csv",
          "Do two files of scores order their systems alike?" },
        { "intervale agree qrels runs/* --other judged.qrels",
          "Would fewer judgments have given the same order?" },
        { "intervale agree qrels runA runB --reproduced runC --reproduced new --baseline runA",
          "Was the effect of runB over runA reproduced?" },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(ask),
    .confidence = CMD_CONFIDENCE(ask, q.how.confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "orders", "systems", "pairs", "effects", NULL },
    .run = run,
};
