/* SPDX-License-Identifier: Apache-2.0 */
/* next -- which document should be judged next? */
#include "frame/cmd.h"
#include "intervale/answer.h"

typedef iv_next_question question;

static const opt opts[] = {
    OPT_INT(question, 0, "count", "N", count, 1, 10000000, "how many documents to list",
            .usual = "10"),
    OPT_STR(question, 0, "write", "FILE", write,
            "also write the judgments with these documents behind them, a grade of -1 to be "
            "replaced: eval and next read the file; of a sample eval leaves out what was chosen so",
            .writes = true),
    OPT_RELEVANCE(question),
    OPT_STR(question, 0, "machine", "LABELS", machine,
            "automatic labels (qrels, BEIR, or topic, document and score): a document is as likely "
            "to be relevant as judged ones with its label"),
    OPT_DEPTH(question, depth),
    OPT_LEVEL(question, level),
    OPT_FORMATS(question, from, "JUDGMENTS and the oracle"),
    OPT_HEADING("Simulation"),
    OPT_REAL(question, 0, "until", "P", until, 0.5, 1.0,
             "judge in this order until the sign of every difference has this confidence; 1 stands "
             "for 0.9995, or a sign that nothing can change"),
    OPT_STR(question, 0, "oracle", "QRELS", oracle, "the judgments that --until would get"),
    OPT_ENUM(question, 0, "unjudged", "WHAT", no_answer, iv_no_answer, iv_no_answer_names,
             "where the oracle has no judgment: refuse, take it as not relevant, or never "
             "ask for it", .with = "until"),
    OPT_INT(question, 0, "most", "N", most, 1, INT64_MAX, "stop after so many judgments",
            .with = "until"),
    OPT_END
};

static int check(const question *q, iv_err *err)
{
    if ((q->until == 0.0) != (q->oracle == NULL))
        return cmd_usage(err, q->until == 0.0 ? "--oracle needs --until, the confidence to reach"
                         : "--until needs --oracle, the judgments it would get");
    if (q->until != 0.0 && q->write != NULL)
        return cmd_usage(err, "--write is for documents that somebody will judge; --until "
                              "--oracle has "
                         "the judgments already: give one of them");
    if (q->until == 0.5)
        return cmd_usage(err, "option --until: 0.5, expected above 0.5: the larger side is never "
                         "less likely");
    return IV_OK;
}

static int run(cmd_context *c, iv_err *err)
{
    question *q = c->args;
    int rc = check(q, err);

    if (rc != IV_OK)
        return rc;
    q->from.judgments = c->operands[0];
    q->from.runs = (iv_texts){ (const char *const *)c->operands + 1, c->operand_count - 1 };
    rc = iv_answer_next(c->result, q, &c->work, err);
    if (rc == IV_ENODATA && q->oracle != NULL && q->no_answer == IV_NO_ANSWER_REFUSE)
        cmd_hint(err, "; --unjudged nonrelevant or skip says what to do then");
    return rc;
}

const cmd cmd_next = {
    .name = "next",
    .group = "Judging",
    .summary = "say which documents to judge next to tell runs apart",
    .operands = "JUDGMENTS RUN RUN...",
    .least = 2,
    .most = CMD_MANY,
    .description =
        "Lists the documents whose judgment would say most about the difference in mean "
        "average precision of two runs, or of all pairs of several, best first. Judge some, "
        "add them to JUDGMENTS, and ask again: a short list is better spent than a long one. "
        "JUDGMENTS may be an empty file. All topics that the runs share take part, judged or "
        "not.\n\n"
        "How likely an unjudged document is to be relevant is learnt from what is judged, by "
        "rank, or is --relevance. movement is how far its judgment is expected to move the "
        "expected difference (the sum over pairs); of equal ones the better ranked comes first. "
        "Table pairs says how sure the signs are: "
        "expected difference a - b, its standard deviation over what is not known, p_less = "
        "P(difference < 0), confidence = the larger of that and its complement, and lower and "
        "upper, limits that the difference cannot leave whatever the judgments of what the runs "
        "return.\n\n"
        "With --until and --oracle judging is simulated, in this order and by pools of growing "
        "depth, and what each took is shown side by side.",
    .examples = (const cmd_example[]){
        { "intervale next qrels runA runB", "The ten documents to judge first." },
        { "intervale next --count 50 --format tsv qrels runA runB runC", "Fifty, for three runs." },
        { "intervale next --until 0.95 --oracle full.qrels --unjudged nonrelevant qrels runA "
          "runB", "How many judgments would have been enough?" },
        { "intervale next --machine full.qrels qrels runA runB",
          "The same with automatic labels of all documents." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(question),
    .shared = SHARED_THREADS | SHARED_REPORT,
    .tables = (const char *const[]){ "documents", "pairs", "judging", NULL },
    .run = run,
};
