/* SPDX-License-Identifier: Apache-2.0 */
/* Tables from arrays of structs, and what of a result somebody will look at. */
#include <string.h>

#include "base/result.h"
#include "base/base_private.h"

/* A field of this table: it needs no flag, or has one of those it needs. */
static bool is_there(const iv_field *f, const iv_rows *rows)
{
    return f->needs == 0 || (f->needs & rows->with) != 0;
}

static iv_column column_of(const iv_field *f, const iv_rows *rows)
{
    const bool text = f->names != NULL || f->type == IV_AS_TEXT || f->type == IV_AS_STR;
    iv_column c = { f->name, text ? IV_TEXT : f->type == IV_AS_REAL ? IV_REAL : IV_INTEGER,
                    f->digits == IV_DIGITS ? rows->digits : f->digits, f->audience, f->about,
                    f->heading };

    if (f->shown != 0 && (f->shown & rows->with) == 0)
        c.audience = IV_FOR_PROGRAMS;
    return c;
}

static int64_t signed_at(const void *at, size_t size)
{
    int64_t wide;
    int narrow;

    if (size == sizeof wide) {
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
    memcpy(&narrow, at, sizeof narrow);
    return narrow == INT32_MIN ? INT64_MIN : narrow;
}

/* The largest of its type reads as UINT64_MAX. */
static uint64_t unsigned_at(const void *at, size_t size)
{
    uint64_t wide;
    unsigned narrow;
    bool flag;

    if (size == sizeof wide) {
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
    if (size == sizeof narrow) {
        memcpy(&narrow, at, sizeof narrow);
        return narrow == UINT32_MAX ? UINT64_MAX : narrow;
    }
    memcpy(&flag, at, sizeof flag);
    return flag;
}

static void put_text(iv_table *t, const iv_field *f, const void *at)
{
    iv_str s = { NULL, 0 };

    if (f->type == IV_AS_STR) {
        memcpy(&s, at, sizeof s);
    } else if (f->type == IV_AS_TEXT) {
        const char *text = at; /* in the struct itself ... */
        if (f->size == sizeof text)
            memcpy(&text, at, sizeof text); /* ... or elsewhere */
        s = text == NULL ? s : iv_str_of(text);
    } else {
        s = iv_str_of(f->names()[unsigned_at(at, f->size)]);
    }
    if (s.ptr == NULL)
        iv_put_missing(t);
    else
        iv_put_text(t, s);
}

static void put_number(iv_table *t, const iv_field *f, const void *at)
{
    double real;

    if (f->type == IV_AS_REAL) {
        memcpy(&real, at, sizeof real);
        iv_put_real(t, real);
        return;
    }
    const uint64_t u = f->type == IV_AS_UNSIGNED ? unsigned_at(at, f->size) : 0;
    const int64_t v = f->type == IV_AS_SIGNED ? signed_at(at, f->size)
                      : u == UINT64_MAX       ? INT64_MIN
                                              : (int64_t)u;
    if (v == INT64_MIN)
        iv_put_missing(t);
    else
        iv_put_int(t, v);
}

/* Remembers whom the next row is for. */
static void mark_quiet(iv_table *t, const char *row, size_t member)
{
    const size_t at = iv_table_rows(t);
    bool *quiet = iv_grow(t->quiet, &t->quiet_capacity, at + 1, sizeof *quiet);

    if (quiet == NULL) {
        t->result->arena.failed = true;
        return;
    }
    t->quiet = quiet;
    memcpy(&t->quiet[at], row + member, sizeof *quiet);
}

bool iv_result_counts_only(const iv_result *r, iv_showing showing)
{
    return showing == IV_LONG && r->wanted == NULL && r->most < IV_LONG;
}

void iv_table_append(iv_table *t, const iv_rows *rows)
{
    if (iv_result_counts_only(t->result, rows->showing)) {
        t->unlisted += rows->count;
        return;
    }
    for (size_t k = 0; k < rows->count; k++) {
        const char *row = (const char *)rows->at + k * rows->size;
        if (rows->quiet != 0 && t != &t->result->nowhere)
            mark_quiet(t, row, rows->quiet - 1);
        for (const iv_field *f = rows->fields; f->name != NULL; f++) {
            if (!is_there(f, rows))
                continue;
            if (f->names != NULL || f->type == IV_AS_TEXT || f->type == IV_AS_STR)
                put_text(t, f, row + f->offset);
            else
                put_number(t, f, row + f->offset);
        }
    }
}

void iv_table_counts(iv_table *t, size_t rows, const char *column)
{
    const size_t all = t->stride == 0 ? 0 : t->count / t->stride;

    for (size_t row = all - (rows < all ? rows : all); row < all; row++)
        for (size_t c = 0; c < t->column_count; c++) {
            iv_stored *cell = &t->cells[row * t->stride + c];
            if (strcmp(t->columns[c].name, column) == 0 && cell->len != IV_CELL_MISSING)
                cell->len = IV_CELL_COUNT;
        }
}

iv_table *iv_result_rows(iv_result *r, const iv_rows *rows)
{
    size_t count = 0, all = 0;

    while (rows->fields[all].name != NULL)
        all++;
    iv_column *columns = iv_arena_alloc(&r->arena, (all + 1) * sizeof *columns);
    if (columns == NULL)
        return &r->nowhere;
    for (size_t i = 0; i < all; i++)
        if (is_there(&rows->fields[i], rows))
            columns[count++] = column_of(&rows->fields[i], rows);
    iv_table *t = iv_result_table(r, rows->name, columns, count);
    iv_table_show(t, rows->showing);
    if (rows->drawn.lower != NULL)
        iv_table_draw(t, rows->drawn);
    t->split = iv_result_keep_any(r, rows->split);
    iv_table_append(t, rows);
    return t;
}

/* -------------------------------------------------------------- views -- */

bool iv_table_has_any(const iv_table *t, size_t column)
{
    for (size_t row = 0; row < iv_table_rows(t); row++)
        if (!iv_table_cell(t, row, column).missing)
            return true;
    return false;
}

bool iv_table_varies(const iv_table *t, size_t column)
{
    const iv_cell first = iv_table_rows(t) == 0 ? (iv_cell){ .missing = true }
                                                : iv_table_cell(t, 0, column);

    for (size_t row = 1; row < iv_table_rows(t); row++) {
        const iv_cell cell = iv_table_cell(t, row, column);
        if (cell.missing != first.missing || cell.integer != first.integer
            || cell.real < first.real || cell.real > first.real
            || iv_str_cmp(cell.text, first.text) != 0)
            return true;
    }
    return false;
}

static bool is_seen(const iv_table *t, size_t column, bool people, bool verbose)
{
    switch (t->columns[column].audience) {
    case IV_FOR_PROGRAMS:
        return !people;
    case IV_FOR_PEOPLE:
        return people;
    case IV_IF_ANY:
        return !people || iv_table_has_any(t, column);
    case IV_IF_VARIES:
        return !people || verbose || iv_table_varies(t, column);
    case IV_IF_VERBOSE:
        return !people || verbose;
    case IV_FOR_ALL:
        break;
    }
    return true;
}

int iv_table_view(iv_table *out, iv_arena *a, const iv_table *t, bool people, bool verbose,
                  iv_err *err)
{
    iv_table v = *t;

    v.column_count = 0;
    v.columns = iv_take(a, t->column_count + 1, sizeof *v.columns);
    v.map = iv_take(a, t->column_count + 1, sizeof *v.map);
    v.row_map = t->quiet == NULL ? NULL : iv_take(a, iv_table_rows(t) + 1, sizeof *v.row_map);
    IV_TRY(iv_taken(a, err));
    for (size_t c = 0; c < t->column_count; c++) {
        if (people && t->split != NULL && strcmp(t->columns[c].name, t->split) == 0)
            continue; /* it is the table's name */
        if (is_seen(t, c, people, verbose)) {
            v.columns[v.column_count] = t->columns[c];
            v.map[v.column_count++] = c;
        }
    }
    for (size_t row = 0; t->quiet != NULL && row < iv_table_rows(t); row++)
        if (!people || !t->quiet[row])
            v.row_map[v.row_count++] = row;
    /* An interval that is not shown is not drawn. */
    v.draws = t->draws && (iv_table_find(&v, t->drawn.lower) != SIZE_MAX
                           || iv_table_find(&v, t->drawn.upper) != SIZE_MAX);
    *out = v;
    return IV_OK;
}

bool iv_table_part(iv_table *part, const iv_table *t, size_t *from)
{
    const size_t rows = iv_table_rows(t), first = *from;
    size_t column = 0, end = first;

    while (t->split != NULL && column < t->column_count
           && strcmp(t->columns[column].name, t->split) != 0)
        column++;
    *part = *t;
    if (t->split == NULL || column == t->column_count) {
        *from = SIZE_MAX;
        return first == 0;
    }
    if (first >= rows)
        return false;
    const iv_str text = iv_table_cell(t, first, column).text;
    while (end < rows && iv_str_cmp(iv_table_cell(t, end, column).text, text) == 0)
        end++;
    part->name = text.ptr; /* terminated, as all text of a result */
    part->cells = t->cells + first * t->stride;
    part->count = (end - first) * t->stride;
    *from = end;
    return true;
}

/* ------------------------------------------------------------- wishes -- */

void iv_result_wish(iv_result *r, const char *table, iv_showing showing, bool charts)
{
    r->wanted = iv_result_keep_any(r, table);
    r->most = showing;
    r->without_charts = !charts;
}

bool iv_result_wants(iv_result *r, const char *table, iv_showing showing)
{
    const bool first = r->wanted != NULL && r->wanted[0] == '\0';

    if (first && r->table_count > 0)
        return false;
    if (r->wanted == NULL || first ? showing <= r->most : strcmp(r->wanted, table) == 0)
        return true;
    iv_words_add(r, &r->known, iv_result_keep(r, iv_str_of(table)));
    return false;
}

bool iv_result_wants_only(const iv_result *r, const char *table)
{
    return r->wanted != NULL && strcmp(r->wanted, table) == 0;
}

void iv_result_about(iv_result *r, const char *tables)
{
    if (r->note_count > 0)
        r->notes[r->note_count - 1].tables = iv_result_keep(r, iv_str_of(tables));
}

bool iv_result_wants_charts(const iv_result *r)
{
    return !r->without_charts;
}
