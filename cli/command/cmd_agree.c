/* SPDX-License-Identifier: Apache-2.0 */
/* agree -- do judges agree, and do two sets of scores put systems into the same order? */
#include <string.h>

#include "frame/cmd.h"
#include "intervale/answer.h"

typedef iv_agree_question ask;

static const opt opts[] = {
    OPT_HEADING("What is compared"),
    OPT_STR(ask, 0, "orders", "A.csv", a_matrix,
            "a file of scores, systems x topics; the operand is another"),
    OPT_ENUM(ask, 0, "by", "WHAT", by, iv_matrix_rows, iv_matrix_rows_names,
             "what a line of these files is"),
    OPT_STR(ask, 0, "other", "QRELS", other, "other judgments of the same runs"),
    OPT_LIST(ask, 0, "reproduced", "FILE", again,
             "a replicated run; once for each of the runs, in their order"),
    OPT_STR(ask, 'm', "measure", "NAME", measure, "the measure", .usual = "AP"),
    OPT_STR(ask, 0, "other-measure", "NAME", other_measure,
            "the measure of the second scores", .usual = "as --measure"),
    OPT_STR(ask, 0, "baseline", "SYSTEM", baseline,
            "are effects over this one the same? effect ratio, and the first improvement less the second"),
    OPT_HEADING("Judges"),
    OPT_LEVEL(ask, level),
    OPT_INT(ask, 0, "judge-level", "GRADE", judge_level, 0, IV_GRADE_MAX,
            "the lowest grade of a judge that means relevant", .zero = true,
            .usual = "as --level; 1 for labels 0 and 1"),
    OPT_ENUM(ask, 0, "weights", "W", weights, iv_kappa_weights, iv_kappa_weights_names,
             "how much a disagreement on grades counts: all alike, by distance, by its square"),
    OPT_HEADING("Several assessors"),
    OPT_ENUM(ask, 0, "scale", "SCALE", scale, iv_label_scale, iv_label_scale_names,
             "what labels are, for Krippendorff's alpha: words, grades in an order, numbers",
             .usual = "words nominal, up to 16 whole numbers ordinal, else interval"),
    OPT_STR(ask, 0, "strata", "FILE", strata,
            "sizes of the strata that the table's items are of: recall by each assessor"),
    OPT_INTEGERS(ask, 0, "population", "N1,N0", populations, 2, 2, 0.0, 1e12,
                 "documents retrieved and not retrieved, for recall"),
    OPT_HEADING("How"),
    OPT_REAL_OPEN(ask, 'p', "persistence", "P", persistence, 0.0, 1.0,
                  "of rank-biased overlap", .usual = "0.9"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    ask *q = c->args;

    if (q->a_matrix != NULL && (c->operand_count != 1 || q->other != NULL || q->again.count > 0))
        return cmd_usage(err, "--orders takes another file of scores and nothing else to compare");
    if (q->a_matrix != NULL && strcmp(q->a_matrix, "-") == 0 && strcmp(c->operands[0], "-") == 0)
        return cmd_usage(err, "standard input can be read once, and '-' was given 2 times");
    if (q->a_matrix != NULL && (q->measure != NULL || q->level != 0))
        return cmd_usage(err, "--measure and --level are of runs, and the files of --orders have scores");
    bool table = false;
    if (q->a_matrix == NULL && strcmp(c->operands[0], "-") != 0) {
        const int rc = iv_file_is_assessments(&table, c->operands[0], &c->work, err);
        if (rc != IV_OK)
            return rc;
    }
    if (!table && (q->strata != NULL || q->populations.count > 0 || q->scale != IV_SCALE_BY_LABELS))
        return cmd_usage(err, "--scale, --strata and --population need a table with the columns "
                         "item, assessor and label");
    if (table) {
        q->assessors = c->operands[0];
        q->source.runs = (iv_texts){ (const char *const *)c->operands + 1, c->operand_count - 1 };
        return iv_answer_agree(c->result, q, &c->work, err);
    }
    const bool scores = q->other != NULL || q->again.count > 0 || q->other_measure != NULL;
    if (q->a_matrix == NULL && c->operand_count < 2)
        return cmd_usage(err, "nothing beside '%.80s': give labels of a judge, runs with --other or "
                         "--reproduced, or a table with the columns item, assessor and label "
                         "(or item and one for each assessor)", c->operands[0]);
    if (q->a_matrix != NULL) {
        q->b_matrix = c->operands[0];
    } else if (!scores) {
        q->source.judgments = c->operands[0];
        q->beside = (iv_texts){ (const char *const *)c->operands + 1, c->operand_count - 1 };
    } else {
        q->source.judgments = c->operands[0];
        q->source.runs = (iv_texts){ (const char *const *)c->operands + 1, c->operand_count - 1 };
    }
    return iv_answer_agree(c->result, q, &c->work, err);
}

const cmd cmd_agree = {
    .name = "agree",
    .group = "Evaluation",
    .summary = "do judges agree? do two sets of scores order systems alike?",
    .operands = "REFERENCE LABELS... [RUN...] | TABLE [RUN...] | B.csv | QRELS RUN...",
    .least = 1,
    .most = CMD_MANY,
    .description =
        "Labels of judges (machines, assessors) beside a reference: qrels, BEIR, or lines of topic, "
        "document and score; the reference may be a sample, whose documents weigh 1 / pi. Table "
        "judges has, the most informative first: kappa with its interval, sensitivity, "
        "specificity, bias, what a label is worth in labels of the reference, and drift (how far "
        "calibration differs between topics, with p of chance). Tables confusion, calibration and "
        "drift have the pairs of labels, what each label tells, and the topics. Runs among the "
        "operands (recognised by their six columns) are ordered by each judge: Kendall's tau, and "
        "verdicts that change.\n\n"
        "A table with the columns item, assessor and label (other usual names will do; topic, "
        "stratum and retrieved may be beside them), or with a line for each item and a column for "
        "each assessor, tells of several assessors: Krippendorff's alpha "
        "with its interval (table alpha), kappas of pairs, each assessor beside the others, the "
        "majority. Runs are then scored by each assessor's labels and by the majority's (tables "
        "answers and verdicts); where the table says what was retrieved, or with --strata, so is "
        "recall.\n\n"
        "With --orders, --other, --reproduced or --other-measure: two sets of scores of the same systems on the same topics: two files of scores (--orders), as "
        "eval --write-matrix makes them, or with one value of each system, which has an order but "
        "no interval and no tests; runs on two sets of judgments (--other); runs and the "
        "same replicated (--reproduced); or two measures (--other-measure).\n\n"
        "Table orders has Kendall's tau, AP correlation (the first scores are the truth) and "
        "rank-biased overlap of the two orders, on this set of topics and, with an interval, on "
        "all "
        "such topics. Table pairs lists the pairs of systems whose verdict changes: significant "
        "the other way round (flips), no longer (lost), or anew (new). Table systems has ranks "
        "by both and the root mean squared difference of a system's scores (rmse); with "
        "--baseline, table effects has the effect ratio (second by first) and the relative "
        "improvement over the baseline by the first scores less that by the second (delta_ri).",
    .examples = (const cmd_example[]){
        { "intervale agree qrels judged.qrels runs/*",
          "How far do other judgments agree, and do they order runs alike?" },
        { "intervale agree assessed.csv runs/*",
          "How far do several assessors agree, and does it matter to the runs?" },
        { "intervale agree --orders scores.csv pilot.csv",
          "Do two files of scores order their systems alike?" },
        { "intervale agree qrels runs/* --other judged.qrels",
          "Would fewer judgments have given the same order?" },
        { "intervale agree qrels runA runB --reproduced runC --reproduced new --baseline runA",
          "Was the effect of runB over runA reproduced?" },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(ask),
    .confidence = CMD_CONFIDENCE(ask, confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "alpha", "assessors", "kappas", "majority", "answers", "verdicts", "judges", "confusion", "calibration", "drift", "orders", "systems", "pairs", "effects", NULL },
    .run = run,
};
