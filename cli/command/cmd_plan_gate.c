/* SPDX-License-Identifier: Apache-2.0 */
/* plan gate -- items for a gate, from a pilot or from numbers. */
#include "frame/score_operands.h"

typedef iv_plan_gate_question question;

static const opt opts[] = {
    OPT_REAL(question, 0, "margin", "D", margin, 0.0, 1e300, "allowed loss of the gate"),
    OPT_REAL(question, 0, "loss", "L", loss, 0.0, 1e300,
             "loss to find, larger than the margin"),
    OPT_REAL_OPEN(question, 0, "power", "P", power, 0.0, 1.0,
                  "power to reach: of PASS if nothing changed. Also of FAIL at the loss",
                  .usual = "0.8"),
    OPT_INT(question, 0, "candidates", "K", candidates, 1, 1000,
            "number of candidates that the gate compares with the baseline",
            .usual = "1, or those of the pilot with --baseline"),
    OPT_HEADING("From a pilot"),
    OPT_LIST(question, 'm', "measure", "NAME", scoring.measures,
             "measure of the scores, or to score the runs by (default: AP)"),
    OPT_FLAG(question, 'c', "complete", scoring.complete, "count missing items as 0"),
    OPT_SCORES(question, scores),
    OPT_STR(question, 0, "baseline", "SYSTEM", baseline,
            "plan for the others against SYSTEM. By default, the pair that varies most is "
            "planned for"),
    OPT_HEADING("From numbers"),
    OPT_REAL_OPEN(question, 0, "rate", "R", rate, 0.0, 1.0,
                  "proportion of items with score 1, of scores 0 and 1"),
    OPT_REAL(question, 0, "sd", "S", sd, 0.0, 1e300, "standard deviation of graded scores"),
    OPT_REAL(question, 0, "correlation", "C", correlation, -1.0, 1.0,
             "correlation of two versions' scores on the same item"),
    OPT_INT(question, 0, "repeats", "N", repeats, 1, 1000000,
            "scores of each version on each item", .usual = "1"),
    OPT_REAL(question, 0, "repeat-sd", "S", repeat_sd, 0.0, 1e300,
             "standard deviation of a version's mean from repeat to repeat, such as seeds"),
    OPT_REAL(question, 0, "cluster-size", "M", cluster_size, 1.0, 1e9,
             "items of a cluster, such as questions about one document", .usual = "1"),
    OPT_REAL(question, 0, "icc", "C", icc, 0.0, 1.0,
             "correlation of differences within a cluster"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    question *q = c->args;

    q->scores.given = q->scores.given || c->operand_count == 1;
    if (c->operand_count == 0)
        return iv_answer_plan_gate(c->result, q, &c->work, err);
    const int rc = cmd_take_scores(&q->scores, NULL, c, err);
    if (rc != IV_OK)
        return rc;
    if (q->scores.given)
        return iv_answer_plan_gate(c->result, q, &c->work, err);
    if (c->operand_count == 2)
        return cmd_usage(err, "one run: expected SCORES, or JUDGMENTS and at least two runs");
    cmd_take_runs(&q->from, c);
    return iv_answer_plan_gate(c->result, q, &c->work, err);
}

const cmd cmd_plan_gate = {
    .name = "plan gate",
    .group = "Planning",
    .summary = "how many items a gate needs to pass",
    .operands = "[SCORES | JUDGMENTS RUN RUN... | --scores FILE...]",
    .most = CMD_MANY,
    .description =
        "Plans how many items let a gate pass with probability 0.8 if nothing changed, and which "
        "loss these items find.\n\n"
        "The gate is that of 'intervale compare --gate'. A pilot shows how much two versions "
        "differ from item to item; of several pairs, the one that varies most counts. Without a "
        "pilot, give --rate or --sd. Scores of 0 and 1 are planned exactly up to 1,000 items, "
        "others by the noncentral t distribution. A table with repeats also shows how many items "
        "are needed with fewer and more repeats.",
    .examples = (const cmd_example[]){
        { "intervale plan gate --margin 0.03 pilot.csv",
          "From the scores of a pilot, or of a night." },
        { "intervale plan gate --margin 0.03 --rate 0.8 --correlation 0.7 --loss 0.06",
          "0/1 scores, 80 % of them 1." },
        { "intervale plan gate --margin 0.02 --sd 0.25 --correlation 0.6 --candidates 3",
          "Graded scores, three candidates." },
        { NULL, NULL } },
    .often = "margin loss power rate sd correlation baseline",
    .pages = "doc/gate.md",
    .opts = opts,
    CMD_ASKS(question, confidence),
    .shared = SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .run = run,
};
