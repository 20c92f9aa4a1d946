/* SPDX-License-Identifier: Apache-2.0 */
/* roc -- how good are the scores of classifiers? */
#include "frame/cmd.h"
#include "intervale/answer.h"

typedef iv_roc_question ask;

static const opt opts[] = {
    OPT_STR(ask, 0, "gold", "NAME", gold, "the column of what items are; without it gold, label, "
            "truth, y_true or target"),
    OPT_STR(ask, 0, "positive", "LABEL", positive,
            "the label of positive items; without it labels are 0 and 1, or three classes or more"),
    OPT_LIST(ask, 0, "system", "NAME", named,
             "only this column is a system's; without it all but id and that of what items are; of "
             "classes what stands beside them, as A in A_cat"),
    OPT_ENUM(ask, 0, "choose", "GOAL", goal, iv_threshold_goal, iv_threshold_goal_names,
             "choose the threshold that is best for this"),
    OPT_INT(ask, 0, "bins", "N", bins, 2, 1000, "bins of the calibration error", .usual = "10"),
    OPT_INT(ask, 0, "resamples", "N", resamples, 100, 10000000,
            "resamples for thresholds and curves", .usual = "2000"),
    OPT_HEADING("Gate"),
    OPT_STR(ask, 0, "measure", "NAME", measure, "what --gate is about: AUC, Brier or log_loss",
            .usual = "AUC"),
    OPT_STR(ask, 0, "baseline", "SYSTEM", baseline,
            "with --gate: compare the others with this system", .usual = "the first"),
    OPT_REAL(ask, 0, "margin", "D", margin, 0.0, 1e300, "with --gate: the loss that is allowed",
             .zero = true),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    ask *q = c->args;

    q->file = c->operands[0];
    q->not_worse = c->shared->gate;
    if (q->not_worse && q->margin == 0.0)
        return cmd_usage(err, "--gate needs --margin D: the loss against --baseline that is allowed");
    return iv_answer_roc(c->result, q, &c->work, err);
}

const cmd cmd_roc = {
    .name = "roc",
    .group = "Evaluation",
    .summary = "scores of classifiers: AUC, AP, calibration, thresholds, with intervals",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .description =
        "FILE is a CSV or TSV with a header: what each item is (0 or 1, or --positive LABEL "
        "against the rest), and a column of scores for each system. Each item has an id of its own, "
        "where there is a column id (or a first one without a name). Name the systems to exclude "
        "other columns. Higher scores mean positive.\n\n"
        "Three labels or more are classes, and each has a column of scores, called as the class or with the same "
        "beside it (cat, p_cat, cat_prob; A_cat and B_cat are two systems'), as predict_proba gives them. "
        "Table classes then has the area of each class against the rest and their averages, macro and "
        "weighted by support (scikit-learn's multi_class=\"ovr\"), pairs compares macro averages, and "
        "measures has Brier score and logarithmic loss where scores are probabilities that add up to 1. "
        "--positive cat is one class by its own column, with all the rest of what follows.\n\n"
        "Table measures has the area under the ROC curve (AUC), average precision and, where all "
        "scores are probabilities, Brier score, logarithmic loss and expected calibration error "
        "(ECE, --bins of equal width). Table pairs compares systems on the same items: DeLong's "
        "test of AUC, paired t tests of the losses, with Holm's correction. --choose f1 adds the "
        "best threshold with what to expect of it on new items: a threshold looks better on the "
        "items it was chosen on. Pages draw ROC and precision-recall curves with bands.\n\n"
        "With --gate and --margin D the exit status is 0 when no system is worse than the baseline "
        "by more than D, 3 when one is, 4 when it is inconclusive.",
    .examples = (const cmd_example[]){
        { "intervale roc probabilities.csv", "AUC, average precision and calibration." },
        { "intervale roc --choose youden --format html -o roc.html probabilities.csv",
          "Curves with bands, in a page; the threshold by Youden's index." },
        { "intervale roc classes.csv", "Three classes, with a column of probabilities for each." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(ask),
    .confidence = CMD_CONFIDENCE(ask, confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT | SHARED_GATE,
    .tables = (const char *const[]){ "measures", "pairs", "threshold", "curves", "classes", NULL },
    .run = run,
};
