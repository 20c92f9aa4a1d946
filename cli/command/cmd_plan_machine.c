/* SPDX-License-Identifier: Apache-2.0 */
/* plan machine -- how much to judge when a machine labels all? */
#include "frame/score_operands.h"

typedef iv_plan_machine_question ask;

static const opt opts[] = {
    OPT_STR(ask, 0, "pilot", "QRELS", source.judgments,
            "human labels of sampled documents or of whole topics"),
    OPT_LIST(ask, 0, "machine", "LABELS", machine.files, "automatic labels of all documents"),
    OPT_ENUM(ask, 0, "human-design", "D", machine.design, iv_human_design, iv_human_design_names,
             "design of the pilot's sample; as in 'intervale eval'"),
    OPT_INT(ask, 0, "machine-level", "GRADE", machine.level, 0, IV_GRADE_MAX,
            "lowest automatic label that counts as relevant", .zero = true,
            .usual = "as --level; 1 for labels 0 and 1"),
    OPT_REAL_OPEN(ask, 0, "width", "W", width, 0.0, 1e6, "interval width to reach"),
    OPT_LIST(ask, 'm', "measure", "NAME", measures, "measure to estimate", .usual = "AP"),
    OPT_LEVEL(ask, level),
    OPT_HEADING("Scores of answers"),
    OPT_SCORES(ask, scores),
    OPT_STR(ask, 0, "human-labels", "FILE", machine.human_labels,
            "human labels of a pilot, instead of --columns human=NAME"),
    OPT_STR(ask, 0, "baseline", "SYSTEM", baseline, "plan for differences from this system"),
    OPT_REAL_OPEN(ask, 0, "margin", "D", margin, 0.0, 1e300,
                  "margin of a gate that an equal system is to pass; instead of --width"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    ask *q = c->args;
    const int rc = cmd_take_scores(&q->scores, NULL, c, err);

    if (rc != IV_OK)
        return rc;
    if (q->scores.given)
        return iv_answer_plan_machine(c->result, q, &c->work, err);
    if (c->operand_count == 0)
        return cmd_usage(err, "the runs are missing, or --scores FILE");
    if (q->source.judgments == NULL || q->machine.files.count == 0 || q->width == 0.0)
        return cmd_usage(err, "--pilot QRELS, --machine LABELS and --width W are needed");
    q->source.runs = (iv_texts){ (const char *const *)c->operands, c->operand_count };
    return iv_answer_plan_machine(c->result, q, &c->work, err);
}

const cmd cmd_plan_machine = {
    .name = "plan machine",
    .group = "Planning",
    .summary = "how many human labels to add to automatic labels",
    .operands = "RUN... | --scores FILE...",
    .most = CMD_MANY,
    .description =
        "Plans how many documents people must label for an interval of given width, with and "
        "without automatic labels.\n\n"
        "It needs a pilot of human labels, and automatic labels of all documents. With "
        "--human-design random or by-topic the answer is a number of documents, in all and for "
        "each topic; with topics, a number of whole topics.\n\n"
        "With --scores, a judge scored all answers and people labelled some: the answer is the "
        "number of human labels for an interval, or for a gate's margin. Table 'next' has the "
        "scores with strata of the judge's scores, and the answers to label next: people fill in "
        "the column human, and compare reads it (--human-design strata --columns "
        "human=human,stratum=stratum).",
    .examples = (const cmd_example[]){
        { "intervale plan machine --pilot sampled.qrels --machine full.qrels --human-design random "
          "--width 0.1 runs/*", "How many random documents must people label, beside automatic "
                                "labels?" },
        { "intervale plan machine --pilot pilot.qrels --machine full.qrels --width 0.1 runs/*",
          "How many whole topics?" },
        { "intervale plan machine --scores answers.csv --columns score=judge,human=human "
          "--human-design random --baseline old --margin 0.05",
          "How many answers must people label to gate the new system?" },
        { NULL, NULL } },
    .opts = opts,
    CMD_ASKS(ask, confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .run = run,
};
