/* SPDX-License-Identifier: Apache-2.0 */
/* papers -- the five papers that the methods come from, each value beside ours. */
#include "frame/cmd.h"
#include "study/study.h"

#include <string.h>

typedef iv_papers_question ask;

static const opt opts[] = {
    OPT_FLAG(ask, 0, "quick", quick,
             "run small simulations, under 20 seconds. Simulated values then have the "
             "verdict 'quick'"),
    OPT_HEADING("Data that cannot be shipped"),
    OPT_STR(ask, 0, "robust2004", "FILE", robust2004,
            "table of AP of the 110 systems of TREC Robust 2004. It has 249 topics. For the "
            "papers park and carterette"),
    OPT_ENUM(ask, 0, "by", "WHAT", by, iv_score_rows, iv_score_rows_names,
             "what a row is in --robust2004: a system or a topic"),
    OPT_STR(ask, 0, "qrels", "FILE", judgments,
            "judgments of RUNs (aslam, carterette, park)"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    ask *q = c->args;
    const size_t runs = c->operand_count > 1 ? c->operand_count - 1 : 0;

    q->paper = c->operand_count > 0 ? c->operands[0] : NULL;
    q->runs = (iv_texts){ (const char *const *)c->operands + (runs > 0), runs };
    if ((q->judgments != NULL) != (runs > 0))
        return cmd_usage(err, "--qrels FILE and RUN... go together, after the paper's name");
    if (runs == 1)
        return cmd_usage(err, "one run; expected two or more");
    const bool without_data = runs == 0 && q->robust2004 == NULL && q->by == IV_ROWS_AUTO;
    if (!q->quick && !c->shared->quiet && q->paper != NULL && without_data
        && (strcmp(q->paper, "webber") == 0 || strcmp(q->paper, "park") == 0))
        (void)fputs("intervale papers: note: this takes minutes, --quick seconds\n", stderr);
    return iv_papers_answer(c->result, q, &c->work, err);
}

const cmd cmd_papers = {
    .name = "papers",
    .group = "Studies",
    .summary = "reproduce the results of five papers",
    .operands = "[PAPER [RUN RUN...]]",
    .most = CMD_MANY,
    .description =
        "Recomputes the tables, figures and numerical examples of one of the five papers that "
        "the tool implements. Without PAPER, it lists the papers.\n\n"
        "A value agrees when it differs from the printed one by at most half a unit of the last "
        "digit plus three standard errors of both simulations. A claim holds or fails on the data "
        "at hand. --format html has each table in "
        "the paper's layout, computed | printed, and each figure. --format tsv has one line for "
        "each value.\n\n"
        "Experiments on data that cannot be shipped are repeated on simulated data, or on yours "
        "(--qrels FILE RUN...). --robust2004 takes the table of the project NewBestSub (file "
        "ap.csv), which is recognised by its shape and a checksum.",
    .examples = (const cmd_example[]){
        { "intervale papers", "The five papers." },
        { "intervale papers goutte", "Goutte and Gaussier: all values are exact." },
        { "intervale papers carterette --qrels qrels runs/*", "Its experiments on your runs." },
        { "intervale papers webber --quick --format html -o webber.html", "A page to show." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(ask),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_REPORT,
    .table_parts = true, /* and each of the papers' own */
    .run = run,
};
