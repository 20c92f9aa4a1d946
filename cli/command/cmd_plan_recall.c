/* SPDX-License-Identifier: Apache-2.0 */
/* plan recall -- how many documents to judge, and which. */
#include "frame/cmd.h"

#define Q iv_plan_recall_question

static const opt opts[] = {
    OPT_INT(Q, 0, "population", "N", population, 2, IV_STRATUM_MAX,
            "number of documents in the collection"),
    OPT_INT(Q, 0, "retrieved", "N", retrieved, 1, IV_STRATUM_MAX,
            "number of retrieved documents"),
    OPT_NUMBERS(Q, 0, "recall", "X,...", recall, 1, 7, 0.0, 1.0,
                "recall to expect; two numbers are a range. Its ends and middle are tried"),
    OPT_NUMBERS(Q, 0, "precision", "X,...", precision, 1, 7, 0.0, 1.0,
                "precision to expect; two numbers are a range"),
    OPT_INT(Q, 0, "retrieved-judged", "R", retrieved_judged, 1, IV_STRATUM_MAX,
            "all retrieved documents are judged, R are relevant. Only "
            "unretrieved documents are planned, and no --precision is needed"),
    OPT_HEADING("What is wanted"),
    OPT_INTEGERS(Q, 0, "total", "N,...", total, 1, 24, 2.0, 1e12,
                 "show what judging N documents would give. N counts retrieved and unretrieved "
                 "documents; with --retrieved-judged, only unretrieved ones"),
    OPT_REAL_OPEN(Q, 0, "target", "X", target, 0.0, 1.0,
                  "recall to demonstrate. The answer is a number of documents that demonstrates it "
                  "in at least 80 % of cases; --assurance changes the 80 %. The chance does not "
                  "rise steadily, so a smaller number may do, too. 75, 75% and 0.75 are the same",
                  .percent = true),
    OPT_REAL_OPEN(Q, 0, "width", "W", width, 0.0, 1.0,
                  "expected interval width to reach"),
    OPT_REAL_OPEN(Q, 0, "lower", "X", lower, 0.0, 1.0,
                  "expected lower limit to reach"),
    OPT_REAL_OPEN(Q, 0, "assurance", "P", assurance, 0.0, 1.0,
                  "probability of success, with --lower or --target"),
    OPT_ENUM(Q, 0, "method", "NAME", method, iv_recall_method, iv_recall_method_names,
             "method of the interval. auto is betabin-half; exact is --guaranteed"),
    OPT_FLAG(Q, 0, "guaranteed", guaranteed, "plan for limits whose coverage is guaranteed"),
    OPT_FLAG(Q, 0, "one-sided", one_sided, "plan for one-sided limits"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    const Q *q = c->args;

    if (q->population == 0 || q->retrieved == 0 || q->recall.count == 0
        || (q->precision.count == 0) == (q->retrieved_judged == 0))
        return cmd_usage(err, "--population, --retrieved, --recall and one of --precision and "
                         "--retrieved-judged are needed");
    if ((q->total.count > 0) + (q->width != 0.0) + (q->lower != 0.0) + (q->target != 0.0) > 1)
        return cmd_usage(err, "give one of --total, --width, --lower and --target");
    if (q->assurance != 0.0 && q->lower == 0.0 && q->target == 0.0)
        return cmd_usage(err, "--assurance needs --lower or --target");
    if (q->method == IV_RECALL_ALL)
        return cmd_usage(err, "--method all: a plan is for one method");
    return iv_answer_plan_recall(c->result, q, &c->work, err);
}

const cmd cmd_plan_recall = {
    .name = "plan recall",
    .group = "Planning",
    .summary = "how many documents to judge for a recall interval",
    .operands = "",
    .description =
        "Plans how many documents to judge for a recall interval of given width, or to "
        "demonstrate a target.\n\n"
        "Table 'plan' has nearly the best split into retrieved and unretrieved documents, for each "
        "expected recall and precision, and one that serves all of these. Several numbers "
        "(--total) show what more judgments would give. The best split for recall judges few "
        "retrieved documents; a precise interval of precision needs more.",
    .examples = (const cmd_example[]){
        { "intervale plan recall --population 100000 --retrieved 5000 --recall 0.7 "
          "--precision 0.5 --total 1000",
          "What 1,000 judgments would give." },
        { "intervale plan recall --population 100000 --retrieved 5000 --recall 0.85 "
          "--precision 0.5 --target 75%",
          "How many judgments demonstrate a recall of 75 % in 80 % of cases, when it is 85 %?" },
        { "intervale plan recall --population 100000 --retrieved 5000 --retrieved-judged 2500 "
          "--recall 0.85 --lower 0.75",
          "All 5,000 retrieved documents were read: how many unretrieved ones must be judged?" },
        { NULL, NULL } },
    .often = "population retrieved recall precision retrieved-judged total target width lower "
             "guaranteed",
    .pages = "doc/howto/certify.md, doc/methods/recall.md",
    .opts = opts,
    CMD_ASKS(Q, confidence),
    .shared = SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .numbers_are_data = true,
    .run = run,
};
