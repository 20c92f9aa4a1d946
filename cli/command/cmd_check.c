/* SPDX-License-Identifier: Apache-2.0 */
/* check -- is this file sane, and what is it? */
#include "frame/cmd.h"
#include "intervale/answer.h"

static const opt opts[] = {
    OPT_ENUM(iv_check_question, 0, "judgments-format", "F", format, iv_judgments_format,
             iv_judgments_format_names, "take the files for judgments in this format"),
    OPT_INT(iv_check_question, 0, "most", "N", most, 0, INT64_MAX,
            "how many problems to list for each file; 0 lists all", .zero = true,
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
    .summary = "say what each file is and what is wrong with it",
    .operands = "FILE...",
    .least = 1,
    .most = CMD_MANY,
    .description =
        "Looks at runs, judgments, score matrices and other tables, plain, "
        "gzip or zstd, detected from the content. Says what format each is in and what it holds, "
        "and lists every problem by line. An error is what every other command refuses, with "
        "the same message; a warning is unusual but read: CR line ends, empty lines, ranks that "
        "contradict scores, several run tags, topics without a relevant document. A sample is read "
        "with its design, as eval reads it; documents that are not judged yet are a warning.\n\n"
        "Of a table it says what it has the columns of: labels, scores, strata and so on; what "
        "they hold is for the command that reads them.\n\n"
        "Given runs and judgments together, it also says which topics they share.",
    .exit_note = "a file has an error",
    .examples = (const cmd_example[]){
        { "intervale check qrels run.txt",
          "Looks at judgments and a run, and at the topics they share." },
        { "intervale check --format tsv --table problems run.txt",
          "Lists the problems of a run, one a line." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(iv_check_question),
    .shared = SHARED_THREADS | SHARED_REPORT,
    .tables = (const char *const[]){ "files", "details", "problems", NULL },
    .run = run,
};
