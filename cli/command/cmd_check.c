/* SPDX-License-Identifier: Apache-2.0 */
/* check -- is this file sane, and what is it? */
#include "frame/cmd.h"

static const opt opts[] = {
    OPT_ENUM(iv_check_question, 0, "judgments-format", "F", format, iv_judgments_format,
             iv_judgments_format_names, "read the files as judgments in format F"),
    OPT_INT(iv_check_question, 0, "most", "N", most, 0, INT64_MAX,
            "number of problems to list per file; 0 lists all", .zero = true,
            .usual = "100"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    iv_check_question *q = c->args;

    q->files = (iv_texts){ (const char *const *)c->operands, c->operand_count };
    const int rc = iv_answer_check(c->result, q, &c->work, err);
    /* What could be read is shown, whatever is wrong with a file. */
    return rc != IV_OK && iv_result_tables(c->result) > 0 ? CMD_FAILED : rc;
}

const cmd cmd_check = {
    .name = "check",
    .group = "Files",
    .summary = "report what each file is and what is wrong with it",
    .operands = "FILE...",
    .least = 1,
    .most = CMD_MANY,
    .description =
        "Reads files as other commands do, and lists what is wrong or unusual in them.\n\n"
        "Formats are detected from the content: runs, judgments, score tables and other "
        "tables; plain, gzip or zstd. An error is what every other command refuses, with the "
        "same message. A warning is unusual but accepted: CR line ends, empty lines, ranks "
        "that contradict scores, several run tags, topics without a relevant document, sampled "
        "documents without a judgment.\n\n"
        "For runs and judgments together it also says which topics they share.",
    .exit_note = "a file has an error",
    .examples = (const cmd_example[]){
        { "intervale check qrels run.txt",
          "Looks at judgments and a run, and at the topics they share." },
        { "intervale check --format tsv --table problems run.txt",
          "Lists the problems of a run, one a line." },
        { NULL, NULL } },
    .often = "judgments-format most",
    .pages = "doc/formats.md",
    .opts = opts,
    .args_size = sizeof(iv_check_question),
    .shared = SHARED_THREADS | SHARED_REPORT,
    .run = run,
};
