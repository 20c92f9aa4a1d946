/* SPDX-License-Identifier: Apache-2.0 */
/* classify -- one page on classifiers */
#include "frame/cmd.h"

typedef iv_classify_question ask;

static const opt opts[] = {
    OPT_STR(ask, 0, "gold", "NAME", gold, "name of the gold column. Default: gold, label, truth, "
                                          "y_true or target"),
    OPT_STR(ask, 0, "positive", "LABEL", positive,
            "label of positive items. Default: 1; not for three or more classes"),
    OPT_LIST(ask, 0, "system", "NAME", named, "use only the column of system NAME"),
    OPT_LIST(ask, 0, "columns", "group=NAME", columns,
             "columns that put items into groups. Default: columns of text with 2 to 20 values"),
    OPT_REAL(ask, 0, "threshold", "X", threshold, -1e300, 1e300,
             "score from which an item is positive", .zero = true,
             .usual = "0.5, of probabilities"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    ask *q = c->args;

    q->file = c->operands[0];
    return iv_answer_classify(c->result, q, &c->work, err);
}

const cmd cmd_classify = {
    .name = "classify",
    .group = "Evaluation",
    .summary = "one page on classifiers: errors, calibration, groups, comparison",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .description =
        "Writes one page on classifiers from one table: how well they separate the classes, what a "
        "threshold gives, whether probabilities are calibrated, how groups differ, and which "
        "system is better.\n\n"
        "FILE is a table with a header: a gold column, and a column of scores or labels for each "
        "system. A column 'id' is optional. Columns of text with 2 to 20 values are groups. A note "
        "says what each column was taken for.\n\n"
        "Scores are answered as by 'intervale roc', labels as by 'intervale prf', which have more "
        "options and gates.",
    .examples = (const cmd_example[]){
        { "intervale classify risk.csv --format html -o page.html", "A page." },
        { "intervale classify risk.csv --columns group=region --threshold 0.4",
          "Groups by one column, and a threshold." },
        { NULL, NULL } },
    .often = "gold positive system columns threshold",
    .pages = "doc/methods/thresholds.md, doc/methods/groups.md",
    .opts = opts,
    CMD_ASKS(ask, confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .run = run,
};
