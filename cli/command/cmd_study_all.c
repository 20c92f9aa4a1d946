/* SPDX-License-Identifier: Apache-2.0 */
/* study all -- the evidence: the papers' tables, and what intervals cover. */
#include <stdlib.h>
#include <string.h>

#include "command/run_operands.h"
#include "command/study_all.h"
#include "frame/suggest.h"

static const char *const by_words[] = { "systems", "topics", NULL };

static const opt opts[] = {
    OPT_FLAG(study_all_args, 0, "papers", papers,
             "the published figures of the five papers beside ours"),
    OPT_FLAG(study_all_args, 0, "coverage", coverage,
             "how often each default interval of the tool holds the truth"),
    OPT_LIST(study_all_args, 0, "only", "NAME", only,
             "of the papers only this one (webber, park, goutte, carterette, aslam) or this "
             "table (webber-ix); of the coverage only this command (eval, compare, recall, prf, "
             "sample, plan)"),
    OPT_FLAG(study_all_args, 0, "quick", quick,
             "smaller simulations: a minute instead of many"),
    OPT_HEADING("Data that cannot be part of this program"),
    OPT_STR(study_all_args, 0, "robust2004", "FILE", robust2004,
            "average precision of the systems of TREC 2004's Robust track on its topics"),
    OPT_CHOICE(study_all_args, 0, "by", "WHAT", by, by_words, "what a line of that FILE is"),
    OPT_STR(study_all_args, 0, "qrels", "FILE", qrels,
            "complete judgments of the documents of RUN..."),
    OPT_STR(study_all_args, 0, "review", "FILE", review,
            "rankings of whole collections, one a topic, such as CLEF TAR 2017's"),
    OPT_STR(study_all_args, 0, "labels", "FILE", labels, "judgments of all their documents"),
    OPT_END
};

static void free_data(study_all_data *d, const cmd_context *c)
{
    run_operands_free(d->runs, c);
    iv_sampling_free(d->judged);
    iv_judgments_free(d->judgments);
    iv_matrix_free(d->robust2004);
    iv_run_free(d->review);
    iv_judgments_free(d->labels);
}

static int load_collection(study_all_data *d, cmd_context *c, iv_err *err)
{
    const study_all_args *a = c->args;
    const int threads = (int)c->shared->threads;
    int rc = run_operands_load(&d->runs, c, err);

    if (rc == IV_OK)
        rc = iv_judgments_load(&d->judgments, a->qrels, IV_JUDGMENTS_ANY,
                               &(iv_work){ .threads = threads }, err);
    if (rc == IV_OK && iv_judgments_format_of(d->judgments) != IV_JUDGMENTS_QRELS
        && iv_judgments_format_of(d->judgments) != IV_JUDGMENTS_BEIR)
        rc = iv_fail_at(err, IV_EARG, a->qrels, 0, "the judgments are a sample; the truth "
                        "of a study must be complete");
    if (rc == IV_OK)
        rc = iv_sampling_new(&d->judged, d->judgments, a->qrels, IV_UNJUDGED_NONRELEVANT, err);
    if (rc != IV_OK)
        return rc;
    d->run_count = c->operand_count;
    iv_result_input(c->result, a->qrels, iv_judgments_bytes(d->judgments));
    return IV_OK;
}

static int load_review(study_all_data *d, cmd_context *c, iv_err *err)
{
    const study_all_args *a = c->args;
    const int threads = (int)c->shared->threads;
    int rc = iv_run_load(&d->review, a->review, IV_RUN_ANY,
                         &(iv_work){ .threads = threads }, err);

    if (rc == IV_OK)
        rc = iv_judgments_load(&d->labels, a->labels, IV_JUDGMENTS_ANY,
                               &(iv_work){ .threads = threads }, err);
    if (rc != IV_OK)
        return rc;
    iv_result_input(c->result, a->review, iv_run_bytes(d->review));
    iv_result_input(c->result, a->labels, iv_judgments_bytes(d->labels));
    return IV_OK;
}

static int load(study_all_data *d, cmd_context *c, iv_err *err)
{
    const study_all_args *a = c->args;
    int rc = IV_OK;

    if ((a->qrels == NULL) != (c->operand_count == 0))
        return cmd_usage(err, "--qrels FILE and RUN... go together");
    if (c->operand_count == 1)
        return cmd_usage(err, "one RUN is too few, expected two or more");
    if ((a->review == NULL) != (a->labels == NULL))
        return cmd_usage(err, "--review and --labels go together");
    if (a->robust2004 != NULL) {
        rc = iv_matrix_load(&d->robust2004, a->robust2004, (iv_matrix_rows)a->by, err);
        if (rc == IV_OK)
            iv_result_input(c->result, a->robust2004, iv_matrix_bytes(d->robust2004));
    }
    if (rc == IV_OK && a->qrels != NULL)
        rc = load_collection(d, c, err);
    if (rc == IV_OK && a->review != NULL)
        rc = load_review(d, c, err);
    return rc;
}

/* --------------------------------------------------------- what is wanted -- */

typedef struct choice {
    bool tables[IV_PAPER_TABLES], parts[IV_COVERAGE_PARTS];
    bool papers, coverage; /* any of them */
} choice;

/* Does a word of --only name the table, or its paper? */
static bool names_table(const char *word, const char *table)
{
    const size_t paper = strcspn(table, "-");

    return strcmp(word, table) == 0
        || (strlen(word) == paper && strncmp(word, table, paper) == 0);
}

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
                     "prf, sample, plan)%s", iv_quote(quoted, iv_str_of(word)),
                     suggest_text(near, &s, ""));
}

static int choose(choice *out, const study_all_args *a, iv_err *err)
{
    const bool papers = a->papers || !a->coverage, coverage = a->coverage || !a->papers;

    *out = (choice){ .papers = papers && a->only.count == 0,
                     .coverage = coverage && a->only.count == 0 };
    for (int t = 0; t < IV_PAPER_TABLES; t++)
        out->tables[t] = out->papers;
    for (int k = 0; k < IV_COVERAGE_PARTS; k++)
        out->parts[k] = out->coverage;
    for (size_t i = 0; i < a->only.count; i++) {
        bool known = false;
        for (int t = 0; t < IV_PAPER_TABLES; t++)
            if (names_table(a->only.at[i], iv_paper_table_names()[t])) {
                known = true;
                out->papers |= out->tables[t] = papers;
            }
        for (int k = 0; k < IV_COVERAGE_PARTS; k++)
            if (strcmp(a->only.at[i], iv_coverage_part_names()[k]) == 0) {
                known = true;
                out->coverage |= out->parts[k] = coverage;
            }
        if (!known)
            return unknown(a->only.at[i], err);
    }
    if (!out->papers && !out->coverage)
        return cmd_usage(err, "--only names nothing that %s has",
                         a->papers ? "--papers" : "--coverage");
    return IV_OK;
}

/* -------------------------------------------------------------------- run -- */

/* Half of the way, when there are two. */
typedef struct half {
    iv_progress whole;
    double from, share;
} half;

static int report_half(void *user, double fraction)
{
    const half *h = user;

    if (h->whole.report != NULL)
        h->whole.report(h->whole.user, h->from + h->share * fraction);
    return 0;
}

static int run(cmd_context *c, iv_err *err)
{
    study_all_data d = { 0 };
    choice wanted;
    int rc = choose(&wanted, c->args, err);
    half first = { c->progress, 0.0, 1.0 }, second = { c->progress, 0.0, 1.0 };

    if (rc == IV_OK)
        rc = load(&d, c, err);
    if (rc == IV_OK && wanted.papers && wanted.coverage) {
        first.share = second.from = 0.3;
        second.share = 0.7;
    }
    if (rc == IV_OK && wanted.papers)
        rc = study_all_papers(c, &d, wanted.tables, (iv_progress){ report_half, &first }, err);
    if (rc == IV_OK && wanted.coverage)
        rc = study_all_coverage(c, &d, wanted.parts, (iv_progress){ report_half, &second }, err);
    free_data(&d, c);
    return rc;
}

const cmd cmd_study_all = {
    .name = "study all",
    .group = "Studies",
    .summary = "the evidence: the papers' tables and what intervals cover",
    .operands = "[RUN RUN...]",
    .least = 0,
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
    .defaults = &(const study_all_args){ .by = 0 },
    .args_size = sizeof(study_all_args),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_REPORT,
    .tables = (const char *const[]){ "papers", "paper_tables", "coverage", NULL },
    .run = run,
};
