/* SPDX-License-Identifier: Apache-2.0 */
/* Reads CSV and TSV tables, and finds columns by their role. */
#include "base/bytes.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/utf8.h"
#include "intervale/trec/runs.h"
#include "trec/column_roles.h"
#include "trec/csv.h"
#include "trec/fields.h"
#include "trec/problems.h"
#include "trec/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_BETWEEN = 4096 }; /* that are read before work is asked again */

/* Where the parser is. */
typedef struct cursor {
    const char *at, *end;
    uint64_t line;
    char separator;
} cursor;

static iv_str trimmed(const char *begin, const char *end)
{
    while (begin < end && (*begin == ' ' || *begin == '\t' || *begin == '\r'))
        begin++;
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    return (iv_str){ begin, (size_t)(end - begin) };
}

/* The quote that closes the cell whose text begins at p; end: there is none. */
static const char *closing_quote(const char *p, const char *end)
{
    while (p < end && (*p != '"' || (p + 1 < end && p[1] == '"')))
        p += 1 + (*p == '"');
    return p;
}

/* The text of a quoted cell, two quotes read as one; false: no memory. */
static bool unquote(iv_str *out, iv_csv *t, const char *begin, const char *end)
{
    size_t len = 0;
    char *copy = iv_arena_alloc(&t->unquoted, (size_t)(end - begin) + 1);

    if (copy == NULL)
        return false;
    for (const char *p = begin; p < end; p++) {
        p += *p == '"';
        copy[len++] = *p;
    }
    *out = (iv_str){ copy, len };
    return true;
}

/* Reads the quoted cell that begins at c->at; false: it cannot be read. */
static bool quoted_cell(iv_str *out, iv_csv *t, cursor *c, iv_problems *problems)
{
    const uint64_t opened = c->line;
    const char *const begin = c->at + 1;
    const char *const close = closing_quote(begin, c->end);

    if (close == c->end) {
        iv_complain(problems, opened, IV_ERROR,
                    "a quoted cell that is never closed, expected a second \"");
        return false;
    }
    for (const char *p = begin; p < close; p++)
        c->line += *p == '\n';
    for (c->at = close + 1; c->at < c->end; c->at++) {
        if (*c->at == c->separator || *c->at == '\n')
            break;
        if (*c->at != ' ' && *c->at != '\t' && *c->at != '\r') {
            iv_complain(problems, c->line, IV_ERROR,
                        "text after a closing quote, expected a %s or a line end",
                        c->separator == ',' ? "comma" : c->separator == '\t' ? "tab"
                        : c->separator == ';' ? "semicolon" : "blank");
            return false;
        }
    }
    if (unquote(out, t, begin, close))
        return true;
    problems->no_memory = true;
    return false;
}

static bool cell(iv_str *out, iv_csv *t, cursor *c, iv_problems *problems)
{
    const char *p = c->at;

    while (p < c->end && (*p == ' ' || (*p == '\t' && c->separator != '\t')))
        p++;
    if (p < c->end && *p == '"') {
        c->at = p;
        return quoted_cell(out, t, c, problems);
    }
    p = c->at;
    while (p < c->end && *p != c->separator && *p != '\n'
           && (*p != '\t' || c->separator != ' '))
        p++;
    *out = trimmed(c->at, p);
    c->at = p;
    return true;
}

static bool keep_cell(iv_csv *t, iv_str s, iv_problems *problems)
{
    if (IV_ROOM(t->cells, t->cell_capacity, t->cell_count + 1))
        t->cells[t->cell_count++] = s;
    else
        problems->no_memory = true;
    return !problems->no_memory;
}

/* Blanks that separate count as one, and none at the ends of a line. */
static void skip_blanks(cursor *c)
{
    while (c->separator == ' ' && c->at < c->end && iv_is_blank(*c->at))
        c->at++;
}

/* Reads a row behind the cells kept so far; false: nothing more can be read. */
static bool read_row(size_t *count, iv_csv *t, cursor *c, iv_problems *problems)
{
    *count = 0;
    for (;;) {
        iv_str s;
        skip_blanks(c);
        if (!cell(&s, t, c, problems) || !keep_cell(t, s, problems))
            return false;
        ++*count;
        skip_blanks(c);
        if (c->at == c->end)
            return true;
        if (*c->at == '\n') {
            c->at++;
            c->line++;
            return true;
        }
        c->at += c->separator != ' ';
    }
}

bool iv_csv_is_missing(iv_str cell)
{
    static const char *const none[] = { "", "NaN", "nan", "NA", "N/A", "null", "None" };

    for (size_t k = 0; k < sizeof none / sizeof *none; k++)
        if (iv_str_cmp(cell, iv_str_of(none[k])) == 0)
            return true;
    return false;
}

/* Columns without the last ones that have no name. */
static size_t named_columns(const iv_csv *t)
{
    size_t count = t->columns;

    while (count > 0 && t->cells[count - 1].len == 0)
        count--;
    return count;
}

/* Spreadsheets write columns behind the last that are empty altogether: they are left out. */
static void drop_empty_columns(iv_csv *t)
{
    const size_t named = named_columns(t), rows = t->row_count + 1;
    bool empty = named > 0 && named < t->columns;

    for (size_t r = 0; r < rows && empty; r++)
        for (size_t c = named; c < t->columns; c++)
            empty = empty && t->cells[r * t->columns + c].len == 0;
    if (!empty)
        return;
    for (size_t r = 1; r < rows; r++)
        memmove(t->cells + r * named, t->cells + r * t->columns, named * sizeof *t->cells);
    t->columns = named;
    t->cell_count = rows * named;
}

/* Of several columns without a name the last ones may hold nothing. */
static void check_unnamed(const iv_csv *t, uint64_t line, iv_problems *problems)
{
    const size_t named = named_columns(t);
    size_t without = t->columns - named;

    for (size_t c = 0; c < named && without > 0; c++)
        without += t->cells[c].len == 0;
    for (size_t c = named; c < t->columns && without > 1; c++)
        if (t->cells[t->cell_count - t->columns + c].len > 0) {
            iv_complain(problems, line, IV_ERROR, "a cell in column %zu, and the header has no "
                        "name "
                        "for it", c + 1);
            return;
        }
}

static void check_header(const iv_csv *t, uint64_t line, iv_problems *problems)
{
    iv_ids seen = { 0 };
    const size_t named = named_columns(t); /* others may yet be left out */

    for (size_t i = 0; i < named && !problems->no_memory; i++) {
        char quoted[IV_QUOTE_SIZE];
        const size_t before = seen.count;
        if (iv_ids_add(&seen, t->cells[i]) == IV_NO_ID)
            problems->no_memory = true;
        else if (seen.count == before)
            iv_complain(problems, line, IV_ERROR, "column %s appears twice; expected different "
                                                  "names",
                        iv_quote(quoted, t->cells[i]));
    }
    iv_ids_free(&seen);
}

/* An empty line, or as many empty cells as the header has, which spreadsheets write. */
static bool is_empty_row(const iv_csv *t, size_t count)
{
    bool empty = count == 1 || (t->columns > 0 && count == t->columns);

    for (size_t i = 0; i < count && empty; i++)
        empty = t->cells[t->cell_count - 1 - i].len == 0;
    return empty;
}

static void keep_row(iv_csv *t, size_t count, uint64_t line, iv_problems *problems)
{
    if (t->columns == 0) {
        t->columns = count;
        check_header(t, line, problems);
        return;
    }
    check_unnamed(t, line, problems);
    if (IV_ROOM(t->lines, t->row_capacity, t->row_count + 1))
        t->lines[t->row_count++] = line;
    else
        problems->no_memory = true;
}

/*
 * Tabs separate if the first line that is not empty has one and no comma, semicolons,
 * as spreadsheets write them where the comma is in numbers, if it has neither of the two,
 * blanks if it has none of them but a blank between two words.
 */
static char separator_of(iv_str text)
{
    const char *p = text.ptr, *header = p;
    const char *const end = text.ptr + text.len;

    for (; p < end && (iv_is_blank(*p) || *p == '\n'); p++)
        header = *p == '\n' ? p + 1 : header;
    const char *eol = memchr(header, '\n', (size_t)(end - header));
    const iv_str line = trimmed(header, eol == NULL ? end : eol);
    const size_t len = (size_t)((eol == NULL ? end : eol) - header);
    if (memchr(header, ',', len) != NULL)
        return ',';
    if (memchr(header, '\t', len) != NULL)
        return '\t';
    if (memchr(header, ';', len) != NULL)
        return ';';
    return line.len > 0 && line.ptr[0] != '"' && memchr(line.ptr, ' ', line.len) != NULL ? ' '
                                                                                     : ',';
}

/* Does it begin as objects, or an array of them, do? */
static bool is_json(iv_str text)
{
    size_t i = 1;

    while (i < text.len && (iv_is_blank(text.ptr[i]) || text.ptr[i] == '\n'))
        i++;
    return i < text.len && ((text.ptr[0] == '{' && text.ptr[i] == '"')
                            || (text.ptr[0] == '[' && text.ptr[i] == '{'));
}

/* A first line "sep=;", which spreadsheets write and read, says it too. */
static void skip_separator_line(cursor *c)
{
    const char *stop = memchr(c->at, '\n', (size_t)(c->end - c->at));
    const iv_str line = trimmed(c->at, stop == NULL ? c->end : stop);

    if (stop == NULL || line.len > 5 || line.len < 4 || memcmp(line.ptr, "sep=", 4) != 0)
        return;
    c->separator = line.len == 5 ? line.ptr[4] : '\t'; /* a tab is trimmed off */
    c->at = stop + 1;
    c->line++;
}

/* A number as it is, or with a comma for its point, which is put into room. */
static bool is_number(iv_str *out, iv_str s, char room[IV_REAL_SIZE])
{
    const char *comma = memchr(s.ptr, ',', s.len);
    double value;

    *out = s;
    if (comma == NULL || s.len > IV_REAL_SIZE)
        return comma == NULL && iv_scan_real(&value, s);
    memcpy(room, s.ptr, s.len);
    room[comma - s.ptr] = '.';
    *out = (iv_str){ room, s.len };
    return iv_scan_real(&value, *out);
}

/*
 * Between semicolons 0,25 is a number: its comma becomes a point, in columns that hold
 * nothing else.  Names keep theirs: those of columns, and those of which one is no number.
 */
static void put_points(iv_csv *t, iv_problems *problems)
{
    char room[IV_REAL_SIZE], quoted[IV_QUOTE_SIZE];
    iv_str s;

    for (size_t c = 0; c < t->columns; c++) {
        bool numbers = true, commas = false;
        for (size_t i = t->columns + c; numbers && i < t->cell_count; i += t->columns) {
            numbers = t->cells[i].len == 0 || is_number(&s, t->cells[i], room);
            commas = commas || (t->cells[i].len > 0 && s.ptr == room);
        }
        for (size_t i = t->columns + c; numbers && commas && i < t->cell_count; i += t->columns) {
            if (t->cells[i].len == 0)
                continue;
            (void)is_number(&s, t->cells[i], room);
            if (memchr(t->cells[i].ptr, '.', s.len) != NULL)
                iv_complain(problems, t->lines[i / t->columns - 1], IV_ERROR, "%s among numbers "
                            "with a decimal comma, expected one decimal mark", iv_quote(quoted, s));
            if (s.ptr != room)
                continue;
            if (t->said == NULL && (t->said = malloc(t->cell_count * sizeof *t->said)) != NULL)
                memcpy(t->said, t->cells, t->cell_count * sizeof *t->said);
            char *copy = iv_arena_alloc(&t->unquoted, s.len + 1);
            problems->no_memory = problems->no_memory || copy == NULL || t->said == NULL;
            if (problems->no_memory)
                return;
            memcpy(copy, s.ptr, s.len);
            t->cells[i].ptr = copy;
        }
    }
}

void iv_csv_read(iv_csv *t, bool collect, const iv_work *work, iv_problems *problems)
{
    const iv_str text = iv_text_of(&t->bytes);
    cursor c = { text.ptr, text.ptr + text.len, 1, ',' };

    if (!iv_text_usable(text, problems)
        || iv_text_refuse_nul(text, problems))
        return;
    if (is_json(text)) {
        iv_complain(problems, 1, IV_ERROR, "this looks like JSON, expected a table with a header, "
                    "its cells separated by commas, tabs or semicolons");
        return;
    }
    c.separator = separator_of(text);
    skip_separator_line(&c);
    while (c.at < c.end && !problems->no_memory) {
        const uint64_t line = c.line;
        size_t count;
        if (t->row_count % ROWS_BETWEEN == 0 && !iv_problems_go_on(problems, work))
            return;
        if (!read_row(&count, t, &c, problems))
            return;
        if (is_empty_row(t, count)) {
            t->cell_count -= count;
        } else if (t->columns != 0 && count != t->columns) {
            iv_complain(problems, line, IV_ERROR,
                        "%zu cell%s, expected %zu as in the header", count,
                        count == 1 ? "" : "s", t->columns);
            t->cell_count -= count;
            if (!collect)
                return;
        } else {
            keep_row(t, count, line, problems);
        }
    }
    drop_empty_columns(t);
    if (c.separator == ';')
        put_points(t, problems);
    if (t->row_count == 0 && problems->errors == 0)
        iv_complain(problems, c.line, IV_ERROR,
                    "the file ends after its header, expected at least one row");
}

int iv_csv_from(iv_csv **out, iv_bytes *bytes, const char *name, const iv_work *work,
                iv_err *err)
{
    iv_problems problems = { .most = 1 };
    iv_csv *t = calloc(1, sizeof *t);

    if (t == NULL) {
        iv_bytes_free(bytes);
        return iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    }
    t->bytes = *bytes;
    t->path = iv_arena_copy(&t->unquoted, iv_str_of(name));
    problems.no_memory = t->path == NULL;
    if (t->path != NULL)
        iv_csv_read(t, false, work, &problems);
    const int rc = iv_problems_verdict(&problems, name, err);
    if (rc < 0)
        iv_csv_free(t);
    else
        *out = t;
    return rc;
}

int iv_csv_load(iv_csv **out, const char *path, const iv_work *work, iv_err *err)
{
    iv_bytes bytes;
    const int rc = iv_bytes_load(&bytes, path, work, err);

    return rc < 0 ? rc : iv_csv_from(out, &bytes, path, work, err);
}

int iv_csv_parse(iv_csv **out, const char *name, const void *text, size_t len, iv_err *err)
{
    iv_bytes bytes;
    const int rc = iv_bytes_copy(&bytes, name, text, len, NULL, err);

    return rc < 0 ? rc : iv_csv_from(out, &bytes, name, NULL, err);
}

void iv_csv_free(iv_csv *t)
{
    if (t == NULL)
        return;
    free(t->cells);
    free(t->said);
    free(t->lines);
    iv_arena_free(&t->unquoted);
    iv_bytes_free(&t->bytes);
    free(t);
}

uint64_t iv_csv_bytes(const iv_csv *t) { return t->bytes.stored; }

size_t iv_csv_columns(const iv_csv *t) { return t->columns; }

size_t iv_csv_rows(const iv_csv *t) { return t->row_count; }

iv_str iv_csv_column(const iv_csv *t, size_t column) { return t->cells[column]; }

size_t iv_csv_find(const iv_csv *t, iv_str name)
{
    for (size_t i = 0; i < t->columns; i++) {
        if (iv_str_eq(t->cells[i], name))
            return i;
    }
    /* N and n are two columns; longer names may be written in any case. */
    size_t found = IV_NONE;
    for (size_t i = 0; name.len > 1 && name.len <= 64 && i < t->columns; i++) {
        if (!iv_same_name(t->cells[i], name))
            continue;
        if (found != IV_NONE)
            return IV_NONE;
        found = i;
    }
    return found;
}

iv_str iv_csv_cell(const iv_csv *t, size_t row, size_t column)
{
    return t->cells[(row + 1) * t->columns + column];
}

iv_str iv_csv_said(const iv_csv *t, size_t row, size_t column)
{
    return (t->said != NULL ? t->said : t->cells)[(row + 1) * t->columns + column];
}

uint64_t iv_csv_line(const iv_csv *t, size_t row) { return t->lines[row]; }

/* ----------------------------------------------------------------- roles -- */

int iv_csv_refuse(const iv_csv *t, size_t row, iv_err *err, const char *fmt, ...)
{
    char what[sizeof err->msg];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    return iv_fail_at(err, IV_EPARSE, t->path, row == IV_NONE ? 1 : iv_csv_line(t, row), "%s",
                      what);
}

const iv_column_role iv_item_role = { "item,document,docno,doc_id,docid,doc,document_id,item_id,"
    "corpus-id,unit,id,question_id,sample_id,task_id,instance_id,"
    "prompt_id,conversation_id" };
const iv_column_role iv_topic_role = { "topic,query,query_id,topic_id,qid,question" };

size_t iv_role_column(const iv_csv *t, const iv_column_role *role)
{
    size_t found = IV_NONE;

    for (const char *p = role->names; found == IV_NONE && *p != '\0'; p += *p == ',') {
        const iv_str name = { p, strcspn(p, ",") };
        found = iv_csv_find(t, name);
        p += name.len;
    }
    return found;
}

int iv_csv_lacks(const iv_csv *t, const iv_column_role *role, const char *expected, iv_err *err)
{
    iv_listing there = { .most = 8 }, others = { .most = 16 };
    const int first = (int)strcspn(role->names, ",");

    for (size_t c = 0; c < t->columns; c++)
        iv_list_quoted(&there, t->cells[c]);
    for (const char *p = role->names + first; *p == ','; p += 1 + strcspn(p + 1, ","))
        iv_list(&others, "%.*s", (int)strcspn(p + 1, ","), p + 1);
    return iv_csv_refuse(t, IV_NONE, err, "no column '%.*s'%s%s; the columns are %s%s", first,
                         role->names, others.count > 0 ? ", nor " : "",
                         others.count > 0 ? iv_listed(&others) : "",
                         iv_listed(&there), expected);
}

bool iv_csv_all_differ(const iv_csv *t, size_t column)
{
    iv_ids seen = { 0 };

    for (size_t row = 0; row < iv_csv_rows(t); row++)
        if (iv_ids_add(&seen, iv_csv_cell(t, row, column)) == IV_NO_ID)
            break;
    const bool differ = seen.count == iv_csv_rows(t);
    iv_ids_free(&seen);
    return differ;
}

int iv_role_columns(size_t *out, const iv_csv *t, const iv_column_role *roles, size_t count,
                    const char *expected, iv_err *err)
{
    for (size_t k = 0; k < count; k++) {
        out[k] = iv_role_column(t, &roles[k]);
        if (out[k] == IV_NONE && !roles[k].optional)
            return iv_csv_lacks(t, &roles[k], expected, err);
    }
    return IV_OK;
}

int iv_role_number(double *out, const iv_csv *t, size_t row, size_t column,
                   const iv_column_role *role,
                   iv_err *err)
{
    const iv_str cell = iv_csv_cell(t, row, column), name = iv_csv_column(t, column);
    char quoted[IV_QUOTE_SIZE], to[40] = "";
    int64_t whole = 0;
    const bool number = role->whole ? iv_scan_int(&whole, cell, INT64_MIN, INT64_MAX)
                                    : iv_scan_real(out, cell);

    *out = role->whole ? (double)whole : *out;
    if (number && *out >= role->low && *out <= role->high)
        return IV_OK;
    if (role->high <= 1e12)
        (void)snprintf(to, sizeof to, " to %.15g", role->high);
    return iv_csv_refuse(t, row, err, "%.*s is %s, expected a %snumber from %g%s", (int)name.len,
                         name.ptr, iv_quote(quoted, cell), role->whole ? "whole " : "", role->low,
                         to);
}

/* ------------------------------------------------------------- writing -- */

/* Does a formula begin there, behind any number of marks? */
static bool is_formula(iv_str s, size_t at)
{
    size_t sign = at;

    while (sign < s.len && s.ptr[sign] == '\'')
        sign++;
    const char prev = at > 0 ? s.ptr[at - 1] : '\0';

    return sign < s.len && (iv_starts_formula(s.ptr[sign], prev)
                            || iv_starts_wide_formula(s, sign, prev));
}

void iv_put_csv(FILE *out, iv_str s, bool marks)
{
    double number;
    bool quoted = s.len > 0 && (s.ptr[0] == ' ' || s.ptr[s.len - 1] == ' ');

    marks = marks && s.len > 1 && !iv_scan_real(&number, s);
    for (size_t i = 0; i < s.len && !quoted; i++)
        quoted = memchr(",;\"\t\n\r", s.ptr[i], 6) != NULL;
    (void)fputs(quoted ? "\"" : "", out);
    for (size_t i = 0; i < s.len; i++) {
        (void)fputs(marks && is_formula(s, i) ? "'" : "", out);
        (void)fputs(s.ptr[i] == '"' ? "\"" : "", out);
        (void)putc(s.ptr[i], out);
    }
    (void)fputs(quoted ? "\"" : "", out);
}

iv_str iv_unmarked(iv_arena *a, iv_str s)
{
    char *copy = memchr(s.len > 0 ? s.ptr : "", '\'', s.len) == NULL ? NULL
        : iv_arena_alloc(a, s.len);
    size_t n = 0;

    for (size_t i = 0; copy != NULL && i < s.len; i++)
        if (s.ptr[i] != '\'' || !is_formula(s, i))
            copy[n++] = s.ptr[i];
    return copy == NULL ? s : (iv_str){ copy, n };
}
