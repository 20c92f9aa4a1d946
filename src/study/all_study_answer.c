/* SPDX-License-Identifier: Apache-2.0 */
/* study all: what is wanted, and the data that were given. */
#include <string.h>

#include "study/all_study.h"

/* ------------------------------------------------------------------- data -- */

static int load(iv_study_data *d, iv_result *out, const iv_study_all_question *q,
                const iv_work *work, iv_err *err)
{
    const iv_work quiet = iv_work_quiet(work);

    if (q->robust2004 != NULL) {
        IV_TRY(iv_matrix_load(&d->robust2004, q->robust2004, q->by, work, err));
        iv_result_input(out, q->robust2004, iv_matrix_bytes(d->robust2004));
    }
    if (q->qrels != NULL)
        IV_TRY(iv_judged_runs_load(&d->collection, out, q->qrels, q->runs, work, err));
    if (q->review == NULL)
        return IV_OK;
    IV_TRY(iv_run_load(&d->review, q->review, IV_RUN_ANY, &quiet, err));
    IV_TRY(iv_judgments_load(&d->labels, q->labels, IV_JUDGMENTS_ANY, &quiet, err));
    iv_result_input(out, q->review, iv_run_bytes(d->review));
    iv_result_input(out, q->labels, iv_judgments_bytes(d->labels));
    return IV_OK;
}

static void free_data(iv_study_data *d)
{
    iv_judged_runs_free(&d->collection);
    iv_matrix_free(d->robust2004);
    iv_run_free(d->review);
    iv_judgments_free(d->labels);
}

/* --------------------------------------------------------- what is wanted -- */

typedef struct choice {
    bool tables[IV_PAPER_TABLES], parts[IV_COVERAGE_PARTS];
    unsigned halves; /* any of them */
} choice;

/* Does a word name the table, or its paper? */
static bool names_table(const char *word, const char *table)
{
    const size_t paper = strcspn(table, "-");

    return strcmp(word, table) == 0
        || (strlen(word) == paper && strncmp(word, table, paper) == 0);
}

/* Adds what a word names, all for NULL, of the halves; returns the half it is of. */
static unsigned add_named(choice *c, const char *word, unsigned halves)
{
    unsigned named = 0;

    for (int t = 0; t < IV_PAPER_TABLES; t++) {
        if (word == NULL || names_table(word, iv_paper_table_names()[t])) {
            named |= IV_STUDY_PAPERS;
            c->tables[t] = c->tables[t] || (halves & IV_STUDY_PAPERS) != 0;
        }
    }
    for (int k = 0; k < IV_COVERAGE_PARTS; k++) {
        if (word == NULL || strcmp(word, iv_coverage_part_names()[k]) == 0) {
            named |= IV_STUDY_COVERAGE;
            c->parts[k] = c->parts[k] || (halves & IV_STUDY_COVERAGE) != 0;
        }
    }
    c->halves |= named & halves;
    return named;
}

unsigned iv_study_all_named(const char *name)
{
    choice c = { 0 };

    return add_named(&c, name, 0);
}

static int choose(choice *out, const iv_study_all_question *q, iv_err *err)
{
    const unsigned halves = (q->papers || !q->coverage ? IV_STUDY_PAPERS : 0u)
                            | (q->coverage || !q->papers ? IV_STUDY_COVERAGE : 0u);
    char quoted[IV_QUOTE_SIZE];

    *out = (choice){ 0 };
    if (q->only.count == 0)
        (void)add_named(out, NULL, halves);
    for (size_t i = 0; i < q->only.count; i++)
        if (add_named(out, q->only.at[i], halves) == 0)
            return iv_fail(err, IV_EARG, "%s is no paper, no table of one and no command whose "
                           "coverage is studied", iv_quote(quoted, iv_str_of(q->only.at[i])));
    return out->halves != 0 ? IV_OK
        : iv_fail(err, IV_EARG, "the names are of nothing that is to be studied");
}

int iv_study_answer_all(iv_result *out, const iv_study_all_question *q, const iv_work *work,
                        iv_err *err)
{
    iv_study_data d = { 0 };
    choice wanted;
    iv_stage stage;
    int rc = choose(&wanted, q, err);
    /* The coverage takes longer. */
    const double papers = wanted.halves == IV_STUDY_PAPERS ? 1.0
        : wanted.halves == IV_STUDY_COVERAGE ? 0.0 : 0.3;

    if (rc == IV_OK && ((q->qrels == NULL) != (q->runs.count == 0) || q->runs.count == 1
                        || (q->review == NULL) != (q->labels == NULL)))
        rc = iv_fail(err, IV_EARG, "judgments and two or more runs go together, a review and "
                     "its labels, too");
    if (rc == IV_OK)
        rc = load(&d, out, q, work, err);
    if (rc == IV_OK && papers > 0.0)
        rc = iv_study_tell_papers(out, q, &d, wanted.tables,
                                  iv_work_part(&stage, work, 0.0, papers), err);
    if (rc == IV_OK && papers < 1.0)
        rc = iv_study_tell_coverage(out, q, &d, wanted.parts,
                                    iv_work_part(&stage, work, papers, 1.0), err);
    free_data(&d);
    return rc;
}
