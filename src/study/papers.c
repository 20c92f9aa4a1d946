/* SPDX-License-Identifier: Apache-2.0 */
/* What intervale papers shows: the list, verdicts, tables in the paper's layout, figures. */
#include "base/err.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/parallel.h"
#include "result/methods.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

IV_NAMES(iv_paper_verdict_names, "agrees", "differs", "holds here", "fails here", "quick",
         "cannot be checked", "input")

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
    { "kind", IV_AT(iv_paper_value, kind), .names = iv_paper_kind_names,
      .about = "printed value; identity (not printed: it follows from a definition); input (others "
               "are computed from it); claim" },
    { "printed", IV_AT(iv_paper_value, text), .about = "value as printed; of a claim, what makes "
      "it true" },
    { "computed", IV_AT(iv_paper_value, computed), .digits = 4, .about = "by this program" },
    { "tolerance", IV_AT(iv_paper_value, tolerance), .digits = 4,
      .about = "rounding and three standard errors of both simulations" },
    { "weak", IV_AT(iv_paper_value, weak), .about = "1: the tolerance is above 10 % of the value" },
    { "verdict", IV_AT(iv_paper_value, verdict), .names = iv_paper_verdict_names,
      .about = "agrees, differs; of claims and of other data: holds here, fails here; quick "
               "(simulated with few replicates), cannot be checked, input" },
    { "data", IV_AT(iv_paper_value, data), .about = "other data than the paper's" },
    { "reason", IV_AT(iv_paper_value, reason), .about = "why it differs or cannot be checked" },
    { NULL } };

/* The same rows; the reason is beside the verdict. */
const iv_field iv_paper_failure_fields[] = {
    { "item", IV_AT(iv_paper_value, item), .about = "table, row and column of the paper" },
    { "printed", IV_AT(iv_paper_value, text), .about = "value as printed; of a claim, what makes "
      "it true" },
    { "computed", IV_AT(iv_paper_value, computed), .digits = 4, .about = "by this program" },
    { "verdict", IV_AT(iv_paper_value, verdict), .names = iv_paper_verdict_names,
      .about = "differs, fails here or cannot be checked" },
    { "reason", IV_AT(iv_paper_value, reason), .about = "why" },
    { "section", IV_AT(iv_paper_value, section), .audience = IV_IF_VERBOSE,
      .about = "of the paper" },
    { "kind", IV_AT(iv_paper_value, kind), .audience = IV_IF_VERBOSE,
      .names = iv_paper_kind_names, .about = "printed value, identity or claim" },
    { "tolerance", IV_AT(iv_paper_value, tolerance), .digits = 4, .audience = IV_IF_VERBOSE,
      .about = "rounding and three standard errors of both simulations" },
    { "data", IV_AT(iv_paper_value, data), .audience = IV_IF_VARIES,
      .about = "other data than the paper's" },
    { NULL } };

/* Claims of the paper: of this run, and recorded from collections that cannot be shipped. */
typedef struct claim {
    const iv_paper_value *of;
    iv_paper_value found;
    const char *data, *from;
} claim;

const iv_field iv_paper_claim_fields[] = {
    { "claim", IV_AT(claim, found.item), .about = "and the value that is looked at" },
    { "data", IV_AT(claim, data), .about = "it is checked on" },
    { "verdict", IV_AT(claim, found.verdict), .names = iv_paper_verdict_names,
      .about = "holds here, fails here, quick, cannot be checked" },
    { "printed", IV_AT(claim, found.text), .about = "what makes it true" },
    { "computed", IV_AT(claim, found.computed), .digits = 4, .about = "by this program" },
    { "section", IV_AT(claim, found.section), .about = "of the paper" },
    { "from", IV_AT(claim, from), .about = "this run, or recorded from an earlier one" },
    { NULL } };

/* A section of the paper, and the command that does what it describes. */
typedef struct section {
    iv_str section, subject, command;
} section;

const iv_field iv_paper_command_fields[] = {
    { "section", IV_AT(section, section), .about = "of the paper" },
    { "command", IV_AT(section, command), .about = "that does it with your data" },
    { "subject", IV_AT(section, subject), .about = "what it is about" },
    { NULL } };

/* Verdicts of one table, of one kind, or of all for an empty name. */
typedef struct verdicts {
    iv_str table;
    size_t values, weak, count[IV_PAPER_VERDICTS];
} verdicts;

#define VERDICT_FIELDS                                                                           \
    { "rows", IV_AT(verdicts, values), .about = "printed" },                                      \
    { "agree", IV_AT(verdicts, count[IV_PAPER_AGREES]), .about = "within the tolerance" },        \
    { "weak", IV_AT(verdicts, weak), .about = "that agree, with a tolerance above 10 %" },        \
    { "differ", IV_AT(verdicts, count[IV_PAPER_DIFFERS]), .about = "outside the tolerance" },     \
    { "hold", IV_AT(verdicts, count[IV_PAPER_HOLDS]),                                             \
      .about = "claims, and values on other data that are within 10 % of the printed ones" },     \
    { "fail", IV_AT(verdicts, count[IV_PAPER_FAILS]), .about = "claims and values, that do not" },\
    { "quick", IV_AT(verdicts, count[IV_PAPER_QUICK]), .about = "few replicates: no verdict" },   \
    { "cannot_be_checked", IV_AT(verdicts, count[IV_PAPER_UNCHECKED]),                            \
      .about = "see the reason" },                                                                \
    { "inputs", IV_AT(verdicts, count[IV_PAPER_USED]), .about = "not compared" }

const iv_field iv_paper_total_fields[] = {
    { "kind", IV_AT(verdicts, table), .about = "printed value, identity, input or claim" },
    VERDICT_FIELDS, { NULL } };

const iv_field iv_paper_verdict_fields[] = {
    { "table", IV_AT(verdicts, table), .about = "of the paper" }, VERDICT_FIELDS, { NULL } };

static void count_verdict(verdicts *v, const iv_paper_value *x)
{
    v->values++;
    v->count[x->verdict]++;
    v->weak += x->weak && x->verdict == IV_PAPER_AGREES;
}

static verdicts count_verdicts(const iv_paper_run *p, iv_str table)
{
    verdicts v = { .table = table };

    for (size_t i = 0; i < p->values; i++)
        if (iv_str_cmp(p->value[i].table, table) == 0)
            count_verdict(&v, &p->value[i]);
    return v;
}

static void count_kinds(verdicts out[IV_PAPER_KINDS], const iv_paper_run *p)
{
    for (int k = 0; k < IV_PAPER_KINDS; k++)
        out[k] = (verdicts){ .table = iv_str_of(iv_paper_kind_names()[k]) };
    for (size_t i = 0; i < p->values; i++)
        count_verdict(&out[p->value[i].kind], &p->value[i]);
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
    static const char *const marks[] = { "", " differs", " holds here", " fails here", " (quick)" };

    if (v->verdict >= IV_PAPER_UNCHECKED)
        (void)snprintf(out, CELL, "%.*s (%s)", (int)v->text.len, v->text.ptr,
                       iv_paper_verdict_names()[v->verdict]);
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
    { "figure", IV_AT(iv_paper_point, figure), .about = "of the paper" },
    { "panel", IV_AT(iv_paper_point, panel), .about = "of the figure" },
    { "curve", IV_AT(iv_paper_point, curve), .about = "of the panel" },
    { "x", IV_AT(iv_paper_point, x), .digits = 4, .about = "horizontal" },
    { "y", IV_AT(iv_paper_point, y), .digits = 4, .about = "vertical" },
    { NULL } };

/* Figures before pictures of tables, each in the order of their first number. */
static int by_number(const void *a, const void *b)
{
    const char *x = ((const iv_chart *)a)->title, *y = ((const iv_chart *)b)->title;
    const int m = atoi(x + strcspn(x, "0123456789")), n = atoi(y + strcspn(y, "0123456789"));

    return x[0] != y[0] ? x[0] - y[0] : m != n ? (m > n) - (m < n) : strcmp(x, y);
}

/* Do they stand in one table, and cannot be checked for one reason? */
static bool alike(const iv_paper_value *a, const iv_paper_value *b)
{
    return a->verdict == IV_PAPER_UNCHECKED && b->verdict == IV_PAPER_UNCHECKED
        && iv_str_cmp(a->table, b->table) == 0 && iv_str_cmp(a->reason, b->reason) == 0;
}

/* What differs or fails, and then what cannot be checked, in one row where it is alike. */
static size_t list_failures(iv_paper_value *out, iv_paper_run *p)
{
    size_t count = 0, same = 1;

    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < p->values; i++) {
            const iv_paper_value *v = &p->value[i];
            const bool failed = v->verdict == IV_PAPER_DIFFERS || v->verdict == IV_PAPER_FAILS;
            if (v->kind == IV_PAPER_WORDS || (pass == 0 ? !failed
                                              : v->verdict != IV_PAPER_UNCHECKED))
                continue;
            same = count > 0 && alike(&out[count - 1], v) ? same + 1 : 1;
            if (same == 1)
                out[count++] = *v;
            else
                out[count - 1].item = iv_paper_text(p, "%.*s (%zu values)", (int)v->table.len,
                                                    v->table.ptr, same);
        }
    return count;
}

static int by_failure(const void *a, const void *b)
{
    const claim *x = a, *y = b;
    const int m = x->found.verdict == IV_PAPER_FAILS, n = y->found.verdict == IV_PAPER_FAILS;

    if (m != n)
        return n - m;
    if (x->of != y->of)
        return x->of < y->of ? -1 : 1;
    return strcmp(x->data, y->data) != 0 ? strcmp(x->data, y->data) : strcmp(x->from, y->from);
}

/* Was this value computed on collections that cannot be shipped? */
static bool is_recorded(const iv_paper_run *p, const iv_paper_value *v)
{
    iv_str rest = iv_paper_file("recorded"), line;

    while (iv_paper_line(&line, &rest))
        if (iv_str_cmp(iv_paper_field(line, 0), iv_str_of(p->name)) == 0
            && iv_str_cmp(iv_paper_field(line, 1), iv_str_of(v->item)) == 0)
            return true;
    return false;
}

/* Claims, and printed values that were also computed on collections that cannot be shipped. */
static int list_claims(claim **out, size_t *count, iv_paper_run *p, iv_err *err)
{
    iv_str rest = iv_paper_file("recorded"), line, all = rest;
    size_t recorded = 0, n = 0;

    while (iv_paper_line(&line, &all))
        recorded++;
    claim *c = iv_take(&p->own, p->values + recorded, sizeof *c);
    IV_TRY(iv_taken(&p->own, err));
    for (size_t i = 0; i < p->values; i++)
        if (p->value[i].kind == IV_PAPER_CLAIM
            || (p->value[i].data != NULL && is_recorded(p, &p->value[i])))
            c[n++] = (claim){ &p->value[i], p->value[i],
                              p->value[i].data != NULL ? p->value[i].data : "the paper's",
                              "this run" };
    while (iv_paper_line(&line, &rest))
        for (size_t i = 0; i < p->values; i++) {
            claim *x = &c[n];
            if (iv_str_cmp(iv_paper_field(line, 0), iv_str_of(p->name)) != 0
                || iv_str_cmp(iv_paper_field(line, 1), iv_str_of(p->value[i].item)) != 0)
                continue;
            *x = (claim){ &p->value[i], p->value[i],
                          iv_arena_copy(&p->own, iv_paper_field(line, 2)), "recorded" };
            IV_TRY(iv_taken(&p->own, err));
            x->found.data = x->data;
            x->found.computed = iv_paper_number(line, 3);
            x->found.se = iv_paper_number(line, 4);
            iv_paper_judge(&x->found, false);
            n++;
        }
    qsort(c, n, sizeof *c, by_failure);
    *out = c;
    *count = n;
    return IV_OK;
}

/* The paper's sections and our commands. */
static int put_commands(iv_paper_run *p, iv_err *err)
{
    iv_str rest = iv_paper_file("commands"), line, all = rest;
    size_t lines = 0, count = 0;

    while (iv_paper_line(&line, &all))
        lines++;
    section *s = iv_take(&p->own, lines, sizeof *s);
    IV_TRY(iv_taken(&p->own, err));
    while (iv_paper_line(&line, &rest))
        if (iv_str_cmp(iv_paper_field(line, 0), iv_str_of(p->name)) == 0)
            s[count++] = (section){ iv_paper_field(line, 1), iv_paper_field(line, 2),
                                    iv_paper_field(line, 3) };
    IV_TABLE(p->out, "commands", iv_paper_command_fields, s, count);
    return IV_OK;
}

/* Totals by kind, of kinds that the paper has. */
static void put_totals(iv_paper_run *p, const verdicts kinds[IV_PAPER_KINDS])
{
    verdicts had[IV_PAPER_KINDS];
    size_t count = 0;

    for (int k = 0; k < IV_PAPER_KINDS; k++)
        if (kinds[k].values > 0)
            had[count++] = kinds[k];
    IV_TABLE(p->out, "totals", iv_paper_total_fields, had, count);
}

static int put_tables(iv_paper_run *p, const verdicts kinds[IV_PAPER_KINDS], iv_err *err)
{
    iv_str *tables = iv_take(&p->own, p->values, sizeof *tables);
    verdicts *counts = iv_take(&p->own, p->values, sizeof *counts);
    iv_paper_value *failed = iv_take(&p->own, p->values, sizeof *failed);
    size_t claim_count;
    claim *claims;

    IV_TRY(iv_taken(&p->own, err));
    IV_TRY(list_claims(&claims, &claim_count, p, err));
    const size_t count = list_tables(tables, p), failures = list_failures(failed, p);
    for (size_t i = 0; i < count; i++)
        counts[i] = count_verdicts(p, tables[i]);
    IV_TABLE(p->out, "values", iv_paper_value_fields, p->value, p->values, .showing = IV_FOLDED);
    put_totals(p, kinds);
    IV_TABLE(p->out, "differs", iv_paper_failure_fields, failed, failures);
    if (claim_count > 0)
        IV_TABLE(p->out, "claims", iv_paper_claim_fields, claims, claim_count);
    IV_TABLE(p->out, "verdicts", iv_paper_verdict_fields, counts, count);
    IV_TRY(put_commands(p, err));
    for (size_t i = 0; i < count; i++)
        IV_TRY(put_layout(p, tables[i], err));
    IV_TABLE(p->out, "figures", iv_paper_point_fields, p->point, p->points, .showing = IV_FOLDED);
    qsort(p->figure, p->figures, sizeof *p->figure, by_number);
    for (size_t i = 0; i < p->figures; i++)
        iv_result_chart(p->out, &p->figure[i]);
    return iv_result_status(p->out, err);
}

/* Reasons are for what differs, fails or cannot be checked. */
static void keep_reasons(iv_paper_run *p)
{
    for (size_t i = 0; i < p->values; i++) {
        iv_paper_value *v = &p->value[i];
        const bool failed = v->verdict == IV_PAPER_DIFFERS || v->verdict == IV_PAPER_FAILS;
        if (!failed && v->verdict != IV_PAPER_UNCHECKED)
            v->reason = (iv_str){ "", 0 };
        else if (v->reason.len == 0)
            v->reason = iv_str_of(!failed ? "it needs data or runs that were not given"
                                  : v->data != NULL ? "other data" : "not explained");
    }
}

/* "7 agree, 1 differs, 5 cannot be checked": every value is in one share. */
static const char *shares(iv_paper_run *p, const verdicts *v)
{
    static const struct { iv_paper_verdict verdict; const char *one, *more; } part[] = {
        { IV_PAPER_AGREES, "agrees", "agree" },
        { IV_PAPER_DIFFERS, "differs", "differ" },
        { IV_PAPER_HOLDS, "holds here", "hold here" },
        { IV_PAPER_FAILS, "fails here", "fail here" },
        { IV_PAPER_QUICK, "has no verdict with --quick", "have no verdict with --quick" },
        { IV_PAPER_UNCHECKED, "cannot be checked", "cannot be checked" },
    };
    const char *said = "";

    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        const size_t n = v->count[part[i].verdict];
        if (n > 0)
            said = iv_paper_text(p, "%s%s%zu %s", said, *said != '\0' ? ", " : "", n,
                                 n == 1 ? part[i].one : part[i].more);
    }
    return said;
}

static int answer_paper(iv_result *out, const iv_papers_question *q, const paper *which,
                        const iv_work *work, iv_err *err)
{
    iv_paper_run p = { .q = q, .name = which->name, .out = out, .work = work };
    verdicts kinds[IV_PAPER_KINDS];
    int rc = iv_paper_read(&p, which->name, err);

    if (rc == IV_OK)
        rc = which->make(&p, err);
    keep_reasons(&p);
    if (rc == IV_OK && p.unknown > 0)
        rc = iv_fail(err, IV_EARG, "%zu computed values of %s have no printed one", p.unknown,
                     which->name);
    if (rc == IV_OK) {
        count_kinds(kinds, &p);
        iv_result_answer(out, "%s. Of %zu printed values %s. Of %zu claims %s.", which->what,
                         kinds[IV_PAPER_PRINTED].values, shares(&p, &kinds[IV_PAPER_PRINTED]),
                         kinds[IV_PAPER_CLAIM].values, shares(&p, &kinds[IV_PAPER_CLAIM]));
        if (q->judgments != NULL)
            iv_result_note(out, "Values of runs are of your %zu runs with the judgments %s, not of "
                           "simulated ones.", q->runs.count, q->judgments);
        rc = put_tables(&p, kinds, err);
        iv_result_legend(out, "A value agrees when it is within half a unit of its last printed "
                         "digit and three standard errors of both simulations. On other data it "
                         "holds within 10 %% of the printed value.");
        for (size_t i = 0; i < 3 && which->used[i] != NULL; i++)
            iv_result_used(out, which->used[i]);
    }
    free(p.point);
    iv_arena_free(&p.own);
    return rc;
}

/* Data that the paper does not use. */
static int refuse_data(const iv_papers_question *q, iv_err *err)
{
    const bool park = strcmp(q->paper, "park") == 0;
    const bool carterette = strcmp(q->paper, "carterette") == 0;

    if (q->judgments != NULL && !park && !carterette && strcmp(q->paper, "aslam") != 0)
        return iv_fail(err, IV_EARG, "--qrels and runs are not used for the paper %s, only for "
                       "aslam, carterette and park", q->paper);
    if (q->judgments != NULL && q->robust2004 != NULL && park)
        return iv_fail(err, IV_EARG, "--qrels and --robust2004 for the paper park; expected one");
    if (q->robust2004 != NULL && !park && !carterette)
        return iv_fail(err, IV_EARG, "--robust2004 is not used for the paper %s, only for park and "
                       "carterette", q->paper);
    if (q->by != IV_ROWS_AUTO && q->robust2004 == NULL)
        return iv_fail(err, IV_EARG, "--by is not used without --robust2004");
    return IV_OK;
}

int iv_papers_answer(iv_result *out, const iv_papers_question *q, const iv_work *work, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];

    for (int k = 0; k < IV_PAPERS && q->paper != NULL; k++)
        if (strcmp(q->paper, papers[k].name) == 0)
            return refuse_data(q, err) != IV_OK ? err->code
                : answer_paper(out, q, &papers[k], work, err);
    if (q->paper != NULL)
        return iv_fail(err, IV_EARG, "unknown paper %s; expected webber, aslam, carterette, park "
                       "or goutte", iv_quote(quoted, iv_str_of(q->paper)));
    if (q->judgments != NULL || q->robust2004 != NULL || q->by != IV_ROWS_AUTO)
        return iv_fail(err, IV_EARG, "data without a paper; expected 'intervale papers NAME'");
    iv_result_answer(out, "The methods come from five papers; 'intervale papers webber' computes "
                     "what Webber printed.");
    IV_TABLE(out, "papers", iv_paper_list_fields, papers, IV_PAPERS);
    return iv_result_status(out, err);
}
