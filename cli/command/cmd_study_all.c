/* SPDX-License-Identifier: Apache-2.0 */
/* study all -- the evidence: the papers' tables, and what intervals cover. */
#include <string.h>

#include "frame/frame.h"
#include "study/study.h"

typedef iv_study_all_question ask;

static const opt opts[] = {
    OPT_FLAG(ask, 0, "papers", papers,
             "the published figures of the five papers beside ours"),
    OPT_FLAG(ask, 0, "coverage", coverage,
             "how often each default interval of the tool holds the truth"),
    OPT_LIST(ask, 0, "only", "NAME", only,
             "of the papers only this one (webber, park, goutte, carterette, aslam) or this "
             "table (webber-ix); of the coverage only this command (eval, compare, recall, prf, "
             "sample, plan, overlap, agree, roc, scores)"),
    OPT_FLAG(ask, 0, "quick", quick,
             "smaller simulations: a minute instead of many"),
    OPT_HEADING("Data that cannot be part of this program"),
    OPT_STR(ask, 0, "robust2004", "FILE", robust2004,
            "average precision of the systems of TREC 2004's Robust track on its topics"),
    OPT_ENUM(ask, 0, "by", "WHAT", by, iv_matrix_rows, iv_matrix_rows_names,
             "what a line of that FILE is"),
    OPT_STR(ask, 0, "qrels", "FILE", qrels,
            "complete judgments of the documents of RUN..."),
    OPT_STR(ask, 0, "review", "FILE", review,
            "rankings of whole collections, one a topic, such as CLEF TAR 2017's"),
    OPT_STR(ask, 0, "labels", "FILE", labels, "judgments of all their documents"),
    OPT_END
};

static int unknown(const char *word, iv_err *err)
{
    suggest s = suggest_for(word);
    char quoted[IV_QUOTE_SIZE], near[SUGGEST_SIZE], paper[32];

    for (const char *const *t = iv_paper_table_names(); *t != NULL; t++) {
        (void)snprintf(paper, sizeof paper, "%.*s", (int)strcspn(*t, "-"), *t);
        suggest_offer(&s, paper);
        suggest_offer(&s, *t);
    }
    for (const char *const *part = iv_coverage_part_names(); *part != NULL; part++)
        suggest_offer(&s, *part);
    return cmd_usage(err, "--only %s, expected a paper (webber, park, goutte, carterette, "
                     "aslam), a table such as webber-ix or a command (eval, compare, recall, "
                     "prf, sample, plan, overlap, agree, roc, scores)%s", iv_quote(quoted, iv_str_of(word)),
                     suggest_text(near, &s, ""));
}

/* The names that --only may have, and that they leave something to do. */
static int check_only(const ask *q, iv_err *err)
{
    unsigned named = 0;

    for (size_t i = 0; i < q->only.count; i++) {
        const unsigned half = iv_study_all_named(q->only.at[i]);
        if (half == 0)
            return unknown(q->only.at[i], err);
        named |= half;
    }
    if (q->only.count == 0 || q->papers == q->coverage
        || (named & (q->papers ? IV_STUDY_PAPERS : IV_STUDY_COVERAGE)) != 0)
        return IV_OK;
    return cmd_usage(err, "--only names nothing that %s has",
                     q->papers ? "--papers" : "--coverage");
}

static int run(cmd_context *c, iv_err *err)
{
    ask *q = c->args;
    const int rc = check_only(q, err);

    q->runs = (iv_texts){ (const char *const *)c->operands, c->operand_count };
    if (rc != IV_OK)
        return rc;
    if ((q->qrels == NULL) != (c->operand_count == 0))
        return cmd_usage(err, "--qrels FILE and RUN... go together");
    if (c->operand_count == 1)
        return cmd_usage(err, "one RUN is too few, expected two or more");
    if ((q->review == NULL) != (q->labels == NULL))
        return cmd_usage(err, "--review and --labels go together");
    return iv_study_answer_all(c->result, q, &c->work, err);
}

const cmd cmd_study_all = {
    .name = "study all",
    .group = "Studies",
    .summary = "the evidence: the papers' tables and what intervals cover",
    .operands = "[RUN RUN...]",
    .most = CMD_MANY,
    .description =
        "--papers: table papers has every published table and worked number of the five papers "
        "that the methods rest on, one figure a row, beside what this program computes: the "
        "difference, its standard error and a verdict. A figure agrees when it is within half a "
        "unit of its last printed digit and three standard errors of the difference; what differs "
        "has the reason, where it is known. Table paper_tables counts the verdicts.\n\n"
        "Figures made from data that cannot be given away take these by path and are left out "
        "with a note otherwise: the average precision of the systems of TREC 2004's Robust track "
        "for Park's tables and the observed powers of Carterette and Smucker; any collection with "
        "complete judgments for Aslam and Pavlu's experiment. The latter is repeated in kind: what "
        "they claim of methods beside each other gets a verdict, their figures stand beside ours.\n\n"
        "--coverage: table coverage has every interval that the commands show by default, at "
        "confidence .80, .90, .95 and .99: how often it holds the truth, with standard error; how "
        "often the truth is below and above it; the least coverage among the cases averaged, where "
        "that is known; its mean width; and the share of cases without an interval. The data are "
        "simulated; with --robust2004 a matrix of scores stands for a population of topics as "
        "well, with --qrels and runs a collection is sampled, with --review and --labels rankings "
        "whose documents are all judged are cut at ranks 100, 500 and 1000 and 500 documents "
        "sampled.\n\n"
        "Without --papers and --coverage both are done.",
    .examples = (const cmd_example[]){
        { "intervale study all --papers --quick", "What needs no data, in half a minute." },
        { "intervale study all --papers --only webber-xii --format tsv",
          "One table of one paper, for a program." },
        { "intervale study all --papers --only aslam --quick --qrels qrels runs/*",
          "Aslam and Pavlu's experiment on another collection." },
        { "intervale study all --coverage --only eval --quick --robust2004 ap.csv",
          "Intervals on means, on simulated topics and on a matrix of scores." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(ask),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_REPORT,
    .tables = (const char *const[]){ "papers", "paper_tables", "coverage", NULL },
    .numbers_are_data = true,
    .run = run,
};
