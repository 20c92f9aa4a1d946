/* SPDX-License-Identifier: Apache-2.0 */
/* next -- which document should be judged next? */
#include "frame/cmd.h"

typedef iv_next_question question;

static const opt opts[] = {
    OPT_INT(question, 0, "count", "N", count, 1, 10000000, "number of documents to list",
            .usual = "10"),
    OPT_STR(question, 0, "write", "FILE", write,
            "also write the documents to FILE, to fill in grades. It has the judgments so far, "
            "then the documents with grade -1; 'intervale eval' and 'intervale next' read it. If "
            "the judgments so far are a random sample, 'intervale eval' ignores the documents "
            "added",
            .writes = true),
    OPT_RELEVANCE(question),
    OPT_STR(question, 0, "machine", "LABELS", machine,
            "automatic labels of the documents. Qrels, BEIR, or topic, document and score; a "
            "document is as likely to be relevant as judged ones with its label"),
    OPT_DEPTH(question, depth),
    OPT_LEVEL(question, level),
    OPT_FORMATS(question, from, "all judgments"),
    OPT_HEADING("Simulation"),
    OPT_REAL(question, 0, "until", "P", until, 0.5, 1.0,
             "simulate judging until a run wins with probability P. For every pair of runs. "
             "With P = 1, it ends at 0.9995 or when no judgment can change the winner"),
    OPT_STR(question, 0, "oracle", "QRELS", oracle, "judgments to simulate with; for --until"),
    OPT_ENUM(question, 0, "unjudged", "WHAT", no_answer, iv_no_answer, iv_no_answer_names,
             "what to do with documents that --oracle did not judge. Refuse, count as nonrelevant, "
             "or never ask for them"),
    OPT_INT(question, 0, "most", "N", most, 1, INT64_MAX, "stop the simulation after N judgments"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    question *q = c->args;

    if (q->oracle != NULL && q->until == 0.0)
        return cmd_usage(err, "--oracle needs --until, the confidence to reach");
    cmd_take_runs(&q->from, c);
    return iv_answer_next(c->result, q, &c->work, err);
}

const cmd cmd_next = {
    .name = "next",
    .group = "Judging",
    .summary = "which documents to judge next, to find the better run",
    .operands = "JUDGMENTS RUN RUN...",
    .least = 2,
    .most = CMD_MANY,
    .description =
        "Lists the documents whose judgments soonest show which of two or more runs is best.\n\n"
        "Judge some of them, add the judgments to JUDGMENTS, and run 'intervale next' again. "
        "Short lists use the judgments better. JUDGMENTS may be an empty file. All topics that the "
        "runs share are used, judged or not.\n\n"
        "The probability that an unjudged document is relevant is estimated from the judged ones "
        "by rank, unless --relevance gives a number. The expected change of a document is how far "
        "its judgment should change the difference in mean average precision, summed over pairs. "
        "Table 'pairs' has the expected difference a - b, its standard deviation, the probability "
        "that a is better, and limits between which the difference must lie when all returned "
        "documents are judged.\n\n"
        "With --until and --oracle, judging is simulated in this order and by pools of growing "
        "depth, and the numbers of judgments are compared.",
    .examples = (const cmd_example[]){
        { "intervale next qrels runA runB", "The ten documents to judge first." },
        { "intervale next --count 50 --format tsv qrels runA runB runC", "Fifty, for three runs." },
        { "intervale next --until 0.95 --oracle full.qrels --unjudged nonrelevant qrels runA "
          "runB", "How many judgments would have been enough?" },
        { "intervale next --machine full.qrels qrels runA runB",
          "The same with automatic labels of all documents." },
        { NULL, NULL } },
    .often = "count write until oracle unjudged depth",
    .pages = "doc/methods/incomplete.md",
    .opts = opts,
    .args_size = sizeof(question),
    .shared = SHARED_THREADS | SHARED_REPORT,
    .run = run,
};
