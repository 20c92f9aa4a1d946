/* SPDX-License-Identifier: Apache-2.0 */
/* The papers' tables beside ours: what study all --papers prints. */
#include <math.h>
#include <string.h>

#include "study/all_study.h"
#include "study/study_columns.h"

/* ----------------------------------------------------------------- tables -- */

/* A table's name, taken apart. */
typedef struct table_name {
    iv_str paper;
    const char *table;
} table_name;

static table_name name_of(iv_paper_table table)
{
    const char *name = iv_paper_table_names()[table];
    const size_t paper = strcspn(name, "-");

    return (table_name){ { name, paper }, name + paper + 1 };
}

typedef struct figure {
    table_name name;
    iv_published x;
} figure;

const iv_field iv_study_paper_fields[] = {
    { "paper", IV_AT(figure, name.paper), .about = "by its first author" },
    { "table", IV_AT(figure, name.table), .about = "numbers: the figures in its text" },
    { "cell", IV_AT(figure, x.cell), .about = "where in the table" },
    { "published", IV_AT(figure, x.published), .digits = 4, .about = "as printed" },
    { "ours", IV_AT(figure, x.ours), .digits = 4, .about = "what this program computes" },
    { "difference", IV_AT(figure, x.difference), .digits = 4, .about = "ours less published" },
    { "se", IV_AT(figure, x.se), .digits = 4, .about = "of the difference" },
    { "verdict", IV_AT(figure, x.verdict), .names = iv_verdict_names,
      .about = "whether the difference is within the tolerance" },
    { "tolerance", IV_AT(figure, x.tolerance), .digits = 4,
      .about = "rounding and three standard errors" },
    { "reason", IV_AT(figure, x.reason), .about = "why it differs, where that is known" },
    { NULL } };

/* Table by table, in the order in which they were made. */
static int put_figures(iv_result *out, iv_arena *own, const iv_papers *p, iv_err *err)
{
    const iv_published *x;
    const size_t count = iv_papers_rows(&x, p);
    figure *rows = iv_take(own, count, sizeof *rows), *next = rows;

    IV_TRY(iv_taken(own, err));
    for (size_t k = 0; k < IV_PAPER_TABLES * count; k++) {
        const iv_published *r = &x[k % count];
        if (r->table != (iv_paper_table)(k / count))
            continue;
        *next = (figure){ name_of(r->table), *r };
        if (r->verdict == IV_OTHER_DATA)
            next->x.tolerance = NAN;
        if (r->verdict == IV_DIFFERS && r->reason == NULL)
            next->x.reason = "not explained";
        next++;
    }
    (void)iv_result_rows(out, &(iv_rows){ "papers", iv_study_paper_fields, rows, count, sizeof *rows });
    return IV_OK;
}

/* The verdicts on a table, or on all for IV_PAPER_TABLES. */
typedef struct verdicts {
    table_name name;
    size_t cells, agree, differ, other_data;
    const char *what;
} verdicts;

const iv_field iv_study_verdict_fields[] = {
    { "paper", IV_AT(verdicts, name.paper), .about = "by its first author" },
    { "table", IV_AT(verdicts, name.table), .about = "numbers: the figures in its text" },
    { "cells", IV_AT(verdicts, cells), .about = "figures" },
    { "agree", IV_AT(verdicts, agree), .about = "within the tolerance" },
    { "differ", IV_AT(verdicts, differ), .about = "beyond it" },
    { "other_data", IV_AT(verdicts, other_data), .about = "without a verdict" },
    { "what", IV_AT(verdicts, what), .about = "what the table holds" },
    { NULL } };

static verdicts count_verdicts(const iv_papers *p, iv_paper_table table)
{
    const iv_published *x;
    const size_t count = iv_papers_rows(&x, p);
    verdicts v = { 0 };

    for (size_t i = 0; i < count; i++) {
        if (table != IV_PAPER_TABLES && x[i].table != table)
            continue;
        v.cells++;
        v.agree += x[i].verdict == IV_AGREES;
        v.differ += x[i].verdict == IV_DIFFERS;
        v.other_data += x[i].verdict == IV_OTHER_DATA;
    }
    return v;
}

static void put_verdicts(iv_result *out, const iv_papers *p, const bool *wanted)
{
    verdicts rows[IV_PAPER_TABLES];
    size_t count = 0;

    for (int k = 0; k < IV_PAPER_TABLES; k++) {
        const iv_paper_table table = (iv_paper_table)k;
        if (!wanted[k])
            continue;
        rows[count] = count_verdicts(p, table);
        rows[count].name = name_of(table);
        rows[count++].what = iv_paper_table_about(table);
    }
    (void)iv_result_rows(out, &(iv_rows){ "paper_tables", iv_study_verdict_fields, rows, count,
                                          sizeof *rows });
}

static void tell(iv_result *out, const iv_papers *p, const bool *wanted, bool quick)
{
    const verdicts all = count_verdicts(p, IV_PAPER_TABLES);

    iv_result_answer(out, "%zu published figures: %zu agree, %zu differ, %zu are of other data.",
                     all.cells, all.agree, all.differ, all.other_data);
    for (int k = 0; k < IV_PAPER_TABLES; k++)
        if (wanted[k] && iv_papers_missing(p, (iv_paper_table)k) != NULL)
            iv_result_note(out, "%s: %s", iv_paper_table_names()[k],
                           iv_papers_missing(p, (iv_paper_table)k));
    iv_result_note(out, "a figure agrees when it is within its rounding and %g standard "
                   "errors of ours (tolerance); se is that of the difference: ours where we "
                   "simulate, and theirs where it is printed or follows from the size of their "
                   "experiment", IV_PAPERS_SIGMA);
    if (quick)
        iv_result_note(out, "quick: smaller simulations, with the larger standard errors "
                       "that are shown");
}

int iv_study_tell_papers(iv_result *out, const iv_study_all_question *q, const iv_study_data *d,
                         const bool wanted[IV_PAPER_TABLES], const iv_work *work, iv_err *err)
{
    iv_papers_options o = {
        .quick = q->quick, .robust2004 = d->robust2004, .runs = d->collection.in.runs,
        .run_count = d->collection.in.count, .judged = d->collection.judged };
    iv_arena own = { 0 };
    iv_papers *p = NULL;

    memcpy(o.wanted, wanted, sizeof o.wanted);
    IV_TRY(iv_papers_run(&p, &o, work, err));
    tell(out, p, wanted, q->quick);
    const int rc = put_figures(out, &own, p, err);
    put_verdicts(out, p, wanted);
    iv_papers_free(p);
    iv_arena_free(&own);
    return rc;
}
