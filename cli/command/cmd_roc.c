/* SPDX-License-Identifier: Apache-2.0 */
/* roc -- how good are the scores of classifiers? */
#include "frame/cmd.h"

typedef iv_roc_question ask;

static const opt opts[] = {
    OPT_STR(ask, 0, "gold", "NAME", gold, "name of the gold column. Default: gold, label, truth, "
                                          "y_true or target"),
    OPT_STR(ask, 0, "positive", "LABEL", positive,
            "label of positive items. Default: 1; not for three or more classes"),
    OPT_LIST(ask, 0, "system", "NAME", named,
             "use only the columns of system NAME. For three or more classes, NAME is what "
             "precedes the class: A in A_cat"),
    OPT_LIST(ask, 0, "columns", "group=NAME,...", columns,
             "columns that put items into groups, such as group=region: adds tables groups and "
             "gaps"),
    OPT_ENUM(ask, 0, "choose", "GOAL", goal, iv_threshold_goal, iv_threshold_goal_names,
             "goal for which the best threshold is chosen"),
    OPT_STR(ask, 0, "cost", "fp=A,fn=B", cost,
            "what a false positive and a false negative cost: adds the threshold that costs least"),
    OPT_LIST(ask, 0, "least", "METRIC=X", least,
             "least recall or precision, such as recall=0.9: adds the threshold that reaches it "
             "with the fewest items, or with the most hits"),
    OPT_INT(ask, 0, "capacity", "N", capacity, 1, 1000000000000,
            "number of items that can be looked at: adds the threshold of the top N"),
    OPT_NUMBERS(ask, 0, "threshold", "X,...", fixed, 1, 100, -1e300, 1e300,
                "thresholds that were fixed before: shows precision and recall with exact limits"),
    OPT_INT(ask, 0, "bins", "N", bins, 2, 1000, "number of bins for the calibration error",
            .usual = "10"),
    OPT_INT(ask, 0, "resamples", "N", resamples, 100, 10000000,
            "number of bootstrap resamples, for thresholds and curves", .usual = "2000"),
    OPT_HEADING("Gate"),
    OPT_STR(ask, 0, "measure", "NAME", measure,
            "measure that is tested: AUC, Brier or log_loss. For three or more classes only "
            "AUC", .usual = "AUC"),
    OPT_STR(ask, 0, "baseline", "SYSTEM", baseline,
            "system that --gate compares the others with", .usual = "the first"),
    OPT_REAL(ask, 0, "margin", "D", margin, 0.0, 1e300,
             "how much worse --gate allows a system to be", .zero = true),
    OPT_STR(ask, 0, "reference", "GROUP", gaps.reference,
            "group that the others are compared with", .usual = "the rest of the items"),
    OPT_REAL(ask, 0, "max-gap", "D", gaps.most, 1e-9, 1e300,
             "test that the values of no two groups differ by D or more"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    ask *q = c->args;

    q->file = c->operands[0];
    q->not_worse = c->shared->gate && (q->gaps.most == 0.0 || q->margin != 0.0);
    if (q->not_worse && q->margin == 0.0)
        return cmd_usage(err, "--gate needs --margin D, the loss that is allowed, or --max-gap D");
    return iv_answer_roc(c->result, q, &c->work, err);
}

const cmd cmd_roc = {
    .name = "roc",
    .group = "Evaluation",
    .summary = "AUC, calibration and thresholds of classifiers' scores",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .description =
        "Computes AUC, average precision, calibration and thresholds of classifiers that give "
        "scores, with intervals.\n\n"
        "FILE is a table with a header: a gold column (0 or 1, or --positive LABEL against the "
        "rest), and a column of scores for each system. A column 'id' is optional. Higher scores "
        "mean positive.\n\n"
        "Table 'measures' has AUC, average precision and, where scores are probabilities, Brier "
        "score, logarithmic loss and expected calibration error (ECE). Table 'pairs' compares "
        "systems on the same items: DeLong's test of AUC, paired t tests of the losses, Holm's "
        "correction. --choose f1 adds the best threshold and what to expect of it on new items. "
        "HTML reports draw ROC and precision-recall curves.\n\n"
        "With three or more classes, each class has a column of scores, as predict_proba gives "
        "them (cat, p_cat, cat_prob; A_cat and B_cat are two systems). Table 'classes' then has "
        "the AUC of each class against the rest, with macro and weighted averages.\n\n"
        "With --gate and --margin D the exit status is 0 when no system is worse than the "
        "baseline by more than D, 3 when one is, 4 when this is inconclusive.",
    .examples = (const cmd_example[]){
        { "intervale roc probabilities.csv", "AUC, average precision and calibration." },
        { "intervale roc --choose youden --format html -o roc.html probabilities.csv",
          "Curves with bands, in a page; the threshold by Youden's index." },
        { "intervale roc classes.csv", "Three classes, with a column of probabilities for each." },
        { NULL, NULL } },
    .often = "gold positive system choose bins measure baseline margin",
    .pages = "doc/methods/scored.md",
    .opts = opts,
    CMD_ASKS(ask, confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT | SHARED_GATE,
    .about = (const char *const[]){
        "gate", "exit 3 if a system is worse by --margin, 4 if unclear. Worse: than --baseline, by "
        "more than --margin; else exit 0", NULL },
    .run = run,
};
