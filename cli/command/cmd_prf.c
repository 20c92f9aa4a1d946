/* SPDX-License-Identifier: Apache-2.0 */
/* prf -- precision, recall and F as distributions, and P(A beats B). */
#include "frame/cmd.h"

typedef iv_prf_question ask;

static const opt opts[] = {
    OPT_HEADING("Input"),
    OPT_LIST(ask, 0, "counts", "[NAME=]TP,FP,FN[,TN]", from.counts,
             "counts of a system"),
    OPT_STR(ask, 0, "labels", "FILE", from.labels,
            "table of labels: a gold column, a column per system. Labels are 0 and 1, or classes; "
            "a column 'id' is optional"),
    OPT_STR(ask, 0, "gold", "NAME", from.labels_as.gold,
            "name of the gold column. Default: gold, label, truth, y_true or target"),
    OPT_LIST(ask, 0, "system", "NAME", from.labels_as.systems,
             "use only the column of system NAME"),
    OPT_LIST(ask, 0, "predictions", "FILE", from.labels_as.predictions,
             "predictions, joined by id with the gold of --labels. Columns: id, and one per "
             "system"),
    OPT_STR(ask, 0, "threshold", "X", from.labels_as.threshold,
            "score from which an item is positive. The columns are then scores"),
    OPT_STR(ask, 0, "positive", "LABEL", from.labels_as.positive,
            "label of positive items; all others are negative"),
    OPT_STR(ask, 0, "classes", "A,B,...", from.labels_as.classes,
            "names of all classes, if some have no gold item"),
    OPT_LIST(ask, 0, "columns", "group=NAME,...", from.labels_as.columns,
             "columns of --labels that put items into groups, such as group=region: adds tables "
             "groups and gaps"),
    OPT_STR(ask, 0, "machine-column", "NAME", machine,
            "column of automatic labels. Gold is empty where nobody judged; items are stratified "
            "by this label and the system's"),
    OPT_STR(ask, 0, "probability-column", "NAME", probability,
            "column with each item's probability of being judged", .usual = "pi, if there "
            "is one"),
    OPT_HEADING("Posterior"),
    OPT_NUMBERS(ask, 0, "prior", "L or A,B", how.prior, 1, 2, 1e-6, 1e6,
                "prior counts: one number for all; or A,B, where A is added to TP and TN, B to FP "
                "and FN; of --paired counts A to N1, B to N2",
                .usual = "0.5"),
    OPT_NUMBERS(ask, 0, "beta", "B,...", how.beta, 1, 8, 0.01, 100.0,
                "values of beta: also show F-beta for each"),
    OPT_NUMBERS(ask, 0, "utility", "TP,FP,FN,TN", how.utility, 4, 4, -1e6, 1e6,
                "worth of each kind of item: also show the mean utility of an item"),
    OPT_FLAG(ask, 0, "guaranteed", how.guaranteed,
             "use intervals whose coverage is guaranteed; Clopper and Pearson's"),
    OPT_INT(ask, 0, "draws", "N", how.draws, IV_PRF_DRAWS_MIN, IV_PRF_DRAWS_MAX,
            "number of random draws for what has no closed form", .usual = "10000"),
    OPT_LIST(ask, 0, "metric", "NAME", how.metrics,
             "show only metric NAME, such as f1 or f1[macro]"),
    OPT_HEADING("Comparison"),
    OPT_FLAG(ask, 0, "compare", how.compare,
             "compare systems evaluated on different items"),
    OPT_FLAG(ask, 0, "paired", how.paired,
             "compare systems evaluated on the same items. From labels, or from counts "
             "[A:B=]N1:N2[:N]: items that only A got right, that only B got right, and all items"),
    OPT_STR(ask, 0, "baseline", "SYSTEM", baseline,
            "system that --gate compares the others with", .usual = "the first"),
    OPT_REAL(ask, 0, "margin", "D", margin, 0.0, 1.0,
             "how much worse --gate allows a system to be", .zero = true),
    OPT_STR(ask, 0, "reference", "GROUP", gaps.reference,
            "group that the others are compared with", .usual = "the rest of the items"),
    OPT_REAL(ask, 0, "max-gap", "D", gaps.most, 1e-9, 1.0,
             "test that the values of no two groups differ by D or more, in accuracy or the first "
             "--metric; --gate sets the exit status"),
    OPT_LIST(ask, 0, "target", "METRIC=X", targets,
             "test that METRIC is at least X, such as F1=0.8; --gate sets the exit status"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    ask *q = c->args;

    /* A file beside that of labels can only be the systems' answers. */
    const iv_texts files = { (const char *const *)c->operands, c->operand_count };
    if (q->from.labels != NULL && files.count > 0 && q->from.labels_as.predictions.count > 0)
        return iv_fail(err, IV_EARG, "'%s' and --predictions both give predictions, expected one "
                                     "of them",
                       c->operands[0]);
    if (q->from.labels != NULL && files.count > 0)
        q->from.labels_as.predictions = files;
    else
        q->from.files = files;
    q->not_worse = c->shared->gate && q->targets.count == 0
        && (q->gaps.most == 0.0 || q->margin != 0.0);
    if (q->not_worse && q->margin == 0.0)
        return cmd_usage(err, "--gate needs --target METRIC=X, --max-gap D, or --margin D, the "
                         "loss that is allowed");
    return iv_answer_prf(c->result, q, &c->work, err);
}

const cmd cmd_prf = {
    .name = "prf",
    .group = "Evaluation",
    .summary = "precision, recall and F with intervals, and comparisons",
    .operands = "[FILE...]",
    .most = CMD_MANY,
    .description =
        "Computes precision, recall, F and accuracy of classifiers from counts or labels, with "
        "intervals, and compares classifiers.\n\n"
        "Counts: FILEs are tables with the columns tp, fp, fn, optionally tn, and system, "
        "category or both. With --labels, FILEs are read as --predictions. Categories are "
        "averaged: micro (counts pooled) and macro (mean of categories).\n\n"
        "Labels: --labels reads items with a gold column and one column for each system. Labels "
        "are binary if they are 0 and 1 or if --positive is given; else they are classes. Table "
        "'classes' has precision, recall and F1 of each class with macro and weighted averages. "
        "Two systems are compared on the same items.\n\n"
        "Comparisons (--compare, --paired) give P(a > b) and the interval of the difference; on "
        "the same items there is McNemar's test, too. Table "
        "'best' has the probability that a system is the best.\n\n"
        "Intervals come from the Dirichlet posterior of the counts (Goutte and Gaussier 2005); "
        "--guaranteed gives exact limits. Averages have jackknife standard errors.\n\n"
        "With --gate, --paired and --margin D the exit status is 0 when no system is worse than "
        "the baseline by more than D, 3 when one is, 4 when this is inconclusive.",
    .examples = (const cmd_example[]){
        { "intervale prf --counts 10,10,5", "Three counts: precision, recall and F1." },
        { "intervale prf --compare --counts A=80,20,30 --counts B=70,15,40",
          "How probable is it that A beats B?" },
        { "intervale prf --counts 50,5,0,200 --format tsv", "For a program to read." },
        { "intervale prf --paired --labels labels.tsv",
          "Systems on the same items: who was right where the other was wrong?" },
        { "intervale prf --paired --counts ltc:nnn=8:3",
          "Of the items that one of two systems alone got right, ltc got 8 and nnn 3." },
        { "intervale prf --labels probabilities.csv --threshold 0.5 --metric f1",
          "Scores instead of labels, and one metric." },
        { "intervale prf --labels loans.csv --columns group=region --max-gap 0.1 --gate",
          "Is accuracy nearly the same in all regions?" },
        { NULL, NULL } },
    .often = "counts labels predictions positive metric compare paired target guaranteed",
    .pages = "doc/methods/prf.md",
    .opts = opts,
    CMD_ASKS(ask, how.confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT | SHARED_GATE,
    .about = (const char *const[]){
        "gate", "exit 0 if the claim is met, 3 if not, 4 if unclear. Claims: --target, --max-gap. "
        "With --margin instead: 0 if no system loses more than that against --baseline", NULL },
    .run = run,
};
