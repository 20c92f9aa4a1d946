/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table of strata: stratum,N,n,r and either a column `segment` or one column
 * a run that marks what the run retrieved (1/0 or R/N).
 */
#include <stdlib.h>
#include <string.h>

#include "command/recall_cases.h"

typedef struct table {
    const char *path;
    iv_csv *csv;
    size_t name, N, n, r, segment; /* columns; segment may be IV_NONE */
    iv_stratum *strata;            /* one a row */
    size_t *runs;                  /* columns of runs */
    size_t run_count;
    bool *skipped;                 /* rows left out: nothing sampled */
} table;

enum { MARK_NONE = -1, MARK_UNRETRIEVED = 0, MARK_RETRIEVED = 1 };

static int mark_of(iv_str cell)
{
    if (cell.len != 1)
        return MARK_NONE;
    return cell.ptr[0] == '1' || cell.ptr[0] == 'R'   ? MARK_RETRIEVED
           : cell.ptr[0] == '0' || cell.ptr[0] == 'N' ? MARK_UNRETRIEVED : MARK_NONE;
}

static bool same_word(iv_str cell, const char *word)
{
    if (cell.len != strlen(word))
        return false;
    for (size_t i = 0; i < cell.len; i++) {
        const char ch = cell.ptr[i];
        if ((ch >= 'A' && ch <= 'Z' ? (char)(ch - 'A' + 'a') : ch) != word[i])
            return false;
    }
    return true;
}

static int segment_of(iv_str cell)
{
    return same_word(cell, "retrieved")     ? MARK_RETRIEVED
           : same_word(cell, "unretrieved") ? MARK_UNRETRIEVED : MARK_NONE;
}

static unsigned long long line_of(const table *t, size_t row)
{
    return (unsigned long long)iv_csv_line(t->csv, row);
}

static int find_column(size_t *out, const table *t, const char *name, iv_err *err)
{
    *out = iv_csv_find(t->csv, iv_str_of(name));
    if (*out == IV_NONE)
        return iv_fail_at(err, IV_EPARSE, t->path, 1, "the header has no column '%s'; "
                          "expected stratum,N,n,r and segment, or one column a run", name);
    return IV_OK;
}

static int read_count(int64_t *out, const table *t, size_t row, size_t column,
                      const char *name, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];
    const iv_str cell = iv_csv_cell(t->csv, row, column);

    if (!iv_scan_int(out, cell, 0, IV_STRATUM_MAX))
        return iv_fail_at(err, IV_EPARSE, t->path, line_of(t, row), "%s is %s, expected a "
                          "whole number, at least 0", name, iv_quote(quoted, cell));
    return IV_OK;
}

static int read_row(table *t, size_t row, iv_err *err)
{
    iv_stratum *s = &t->strata[row];
    int rc = read_count(&s->size, t, row, t->N, "N", err);

    if (rc == IV_OK)
        rc = read_count(&s->sampled, t, row, t->n, "n", err);
    if (rc == IV_OK)
        rc = read_count(&s->relevant, t, row, t->r, "r", err);
    if (rc < 0)
        return rc;
    if (s->sampled > s->size)
        return iv_fail_at(err, IV_EPARSE, t->path, line_of(t, row), "n = %lld sampled of N "
                          "= %lld documents", (long long)s->sampled, (long long)s->size);
    if (s->relevant > s->sampled)
        return iv_fail_at(err, IV_EPARSE, t->path, line_of(t, row), "r = %lld relevant of "
                          "n = %lld sampled", (long long)s->relevant, (long long)s->sampled);
    return IV_OK;
}

/* A name twice is a mistake, in one segment or in both. */
static int check_names(const table *t, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];

    for (size_t i = 0; i < iv_csv_rows(t->csv); i++) {
        const iv_str name = iv_csv_cell(t->csv, i, t->name);
        if (name.len == 0)
            return iv_fail_at(err, IV_EPARSE, t->path, line_of(t, i), "a stratum without a "
                              "name");
        for (size_t k = 0; k < i; k++) {
            if (iv_str_cmp(name, iv_csv_cell(t->csv, k, t->name)) != 0)
                continue;
            const bool both = t->segment != IV_NONE
                && iv_str_cmp(iv_csv_cell(t->csv, i, t->segment),
                              iv_csv_cell(t->csv, k, t->segment)) != 0;
            return iv_fail_at(err, IV_EPARSE, t->path, line_of(t, i), "stratum %s is on "
                              "line %llu already%s", iv_quote(quoted, name), line_of(t, k),
                              both ? ", in the other segment" : "");
        }
    }
    return IV_OK;
}

static int handle_unsampled(table *t, cmd_context *c, iv_err *err)
{
    const recall_args *a = c->args;
    char quoted[IV_QUOTE_SIZE];
    size_t skipped = 0;
    int64_t documents = 0;

    for (size_t i = 0; i < iv_csv_rows(t->csv); i++) {
        const iv_str name = iv_csv_cell(t->csv, i, t->name);
        if (t->strata[i].sampled > 0)
            continue;
        if (a->unsampled == UNSAMPLED_REFUSE)
            return iv_fail_at(err, IV_EPARSE, t->path, line_of(t, i), "stratum %s has n = "
                              "0: nothing is sampled, so it tells nothing; --unsampled "
                              "skip leaves it out, --unsampled prior lets the prior speak",
                              iv_quote(quoted, name));
        documents += t->strata[i].size;
        skipped++;
        t->skipped[i] = a->unsampled == UNSAMPLED_SKIP;
        if (a->unsampled == UNSAMPLED_PRIOR)
            iv_result_note(c->result, "Stratum %s has n = 0: the prior alone speaks for its "
                           "%lld documents.", iv_quote(quoted, name),
                           (long long)t->strata[i].size);
    }
    if (skipped > 0 && a->unsampled == UNSAMPLED_SKIP)
        iv_result_note(c->result, "%zu strat%s with n = 0, of %lld documents together, %s left "
                       "out.", skipped, skipped == 1 ? "um" : "a", (long long)documents,
                       skipped == 1 ? "is" : "are");
    return IV_OK;
}

/* The first row whose mark is none, or IV_NONE. */
static size_t first_unmarked(const table *t, size_t column)
{
    for (size_t i = 0; i < iv_csv_rows(t->csv); i++) {
        if (mark_of(iv_csv_cell(t->csv, i, column)) == MARK_NONE)
            return i;
    }
    return IV_NONE;
}

static int name_runs(table *t, const char *list, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE], other[IV_QUOTE_SIZE];

    for (const char *from = list; *from != '\0';) {
        const size_t length = strcspn(from, ",");
        const iv_str name = { from, length };
        const size_t column = iv_csv_find(t->csv, name);
        if (column == IV_NONE)
            return iv_fail_at(err, IV_EPARSE, t->path, 1, "the header has no column %s, "
                              "which --runs names", iv_quote(quoted, name));
        const size_t row = first_unmarked(t, column);
        if (row != IV_NONE)
            return iv_fail_at(err, IV_EPARSE, t->path, line_of(t, row), "run %s has %s, "
                              "expected 1 or 0, or R or N", iv_quote(quoted, name),
                              iv_quote(other, iv_csv_cell(t->csv, row, column)));
        t->runs[t->run_count++] = column;
        from += length + (from[length] == ',');
        if (t->run_count == iv_csv_columns(t->csv))
            break;
    }
    return t->run_count > 0 ? IV_OK : iv_fail(err, IV_EARG, "--runs names no run");
}

/* Columns that hold marks and nothing else are runs; the rest is told. */
static int find_runs(table *t, cmd_context *c, iv_err *err)
{
    char ignored[320] = "", quoted[IV_QUOTE_SIZE];
    size_t used = 0;

    for (size_t i = 0; i < iv_csv_columns(t->csv); i++) {
        if (i == t->name || i == t->N || i == t->n || i == t->r || i == t->segment)
            continue;
        if (t->segment == IV_NONE && first_unmarked(t, i) == IV_NONE) {
            t->runs[t->run_count++] = i;
            continue;
        }
        if (used < sizeof ignored - IV_QUOTE_SIZE - 40)
            used += (size_t)snprintf(ignored + used, sizeof ignored - used, "%s%s",
                                     used > 0 ? ", " : "",
                                     iv_quote(quoted, iv_csv_column(t->csv, i)));
        /* One wrong mark must not lose a run unnoticed. */
        if (t->segment == IV_NONE && mark_of(iv_csv_cell(t->csv, 0, i)) != MARK_NONE
            && used < sizeof ignored - 40)
            used += (size_t)snprintf(ignored + used, sizeof ignored - used,
                                     " (no mark on line %llu)",
                                     line_of(t, first_unmarked(t, i)));
    }
    if (t->segment == IV_NONE && t->run_count == 0)
        return iv_fail_at(err, IV_EPARSE, t->path, 1, "the header has no column 'segment', "
                          "and no other column marks what a run retrieved by 1 and 0, or R "
                          "and N%s%s", used > 0 ? ": not " : "", ignored);
    if (used > 0)
        iv_result_note(c->result, "Columns ignored: %s.", ignored);
    return IV_OK;
}

/* The strata of one run, or of the column segment. */
static int add_case(recall_cases *out, const table *t, size_t column, iv_err *err)
{
    const bool by_segment = column == t->segment;
    const iv_str run = by_segment ? iv_str_of("review") : iv_csv_column(t->csv, column);
    const size_t rows = iv_csv_rows(t->csv);
    iv_stratum *strata = malloc(rows * sizeof *strata);
    size_t count[2] = { 0, 0 }, used = 0;
    char quoted[IV_QUOTE_SIZE];
    int rc = strata == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    for (int side = 1; side >= 0 && rc == IV_OK; side--) {
        int64_t size = 0;
        for (size_t i = 0; i < rows && rc == IV_OK; i++) {
            const iv_str cell = iv_csv_cell(t->csv, i, column);
            const int mark = by_segment ? segment_of(cell) : mark_of(cell);
            if (mark == MARK_NONE)
                rc = iv_fail_at(err, IV_EPARSE, t->path, line_of(t, i), "segment is %s, "
                                "expected retrieved or unretrieved", iv_quote(quoted, cell));
            if (mark != side || t->skipped[i])
                continue;
            strata[used++] = t->strata[i];
            size += t->strata[i].size;
            count[side]++;
        }
        if (rc == IV_OK && size == 0)
            rc = iv_fail_at(err, IV_EPARSE, t->path, 1, "the %s segment of %s is empty",
                            side == 1 ? "retrieved" : "unretrieved",
                            by_segment ? "the review" : iv_quote(quoted, run));
    }
    if (rc == IV_OK && recall_add(out, run, (iv_str){ NULL, 0 }, strata, count[1], count[0]) == NULL)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    free(strata);
    return rc;
}

static int read_table(table *t, cmd_context *c, iv_err *err)
{
    const recall_args *a = c->args;
    const size_t rows = iv_csv_rows(t->csv);
    int rc = find_column(&t->name, t, "stratum", err);

    if (rc == IV_OK)
        rc = find_column(&t->N, t, "N", err);
    if (rc == IV_OK)
        rc = find_column(&t->n, t, "n", err);
    if (rc == IV_OK)
        rc = find_column(&t->r, t, "r", err);
    t->segment = a->runs != NULL ? IV_NONE : iv_csv_find(t->csv, iv_str_of("segment"));
    if (rc < 0)
        return rc;
    t->strata = calloc(rows, sizeof *t->strata);
    t->skipped = calloc(rows, sizeof *t->skipped);
    t->runs = calloc(iv_csv_columns(t->csv), sizeof *t->runs);
    if (t->strata == NULL || t->skipped == NULL || t->runs == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < rows && rc == IV_OK; i++)
        rc = read_row(t, i, err);
    if (rc == IV_OK)
        rc = check_names(t, err);
    if (rc == IV_OK)
        rc = a->runs != NULL ? name_runs(t, a->runs, err) : find_runs(t, c, err);
    return rc == IV_OK ? handle_unsampled(t, c, err) : rc;
}

int recall_from_strata(recall_cases *out, cmd_context *c, iv_err *err)
{
    const recall_args *a = c->args;
    table t = { .path = a->strata };
    int rc = iv_csv_load(&t.csv, a->strata, err);

    if (rc < 0)
        return rc;
    iv_result_input(c->result, a->strata, iv_csv_bytes(t.csv));
    rc = read_table(&t, c, err);
    if (rc == IV_OK && t.segment != IV_NONE)
        rc = add_case(out, &t, t.segment, err);
    for (size_t i = 0; i < t.run_count && rc == IV_OK; i++)
        rc = add_case(out, &t, t.runs[i], err);
    free(t.strata);
    free(t.skipped);
    free(t.runs);
    iv_csv_free(t.csv);
    return rc;
}
