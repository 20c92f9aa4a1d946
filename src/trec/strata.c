/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the strata of a recall estimate. */
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/names.h"
#include "intervale/trec/runs.h"
#include "trec/column_roles.h"
#include "trec/csv.h"
#include "trec/strata.h"
#include "trec/trec_ends.h"

#include <string.h>

enum { NAME, SEGMENT = 4, ROLES };
static const iv_column_role roles[ROLES] = {
    { "stratum" },
    { "N", .whole = true, .high = 0x1p40 },
    { "n", .whole = true, .high = 0x1p40 },
    { "r", .whole = true, .high = 0x1p40 },
    { "segment", .optional = true } };

typedef struct reading {
    iv_arena *own;
    iv_csv *csv;
    size_t at[ROLES];              /* columns; that of the segment may be IV_NONE */
    size_t *columns;               /* of runs */
    iv_strata_row *rows;
    iv_str *runs;
    bool *retrieved;
    iv_strata_table view;
} reading;

enum { MARK_NONE = -1, MARK_UNRETRIEVED = 0, MARK_RETRIEVED = 1 };

static int mark_of(iv_str cell)
{
    if (cell.len != 1)
        return MARK_NONE;
    return cell.ptr[0] == '1' || cell.ptr[0] == 'R'   ? MARK_RETRIEVED
           : cell.ptr[0] == '0' || cell.ptr[0] == 'N' ? MARK_UNRETRIEVED : MARK_NONE;
}

static unsigned long long line_of(const reading *s, size_t row)
{
    return (unsigned long long)iv_csv_line(s->csv, row);
}

static int read_row(reading *s, size_t row, iv_err *err)
{
    iv_strata_row *x = &s->rows[row];
    int64_t *const to[] = { NULL, &x->size, &x->sampled, &x->relevant };
    double value;

    for (size_t k = 1; k < 4; k++) {
        IV_TRY(iv_role_number(&value, s->csv, row, s->at[k], &roles[k], err));
        *to[k] = (int64_t)value;
    }
    x->name = iv_csv_cell(s->csv, row, s->at[NAME]);
    x->line = iv_csv_line(s->csv, row);
    if (x->sampled > x->size)
        return iv_csv_refuse(s->csv, row, err, "the sample size n = %lld is larger than the "
                                               "population N = %lld",
                             (long long)x->sampled, (long long)x->size);
    if (x->relevant > x->sampled)
        return iv_csv_refuse(s->csv, row, err, "r = %lld relevant of n = %lld sampled",
                             (long long)x->relevant, (long long)x->sampled);
    return IV_OK;
}

/* A name twice is a mistake, in one segment or in both. */
static int check_names(const reading *s, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];

    for (size_t i = 0; i < iv_csv_rows(s->csv); i++) {
        const iv_str name = s->rows[i].name;
        if (name.len == 0)
            return iv_csv_refuse(s->csv, i, err, "a stratum without a name");
        for (size_t k = 0; k < i; k++) {
            if (iv_str_cmp(name, s->rows[k].name) != 0)
                continue;
            const bool both = s->at[SEGMENT] != IV_NONE
                && iv_str_cmp(iv_csv_cell(s->csv, i, s->at[SEGMENT]),
                              iv_csv_cell(s->csv, k, s->at[SEGMENT])) != 0;
            return iv_csv_refuse(s->csv, i, err, "stratum %s is on line "
                              "%llu already%s", iv_quote(quoted, name), line_of(s, k),
                              both ? ", in the other segment" : "");
        }
    }
    return IV_OK;
}

/* The first row whose mark is none, or IV_NONE. */
static size_t first_unmarked(const reading *s, size_t column)
{
    for (size_t i = 0; i < iv_csv_rows(s->csv); i++) {
        if (mark_of(iv_csv_cell(s->csv, i, column)) == MARK_NONE)
            return i;
    }
    return IV_NONE;
}

static int name_runs(reading *s, const char *list, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE], other[IV_QUOTE_SIZE];
    size_t *count = &s->view.run_count;

    for (const char *from = list; *from != '\0' && *count < iv_csv_columns(s->csv);) {
        const size_t length = strcspn(from, ",");
        const iv_str name = { from, length };
        const size_t column = iv_csv_find(s->csv, name);
        if (column == IV_NONE)
            return iv_csv_refuse(s->csv, IV_NONE, err, "the header has no column %s, which "
                              "was to be a run", iv_quote(quoted, name));
        const size_t row = first_unmarked(s, column);
        if (row != IV_NONE)
            return iv_csv_refuse(s->csv, row, err, "run %s has %s, "
                              "expected 1 or 0, or R or N", iv_quote(quoted, name),
                              iv_quote(other, iv_csv_cell(s->csv, row, column)));
        s->columns[(*count)++] = column;
        from += length + (from[length] == ',');
    }
    return *count > 0 ? IV_OK : iv_fail(err, IV_EARG, "the list of runs names none");
}

/* Columns that hold marks and nothing else are runs; the rest is told. */
static int find_runs(reading *s, iv_err *err)
{
    iv_listing ignored = { .most = 8 };
    char quoted[IV_QUOTE_SIZE];

    for (size_t i = 0; i < iv_csv_columns(s->csv); i++) {
        if (i == s->at[NAME] || i == s->at[1] || i == s->at[2] || i == s->at[3]
            || i == s->at[SEGMENT])
            continue;
        if (iv_is_named(iv_csv_column(s->csv, i), "verdict") && iv_csv_rows(s->csv) > 0) {
            s->view.verdict = iv_csv_cell(s->csv, 0, i);
            continue;
        }
        if (s->at[SEGMENT] == IV_NONE && first_unmarked(s, i) == IV_NONE) {
            s->columns[s->view.run_count++] = i;
            continue;
        }
        /* One wrong mark must not lose a run unnoticed. */
        if (s->at[SEGMENT] == IV_NONE && mark_of(iv_csv_cell(s->csv, 0, i)) != MARK_NONE)
            iv_list(&ignored, "%s (no mark on line %llu)",
                    iv_quote(quoted, iv_csv_column(s->csv, i)), line_of(s, first_unmarked(s, i)));
        else
            iv_list_quoted(&ignored, iv_csv_column(s->csv, i));
    }
    s->view.ignored = iv_arena_copy(s->own, iv_str_of(iv_listed(&ignored)));
    IV_TRY(iv_taken(s->own, err));
    if (s->at[SEGMENT] == IV_NONE && s->view.run_count == 0)
        return iv_csv_refuse(s->csv, IV_NONE, err, "no column says which strata were retrieved; "
                          "expected 'segment' (retrieved or unretrieved), or for each run a "
                          "column of 1 and 0, or R and N%s%s",
                          ignored.count > 0 ? "; not used: " : "", s->view.ignored);
    if (s->at[SEGMENT] != IV_NONE)
        s->columns[s->view.run_count++] = s->at[SEGMENT];
    return IV_OK;
}

static int read_marks(reading *s, iv_err *err)
{
    const size_t rows = iv_csv_rows(s->csv);
    char quoted[IV_QUOTE_SIZE];

    for (size_t run = 0; run < s->view.run_count; run++) {
        const bool by_segment = s->columns[run] == s->at[SEGMENT];
        s->runs[run] = by_segment ? iv_str_of("review")
                                  : iv_csv_column(s->csv, s->columns[run]);
        for (size_t i = 0; i < rows; i++) {
            const iv_str cell = iv_csv_cell(s->csv, i, s->columns[run]);
            const int mark = !by_segment ? mark_of(cell)
                : iv_is_named(cell, "retrieved") ? MARK_RETRIEVED
                : iv_is_named(cell, "unretrieved") ? MARK_UNRETRIEVED : MARK_NONE;
            if (mark == MARK_NONE)
                return iv_csv_refuse(s->csv, i, err, "segment is %s, "
                                  "expected retrieved or unretrieved", iv_quote(quoted, cell));
            s->retrieved[run * rows + i] = mark == MARK_RETRIEVED;
        }
    }
    return IV_OK;
}

static int read_table(reading *s, const char *runs, iv_err *err)
{
    const size_t rows = iv_csv_rows(s->csv), columns = iv_csv_columns(s->csv);

    IV_TRY(iv_role_columns(s->at, s->csv, roles, ROLES,
                           "; expected stratum,N,n,r and either segment or one column for each run",
                           err));
    s->at[SEGMENT] = runs != NULL ? IV_NONE : s->at[SEGMENT];
    s->rows = iv_take(s->own, rows, sizeof *s->rows);
    s->columns = iv_take(s->own, columns, sizeof *s->columns);
    s->runs = iv_take(s->own, columns, sizeof *s->runs);
    IV_TRY(iv_taken(s->own, err));
    for (size_t i = 0; i < rows; i++)
        IV_TRY(read_row(s, i, err));
    IV_TRY(check_names(s, err));
    IV_TRY(runs != NULL ? name_runs(s, runs, err) : find_runs(s, err));
    s->retrieved = iv_take(s->own, s->view.run_count * rows, sizeof *s->retrieved);
    IV_TRY(iv_taken(s->own, err));
    return read_marks(s, err);
}


/* Takes over the table, also when it fails. */
static int strata_from(const iv_strata_table **out, iv_arena *own, iv_csv *csv, const char *path,
                       const char *runs, iv_err *err)
{
    IV_TRY(iv_keep(own, csv, iv_end_csv, err));
    reading *s = iv_take(own, 1, sizeof *s);
    const char *name = iv_arena_copy(own, iv_str_of(path));
    IV_TRY(iv_taken(own, err));
    s->own = own;
    s->csv = csv;
    IV_TRY(read_table(s, runs, err));
    s->view = (iv_strata_table){ s->rows, s->runs, s->retrieved, iv_csv_rows(s->csv),
                                 s->view.run_count, name, iv_csv_bytes(s->csv), s->view.ignored,
                                 s->view.verdict };
    *out = &s->view;
    return IV_OK;
}

int iv_strata_load(const iv_strata_table **out, iv_arena *own, const char *path, const char *runs,
                   const iv_work *work, iv_err *err)
{
    iv_csv *csv = NULL;

    IV_TRY(iv_csv_load(&csv, path, work, err));
    return strata_from(out, own, csv, path, runs, err);
}

int iv_strata_parse(const iv_strata_table **out, iv_arena *own, const char *name, iv_str text,
                    iv_err *err)
{
    iv_csv *csv = NULL;

    IV_TRY(iv_csv_parse(&csv, name, text.ptr, text.len, err));
    return strata_from(out, own, csv, name, NULL, err);
}
