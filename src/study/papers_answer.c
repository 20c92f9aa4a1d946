/* SPDX-License-Identifier: Apache-2.0 */
/* What intervale papers shows: the list, verdicts, tables in the paper's layout, figures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_parts.h"
#include "study/papers.h"
#include "study/study_columns.h"
#include "base/base_private.h"

typedef struct paper {
    const char *name, *what, *key;
    int (*make)(iv_paper_run *p, iv_err *err);
    const char *used[3]; /* methods, by their ids */
} paper;

static const paper papers[IV_PAPERS] = {
    { "webber", "Webber 2013: intervals on recall", "webber2013recall", iv_paper_webber,
      { "betabin", "koopman", "wilson" } },
    { "aslam", "Aslam & Pavlu 2008: sampled judgments", "aslam2008practical", iv_paper_aslam,
      { "stevens", "aslam-pavlu" } },
    { "carterette", "Carterette & Smucker 2007: tests with incomplete judgments",
      "carterette2007hypothesis", iv_paper_carterette, { "incomplete" } },
    { "park", "Park 2011: bootstrap intervals on MAP", "park2011bootstrap", iv_paper_park,
      { "logit-bootstrap", "bootstrap", "bca" } },
    { "goutte", "Goutte & Gaussier 2005: posteriors of precision, recall and F",
      "goutte2005probabilistic", iv_paper_goutte, { "goutte" } },
};

const iv_field iv_paper_list_fields[] = {
    { "paper", IV_AT(paper, name), .about = "intervale papers NAME repeats it" },
    { "what", IV_AT(paper, what), .about = "authors, year and subject" },
    { "key", IV_AT(paper, key), .about = "of the reference" },
    { NULL } };

const iv_field iv_paper_value_fields[] = {
    { "item", IV_AT(iv_paper_value, item), .about = "table, row and column of the paper" },
    { "section", IV_AT(iv_paper_value, section), .about = "of the paper" },
    { "printed", IV_AT(iv_paper_value, text), .about = "value as printed" },
    { "computed", IV_AT(iv_paper_value, computed), .digits = 4, .about = "by this program" },
    { "tolerance", IV_AT(iv_paper_value, tolerance), .digits = 4,
      .about = "rounding and three standard errors of both simulations" },
    { "verdict", IV_AT(iv_paper_value, verdict), .names = iv_paper_verdict_names,
      .about = "agrees, differs, quick (simulated with few replicates), other data, not repeated" },
    { "reason", IV_AT(iv_paper_value, reason), .about = "why it differs or is not repeated" },
    { NULL } };

/* Verdicts of one table, or of all for an empty name. */
typedef struct verdicts {
    iv_str table;
    size_t values, count[5];
} verdicts;

const iv_field iv_paper_verdict_fields[] = {
    { "table", IV_AT(verdicts, table), .about = "of the paper" },
    { "values", IV_AT(verdicts, values), .about = "printed" },
    { "agree", IV_AT(verdicts, count[0]), .about = "within the tolerance" },
    { "differ", IV_AT(verdicts, count[1]), .about = "outside the tolerance" },
    { "quick", IV_AT(verdicts, count[2]), .about = "simulated with few replicates: no verdict" },
    { "other_data", IV_AT(verdicts, count[3]), .about = "computed on other data: no verdict" },
    { "not_repeated", IV_AT(verdicts, count[4]), .about = "see the reason" },
    { NULL } };

static verdicts count_verdicts(const iv_paper_run *p, iv_str table)
{
    verdicts v = { .table = table };

    for (size_t i = 0; i < p->values; i++) {
        if (table.len > 0 && iv_str_cmp(p->value[i].table, table) != 0)
            continue;
        v.values++;
        v.count[p->value[i].verdict]++;
    }
    return v;
}

/* The tables of the paper, in its order. */
static size_t list_tables(iv_str *out, const iv_paper_run *p)
{
    size_t count = 0;

    for (size_t i = 0; i < p->values; i++) {
        size_t k = 0;
        while (k < count && iv_str_cmp(out[k], p->value[i].table) != 0)
            k++;
        if (k == count)
            out[count++] = p->value[i].table;
    }
    return count;
}

enum { COLUMNS = 12, CELL = 48 };

/* A row of a table in the paper's layout. */
typedef struct layout_row {
    iv_str row;
    char cell[COLUMNS][CELL];
} layout_row;

static void write_cell(char *out, const iv_paper_value *v)
{
    static const char *const marks[] = { "", " differs", " (quick)", " (other data)", "" };

    if (v->verdict == IV_PAPER_NOT_REPEATED)
        (void)snprintf(out, CELL, "%.*s (not repeated)", (int)v->text.len, v->text.ptr);
    else
        (void)snprintf(out, CELL, "%.4g | %.*s%s", v->computed, (int)v->text.len, v->text.ptr,
                       marks[v->verdict]);
}

/* Rows and columns as they first come; more columns than fit are left to table values. */
static int put_layout(iv_paper_run *p, iv_str table, iv_err *err)
{
    layout_row *rows = iv_take(&p->own, p->values, sizeof *rows);
    iv_field *fields = iv_take(&p->own, COLUMNS + 2, sizeof *fields);
    char *name = iv_arena_copy(&p->own, table);
    iv_str columns[COLUMNS];
    size_t count = 0, width = 0;

    IV_TRY(iv_taken(&p->own, err));
    fields[0] = (iv_field){ "row", IV_AT(layout_row, row), .about = "computed | printed" };
    for (size_t i = 0; i < p->values; i++) {
        const iv_paper_value *v = &p->value[i];
        size_t r = 0, c = 0;
        if (iv_str_cmp(v->table, table) != 0)
            continue;
        while (r < count && iv_str_cmp(rows[r].row, v->row) != 0)
            r++;
        while (c < width && iv_str_cmp(columns[c], v->column) != 0)
            c++;
        if (c == COLUMNS)
            continue;
        if (r == count)
            rows[count++].row = v->row;
        if (c == width) {
            columns[width++] = v->column;
            fields[width] = (iv_field){ iv_arena_copy(&p->own, v->column), IV_AS_TEXT, CELL,
                                        offsetof(layout_row, cell) + c * CELL };
        }
        write_cell(rows[r].cell[c], v);
    }
    fields[width + 1] = (iv_field){ NULL };
    IV_TRY(iv_taken(&p->own, err));
    IV_TABLE(p->out, name, fields, rows, count, .showing = IV_ASIDE);
    return IV_OK;
}

const iv_field iv_paper_point_fields[] = {
    { "figure", IV_AT(iv_row, text[0]), .about = "of the paper" },
    { "panel", IV_AT(iv_row, text[1]), .about = "of the figure" },
    { "curve", IV_AT(iv_row, text[2]), .about = "of the panel" },
    { "x", IV_AT(iv_row, real[0]), .digits = 4, .about = "horizontal" },
    { "y", IV_AT(iv_row, real[1]), .digits = 4, .about = "vertical" },
    { NULL } };

/* Figures before pictures of tables, each in the order of their first number. */
static int by_number(const void *a, const void *b)
{
    const char *x = ((const iv_chart *)a)->title, *y = ((const iv_chart *)b)->title;
    const int m = atoi(x + strcspn(x, "0123456789")), n = atoi(y + strcspn(y, "0123456789"));

    return x[0] != y[0] ? x[0] - y[0] : (m > n) - (m < n);
}

static int put_tables(iv_paper_run *p, iv_err *err)
{
    iv_str *tables = iv_take(&p->own, p->values, sizeof *tables);
    verdicts *counts = iv_take(&p->own, p->values, sizeof *counts);
    iv_paper_value *differ = iv_take(&p->own, p->values, sizeof *differ);
    size_t differing = 0;

    IV_TRY(iv_taken(&p->own, err));
    const size_t count = list_tables(tables, p);
    for (size_t i = 0; i < p->values; i++)
        if (p->value[i].verdict == IV_PAPER_DIFFERS || p->value[i].verdict == IV_PAPER_NOT_REPEATED)
            differ[differing++] = p->value[i];
    for (size_t i = 0; i < count; i++)
        counts[i] = count_verdicts(p, tables[i]);
    IV_TABLE(p->out, "values", iv_paper_value_fields, p->value, p->values, .showing = IV_FOLDED);
    IV_TABLE(p->out, "verdicts", iv_paper_verdict_fields, counts, count);
    IV_TABLE(p->out, "differs", iv_paper_value_fields, differ, differing);
    for (size_t i = 0; i < count; i++)
        IV_TRY(put_layout(p, tables[i], err));
    IV_TABLE(p->out, "figures", iv_paper_point_fields, p->point, p->points, .showing = IV_FOLDED);
    qsort(p->figure, p->figures, sizeof *p->figure, by_number);
    for (size_t i = 0; i < p->figures; i++)
        iv_result_chart(p->out, &p->figure[i]);
    return iv_result_status(p->out, err);
}

static int answer_paper(iv_result *out, const iv_papers_question *q, const paper *which,
                        const iv_work *work, iv_err *err)
{
    iv_paper_run p = { .q = q, .out = out, .work = work };
    int rc = iv_paper_read(&p, which->name, err);

    if (rc == IV_OK)
        rc = which->make(&p, err);
    /* Reasons are for what differs or is not repeated. */
    for (size_t i = 0; i < p.values; i++) {
        iv_paper_value *v = &p.value[i];
        if (v->verdict != IV_PAPER_DIFFERS && v->verdict != IV_PAPER_NOT_REPEATED)
            v->reason = (iv_str){ "", 0 };
        else if (v->reason.len == 0)
            v->reason = iv_str_of(v->verdict == IV_PAPER_DIFFERS ? "not explained"
                                                                 : "not computed");
    }
    if (rc == IV_OK && p.unknown > 0)
        rc = iv_fail(err, IV_EARG, "%zu computed values of %s have no printed one", p.unknown,
                     which->name);
    if (rc == IV_OK) {
        const verdicts all = count_verdicts(&p, (iv_str){ "", 0 });
        iv_result_answer(out, "%s. Printed values: %zu; agreeing: %zu; differing: %zu; without a "
                         "verdict: %zu.", which->what, all.values, all.count[0],
                         all.count[1], all.values - all.count[0] - all.count[1]);
        rc = put_tables(&p, err);
        iv_result_legend(out, "A value agrees when it is within half a unit of its last printed "
                         "digit and three standard errors of both simulations.");
        for (size_t i = 0; i < 3 && which->used[i] != NULL; i++)
            iv_result_used(out, which->used[i]);
    }
    free(p.point);
    iv_arena_free(&p.own);
    return rc;
}

int iv_papers_answer(iv_result *out, const iv_papers_question *q, const iv_work *work, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];

    for (int k = 0; k < IV_PAPERS && q->paper != NULL; k++)
        if (strcmp(q->paper, papers[k].name) == 0)
            return answer_paper(out, q, &papers[k], work, err);
    if (q->paper != NULL)
        return iv_fail(err, IV_EARG, "unknown paper %s; expected webber, aslam, carterette, park "
                       "or goutte", iv_quote(quoted, iv_str_of(q->paper)));
    iv_result_answer(out, "The methods come from five papers; 'intervale papers webber' computes "
                     "what Webber printed.");
    IV_TABLE(out, "papers", iv_paper_list_fields, papers, IV_PAPERS);
    return iv_result_status(out, err);
}
