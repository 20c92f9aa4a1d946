/* SPDX-License-Identifier: Apache-2.0 */
/* agree -- do judges agree, and do two sets of scores put systems into the same order? */
#include "frame/score_operands.h"

typedef iv_agree_question ask;

static const opt opts[] = {
    OPT_HEADING("What is compared"),
    OPT_STR(ask, 0, "orders", "FILE", a_matrix,
            "first of two score tables to compare. Both are systems x topics"),
    OPT_ENUM(ask, 0, "by", "WHAT", by, iv_score_rows, iv_score_rows_names,
             "meaning of a row of the two tables: a system or a topic"),
    OPT_STR(ask, 0, "other", "QRELS", other,
            "second judgments to rank the runs by. Do they rank them as REFERENCE does?"),
    OPT_LIST(ask, 0, "reproduced", "FILE", again,
             "reproduced run, to compare with the original RUN; give one for each run, in the "
             "same order"),
    OPT_STR(ask, 'm', "measure", "NAME", measure, "measure to score runs by", .usual = "AP"),
    OPT_STR(ask, 0, "other-measure", "NAME", other_measure,
            "measure for the second set of scores", .usual = "as --measure"),
    OPT_STR(ask, 0, "baseline", "SYSTEM", baseline,
            "compare improvements over SYSTEM by both scores. Shows the effect ratio, and "
            "the relative gain by the first scores minus that by the second"),
    OPT_HEADING("Judges"),
    OPT_INT(ask, 'l', "level", "GRADE", level, 0, IV_GRADE_MAX,
            "lowest grade of the REFERENCE that counts as relevant", .zero = true, .usual = "1"),
    OPT_INT(ask, 0, "judge-level", "GRADE", judge_level, 0, IV_GRADE_MAX,
            "lowest grade of the other labels that counts as relevant", .zero = true,
            .usual = "as --level; 1 for labels 0 and 1"),
    OPT_ENUM(ask, 0, "weights", "W", weights, iv_kappa_weights, iv_kappa_weights_names,
             "weights of disagreements. The same for all, growing with the distance of the "
             "grades, or with its square"),
    OPT_HEADING("Several assessors"),
    OPT_ENUM(ask, 0, "scale", "SCALE", scale, iv_label_scale, iv_label_scale_names,
             "type of labels, for Krippendorff's alpha. Names, ordered grades or numbers",
             .usual = "words are nominal, up to 16 different whole numbers ordinal, others "
                      "interval"),
    OPT_HEADING("Judges in a table of scores"),
    OPT_FLAG(ask, 0, "scores", scores.given,
             "a table with the scores of judges, one per answer (doc/formats.md)"),
    OPT_LIST(ask, 0, "columns", "ROLE=NAME,...", scores.from.columns,
             "names of its columns, as in 'intervale eval'. Several score columns are several "
             "judges; human is the label by people; group makes groups"),
    OPT_ENUM(ask, 0, "human-design", "D", machine.design, iv_human_design, iv_human_design_names,
             "design of the sample of human labels; as in 'intervale eval'"),
    OPT_STR(ask, 0, "human-labels", "FILE", machine.human_labels,
            "human labels, instead of --columns human=NAME"),
    OPT_HEADING("Method"),
    OPT_REAL_OPEN(ask, 'p', "persistence", "P", persistence, 0.0, 1.0,
                  "persistence of rank-biased overlap", .usual = "0.9"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    ask *q = c->args;

    if (q->scores.given) {
        const int rc = cmd_take_scores(&q->scores, NULL, c, err);
        return rc != IV_OK ? rc : iv_answer_agree(c->result, q, &c->work, err);
    }
    if (q->a_matrix != NULL && c->operand_count != 1)
        return cmd_usage(err, "--orders takes another file of scores and nothing else to compare");
    bool table = false;
    if (q->a_matrix == NULL && strcmp(c->operands[0], "-") != 0) {
        const int rc = iv_file_is_assessments(&table, c->operands[0], &c->work, err);
        if (rc != IV_OK)
            return rc;
    }
    if (table) {
        q->assessors = c->operands[0];
        q->source.runs = (iv_texts){ (const char *const *)c->operands + 1, c->operand_count - 1 };
        return iv_answer_agree(c->result, q, &c->work, err);
    }
    const bool scores = q->other != NULL || q->again.count > 0 || q->other_measure != NULL;
    if (q->a_matrix == NULL && c->operand_count < 2)
        return cmd_usage(err, "'%.80s' alone cannot be compared: also give labels of a judge, or "
                         "runs with --other or --reproduced; or give a table with the columns "
                         "item, assessor and label (or item and one for each assessor)",
                         c->operands[0]);
    if (q->a_matrix != NULL) {
        q->b_matrix = c->operands[0];
    } else if (!scores) {
        q->source.judgments = c->operands[0];
        q->beside = (iv_texts){ (const char *const *)c->operands + 1, c->operand_count - 1 };
    } else {
        cmd_take_runs(&q->source, c);
    }
    return iv_answer_agree(c->result, q, &c->work, err);
}

const cmd cmd_agree = {
    .name = "agree",
    .group = "Evaluation",
    .summary = "how well do judges, or two rankings of systems, agree?",
    .operands = "REFERENCE [LABELS...] [RUN...] | TABLE | --orders FILE SECOND-TABLE | "
                "--scores FILE...",
    .least = 1,
    .most = CMD_MANY,
    .description =
        "Measures agreement between judges, between automatic labels and a reference, or between "
        "two rankings of systems.\n\n"
        "A reference and labels: qrels, BEIR, or lines of topic, document and score. The "
        "reference may be a sample; its documents are then weighted by the inverse of their "
        "inclusion probability. Table 'judges' "
        "has kappa with its interval, sensitivity, specificity, bias and drift (how far "
        "calibration differs between topics). Tables 'confusion' and 'calibration' have the "
        "details. RUNs are scored by each judge's labels.\n\n"
        "A table of several assessors has the columns item, assessor and label, or one column "
        "for each assessor. It gives Krippendorff's alpha (table 'alpha'), kappas of pairs, the "
        "majority's labels, and the agreement of each assessor with the others.\n\n"
        "A table of scores (--scores) by judges, with human labels of some answers or without: "
        "table 'bias' has judge - people, table 'agreement' pairs of judges, table 'groups' where "
        "the bias differs: by system, and by group (--columns group=NAME). Scores of two dates "
        "(--columns measure=DATE) are two judges: their difference is drift.\n\n"
        "Two sets of scores of the same systems and topics: two files (--orders), two sets of "
        "judgments (--other), reproduced runs (--reproduced) or two measures (--other-measure). "
        "Table 'orders' has Kendall's tau, AP correlation and rank-biased overlap. Table 'pairs' "
        "has the pairs whose significance changes. Table 'systems' has ranks and the root mean "
        "squared difference; with --baseline, table 'effects' has the effect ratio and the "
        "difference of relative improvements.",
    .examples = (const cmd_example[]){
        { "intervale agree qrels judged.qrels runs/*",
          "How far do other judgments agree, and do they order runs alike?" },
        { "intervale agree assessed.csv", "How far do several assessors agree?" },
        { "intervale agree --scores answers.csv --columns score=judge,human=human,group=kind "
          "--human-design random", "Is the judge biased, and for which kind of answers?" },
        { "intervale agree --orders scores.csv pilot.csv",
          "Do two files of scores order their systems alike?" },
        { "intervale agree qrels runs/* --other judged.qrels",
          "Would fewer judgments have given the same order?" },
        { "intervale agree qrels runA runB --reproduced runC --reproduced new --baseline runA",
          "Was the effect of runB over runA reproduced?" },
        { NULL, NULL } },
    .often = "orders other reproduced measure level weights scale baseline",
    .pages = "doc/methods/rankings.md, doc/methods/machine.md",
    .opts = opts,
    CMD_ASKS(ask, confidence),
    .shared = SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .run = run,
};
