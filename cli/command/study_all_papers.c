/* SPDX-License-Identifier: Apache-2.0 */
/* The papers' tables beside ours: what study all --papers prints. */
#include <string.h>

#include "command/study_all.h"

/* ----------------------------------------------------------------- tables -- */

static void put_name(iv_table *t, iv_paper_table table)
{
    const char *name = iv_paper_table_names()[table];
    const size_t paper = strcspn(name, "-");

    iv_put_text(t, (iv_str){ name, paper });
    iv_put_text(t, iv_str_of(name + paper + 1));
}

static void put_rows(cmd_context *c, const iv_papers *p)
{
    static const iv_column columns[] = {
        { "paper", IV_TEXT, 0 },      { "table", IV_TEXT, 0 },     { "cell", IV_TEXT, 0 },
        { "published", IV_REAL, 4 },  { "ours", IV_REAL, 4 },      { "difference", IV_REAL, 4 },
        { "se", IV_REAL, 4 },         { "verdict", IV_TEXT, 0 },   { "tolerance", IV_REAL, 4 },
        { "reason", IV_TEXT, 0 } };
    const iv_published *x;
    const size_t count = iv_papers_rows(&x, p);
    iv_table *t = iv_result_table(c->result, "papers", columns,
                                  sizeof columns / sizeof *columns);

    for (size_t i = 0; i < count; i++) {
        put_name(t, x[i].table);
        iv_put_text(t, iv_str_of(x[i].cell));
        iv_put_real(t, x[i].published);
        iv_put_real(t, x[i].ours);
        iv_put_real(t, x[i].difference);
        iv_put_real(t, x[i].se);
        iv_put_text(t, iv_str_of(iv_verdict_names()[x[i].verdict]));
        if (x[i].verdict == IV_OTHER_DATA)
            iv_put_missing(t);
        else
            iv_put_real(t, x[i].tolerance);
        if (x[i].verdict != IV_DIFFERS)
            iv_put_missing(t);
        else
            iv_put_text(t, iv_str_of(x[i].reason != NULL ? x[i].reason : "not explained"));
    }
}

static size_t count_rows(const iv_papers *p, iv_paper_table table, int verdict)
{
    const iv_published *x;
    const size_t count = iv_papers_rows(&x, p);
    size_t n = 0;

    for (size_t i = 0; i < count; i++)
        n += (table == IV_PAPER_TABLES || x[i].table == table)
            && (verdict < 0 || x[i].verdict == (iv_verdict)verdict);
    return n;
}

static void put_summary(cmd_context *c, const iv_papers *p, const bool *wanted)
{
    static const iv_column columns[] = {
        { "paper", IV_TEXT, 0 },      { "table", IV_TEXT, 0 },    { "cells", IV_INTEGER, 0 },
        { "agree", IV_INTEGER, 0 },   { "differ", IV_INTEGER, 0 },
        { "other_data", IV_INTEGER, 0 }, { "what", IV_TEXT, 0 } };
    iv_table *t = iv_result_table(c->result, "paper_tables", columns,
                                  sizeof columns / sizeof *columns);

    for (int k = 0; k < IV_PAPER_TABLES; k++) {
        const iv_paper_table table = (iv_paper_table)k;
        if (!wanted[k])
            continue;
        put_name(t, table);
        iv_put_int(t, (int64_t)count_rows(p, table, -1));
        for (int v = IV_AGREES; v <= IV_OTHER_DATA; v++)
            iv_put_int(t, (int64_t)count_rows(p, table, v));
        iv_put_text(t, iv_str_of(iv_paper_table_about(table)));
    }
}

static void tell(cmd_context *c, const iv_papers *p, const bool *wanted)
{
    const study_all_args *a = c->args;

    iv_result_answer(c->result, "%zu published figures: %zu agree, %zu differ, %zu are of other "
                     "data.", count_rows(p, IV_PAPER_TABLES, -1),
                     count_rows(p, IV_PAPER_TABLES, IV_AGREES),
                     count_rows(p, IV_PAPER_TABLES, IV_DIFFERS),
                     count_rows(p, IV_PAPER_TABLES, IV_OTHER_DATA));
    for (int k = 0; k < IV_PAPER_TABLES; k++)
        if (wanted[k] && iv_papers_missing(p, (iv_paper_table)k) != NULL)
            iv_result_note(c->result, "%s: %s", iv_paper_table_names()[k],
                           iv_papers_missing(p, (iv_paper_table)k));
    iv_result_note(c->result, "a figure agrees when it is within its rounding and %g standard "
                   "errors of ours (tolerance); se is that of the difference: ours where we "
                   "simulate, and theirs where it is printed or follows from the size of their "
                   "experiment", IV_PAPERS_SIGMA);
    if (a->quick)
        iv_result_note(c->result, "quick: smaller simulations, with the larger standard errors "
                       "that are shown");
}

int study_all_papers(cmd_context *c, const study_all_data *d,
                     const bool wanted[IV_PAPER_TABLES], iv_progress progress, iv_err *err)
{
    const study_all_args *a = c->args;
    const char *format = c->shared->format;
    iv_papers_options o = {
        .quick = a->quick, .robust2004 = d->robust2004,
        .runs = (const iv_run *const *)d->runs, .run_count = d->run_count,
        .judged = d->judged };
    const iv_work work = { c->work.threads, c->work.seed, progress };
    iv_papers *p = NULL;
    int rc;

    memcpy(o.wanted, wanted, sizeof o.wanted);
    rc = iv_papers_run(&p, &o, &work, err);
    if (rc != IV_OK)
        return rc;
    tell(c, p, o.wanted);
    /* People read the summary first; programs take the first table. */
    if (strcmp(format, "tsv") == 0 || strcmp(format, "csv") == 0) {
        put_rows(c, p);
        put_summary(c, p, o.wanted);
    } else {
        put_summary(c, p, o.wanted);
        put_rows(c, p);
    }
    iv_papers_free(p);
    return IV_OK;
}
