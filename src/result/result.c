/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The neutral result.
 *
 * All small text lives in one arena and goes with the result.  A table is one
 * array of cells, row by row; the kind of a cell is its column's, so a cell
 * is a union and a length.  The first thing that goes wrong is kept and told
 * by iv_result_status(); everything after it still leaves the object sound.
 */
#include "base/digest.h"
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "result/result_state.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *iv_result_keep(iv_result *r, iv_str s)
{
    const char *copy = iv_arena_copy(&r->arena, s);

    return copy != NULL ? copy : "";
}

/* The same of a text that may be NULL, and stays so. */
static const char *result_keep_any(iv_result *r, const char *text)
{
    return text == NULL ? NULL : iv_result_keep(r, iv_str_of(text));
}

static const char *keep_formatted(iv_result *r, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    const int len = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    char *text = len < 0 ? NULL : iv_arena_alloc(&r->arena, (size_t)len + 1);

    if (text == NULL)
        return "";
    (void)vsnprintf(text, (size_t)len + 1, fmt, ap);
    iv_drop_signs(text);
    return text;
}

/* Appends a text, kept already or formatted now. */
static void words_format(iv_result *r, iv_words *list, const char *fmt, va_list ap)
{
    iv_words_add(&r->arena, list, keep_formatted(r, fmt, ap));
}

int iv_result_new(iv_result **out, const char *command, iv_err *err)
{
    iv_result *r = calloc(1, sizeof *r);

    if (r == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for the result");
    r->nowhere.result = r;
    r->nowhere.name = "";
    r->most = IV_ASKED;
    r->command = iv_arena_copy(&r->arena, iv_str_of(command));
    if (r->command == NULL) {
        iv_result_free(r);
        return iv_fail(err, IV_ENOMEM, "out of memory for the result");
    }
    *out = r;
    return IV_OK;
}

void iv_result_free(iv_result *r)
{
    if (r == NULL)
        return;
    for (size_t i = 0; i < r->table_count; i++) {
        free(r->tables[i]->cells); /* the table itself is in the arena */
        free(r->tables[i]->quiet);
    }
    iv_arena_free(&r->own);
    iv_arena_free(&r->arena);
    free(r);
}

void iv_result_rewind(iv_result *r, const iv_result *before)
{
    const iv_result now = *r;

    for (size_t i = before->table_count; i < r->table_count; i++) {
        free(r->tables[i]->cells);
        free(r->tables[i]->quiet);
    }
    *r = *before;
    r->own = now.own;
    r->arena = now.arena;
    r->arena.failed = before->arena.failed;
}

/* --------------------------------------------------------- provenance -- */

void iv_result_argument(iv_result *r, const char *word)
{
    iv_words_add(&r->arena, &r->arguments, iv_result_keep(r, iv_str_of(word)));
}

void iv_result_seed(iv_result *r, uint64_t seed)
{
    r->seed = seed;
    r->has_seed = true;
}

void iv_result_input(iv_result *r, const char *path, uint64_t bytes)
{
    if (IV_ARENA_ROOM(&r->arena, r->inputs, r->input_capacity, r->input_count))
        r->inputs[r->input_count++] = (iv_input){ iv_result_keep(r, iv_str_of(path)), bytes, NULL };
}

void iv_result_add_note(iv_result *r, const iv_note *note)
{
    if (!IV_ARENA_ROOM(&r->arena, r->notes, r->note_capacity, r->note_count))
        return;
    iv_note *at = &r->notes[r->note_count++];
    *at = *note;
    at->text = iv_result_keep(r, iv_str_of(note->text));
    at->tables = result_keep_any(r, note->tables);
}

/* A note, of the form that only legends have. */
static void note_as(iv_result *r, bool legend, bool people, const char *fmt, va_list ap)
{
    iv_result_add_note(r, &(iv_note){ .text = keep_formatted(r, fmt, ap), .legend = legend,
                                      .people = people });
}

void iv_result_note(iv_result *r, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    note_as(r, false, false, fmt, ap);
    va_end(ap);
}

void iv_result_legend(iv_result *r, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    note_as(r, true, false, fmt, ap);
    va_end(ap);
}

void iv_result_key(iv_result *r, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    note_as(r, true, true, fmt, ap);
    va_end(ap);
}

void iv_result_add_method(iv_result *r, const char *id, const char *text)
{
    char all[2048];

    for (size_t i = 0; i < r->used.count; i++)
        if (strcmp(r->used.at[i], id) == 0)
            return;
    iv_words_add(&r->arena, &r->used, id);
    iv_words_add(&r->arena, &r->used_texts, iv_result_keep(r, iv_str_of(text)));
    (void)snprintf(all, sizeof all, "%s%s%s", r->method_text != NULL ? r->method_text : "",
                   r->method_text != NULL ? "; " : "", text);
    r->method_text = iv_result_keep(r, iv_str_of(all));
}

void iv_result_add_citation(iv_result *r, const iv_citation *c)
{
    for (size_t i = 0; i < r->citation_count; i++)
        if (strcmp(r->citations[i].key, c->key) == 0)
            return;
    if (!IV_ARENA_ROOM(&r->arena, r->citations, r->citation_capacity, r->citation_count))
        return;
    r->citations[r->citation_count++] = *c;
}

static void answer_as(iv_result *r, bool decides, const char *fmt, va_list ap)
{
    r->plain = keep_formatted(r, fmt, ap);
    r->decides = decides;
    iv_result_lead(r, NULL);
}

void iv_result_answer(iv_result *r, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    answer_as(r, false, fmt, ap);
    va_end(ap);
}

void iv_result_decision(iv_result *r, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    answer_as(r, true, fmt, ap);
    va_end(ap);
}

const char *iv_verdict_name(iv_verdict verdict)
{
    static const char *const names[] = { NULL, "PASS", "FAIL", "INCONCLUSIVE", "ERROR" };

    return names[verdict];
}

/* The answer with the word of its verdict, where it has one. */
static const char *worded(iv_result *r)
{
    static const char open[] = "Inconclusive";
    const char *word = r->opened ? "PASS (--gate-on worse)" : iv_verdict_name(r->verdict);
    char all[4096];

    if (r->plain == NULL || word == NULL || !(r->decides || r->gated))
        return r->plain;
    /* An answer that is not a gate's says the same in small letters. */
    const bool said = !r->decides && strncmp(r->plain, open, sizeof open - 1) == 0;
    (void)snprintf(all, sizeof all, "%s%s%s", word, r->decides || said ? "" : ": ",
                   r->plain + (said ? sizeof open - 1 : 0));
    return iv_result_keep(r, iv_str_of(all));
}

void iv_result_lead(iv_result *r, const char *text)
{
    char all[4096];

    if (text != NULL) {
        (void)snprintf(all, sizeof all, "%s%s%s", r->lead != NULL ? r->lead : "",
                       r->lead != NULL ? " " : "", text);
        r->lead = iv_result_keep(r, iv_str_of(all));
    }
    const char *answer = worded(r);
    r->answer = answer;
    if (r->lead == NULL || answer == NULL || strstr(answer, r->lead) != NULL)
        return;
    const bool first = answer != r->plain; /* a verdict keeps its first word */
    (void)snprintf(all, sizeof all, "%s %s", first ? answer : r->lead, first ? r->lead : answer);
    r->answer = iv_result_keep(r, iv_str_of(all));
}

/* ------------------------------------------------------------- tables -- */

iv_table *iv_result_table(iv_result *r, const char *name, const iv_column *columns,
                          size_t count)
{
    iv_table *t = iv_take(&r->arena, 1, sizeof *t);
    iv_column *own = iv_take(&r->arena, count + 1, sizeof *own);

    for (size_t i = 0; own != NULL && i < count; i++) {
        own[i] = columns[i];
        own[i].name = iv_result_keep(r, iv_str_of(columns[i].name));
        own[i].about = result_keep_any(r, columns[i].about);
        own[i].heading = result_keep_any(r, columns[i].heading);
    }
    if (!IV_ARENA_ROOM(&r->arena, r->tables, r->table_capacity, r->table_count)
        || r->arena.failed)
        return &r->nowhere;
    *t = (iv_table){ .result = r, .name = iv_result_keep(r, iv_str_of(name)), .columns = own,
                     .column_count = count, .stride = count };
    r->tables[r->table_count++] = t;
    for (size_t i = 0; i < count && r->failure.code == IV_OK; i++)
        if (iv_table_find(t, t->columns[i].name) != i)
            (void)iv_fail(&r->failure, IV_EARG, "table '%s' has column '%s' twice", t->name,
                          t->columns[i].name);
    return t;
}

void iv_table_named(iv_table *t)
{
    t->showing = IV_ASIDE;
    t->named = true;
}

void iv_table_paper(iv_table *t, const char *caption, const char *label)
{
    if (t == &t->result->nowhere)
        return;
    t->caption = iv_result_keep(t->result, iv_str_of(caption));
    t->label = iv_result_keep(t->result, iv_str_of(label));
}

/* The table's own copy of a column's name, when it can be drawn. */
static const char *drawable(iv_table *t, const char *name)
{
    const size_t at = iv_table_find(t, name);

    if (at != SIZE_MAX && t->columns[at].kind == IV_REAL)
        return t->columns[at].name;
    if (t->result->failure.code == IV_OK)
        (void)iv_fail(&t->result->failure, IV_EARG,
                      "table '%s' has no column '%s' of real numbers to draw",
                      t->name, name);
    return NULL;
}

void iv_table_draw(iv_table *t, iv_drawn drawn)
{
    if (t == &t->result->nowhere)
        return;
    drawn.lower = drawable(t, drawn.lower);
    drawn.upper = drawable(t, drawn.upper);
    if (drawn.value != NULL)
        drawn.value = drawable(t, drawn.value);
    if (drawn.lower == NULL || drawn.upper == NULL)
        return;
    t->drawn = drawn;
    t->draws = true;
}

/*
 * The next cell, marked missing, if the table takes one of this kind there.
 * A cell of the wrong kind stays missing, so that the rows keep their shape.
 */
static iv_stored *next_cell(iv_table *t, iv_kind kind, bool any)
{
    static const char *const kinds[] = { "text", "an integer", "a real number" };

    if (t->column_count == 0)
        return NULL;
    const iv_column *column = &t->columns[t->count % t->column_count];
    if (!IV_ROOM(t->cells, t->capacity, t->count + 1)) {
        t->result->arena.failed = true;
        return NULL;
    }
    iv_stored *cell = &t->cells[t->count++];
    *cell = (iv_stored){ .as.text = NULL, .len = IV_CELL_MISSING };
    if (any || column->kind == kind)
        return cell;
    if (t->result->failure.code == IV_OK)
        (void)iv_fail(&t->result->failure, IV_EARG,
                      "table '%s': column '%s' holds %s and was given %s", t->name,
                      column->name, kinds[column->kind], kinds[kind]);
    return NULL;
}

void iv_put_text(iv_table *t, iv_str s)
{
    iv_stored *cell = next_cell(t, IV_TEXT, false);

    if (cell == NULL)
        return;
    /* A run's or measure's name is often the one of the row above. */
    const iv_stored *above = t->count > t->column_count ? cell - t->column_count : NULL;
    const char *text;
    if (above != NULL && above->len == s.len
        && iv_str_cmp((iv_str){ above->as.text, above->len }, s) == 0)
        text = above->as.text;
    else
        text = iv_arena_copy(&t->result->arena, s);
    if (text != NULL)
        *cell = (iv_stored){ .as.text = text, .len = s.len };
}

void iv_put_int(iv_table *t, int64_t v)
{
    iv_stored *cell = next_cell(t, IV_INTEGER, false);

    if (cell != NULL)
        *cell = (iv_stored){ .as.integer = v, .len = 0 };
}

void iv_put_real(iv_table *t, double v)
{
    iv_stored *cell = next_cell(t, IV_REAL, false);

    if (cell != NULL && isfinite(v))
        *cell = (iv_stored){ .as.real = v + 0.0, .len = 0 }; /* -0 is 0 */
}

void iv_put_missing(iv_table *t)
{
    (void)next_cell(t, IV_TEXT, true);
}

/* ------------------------------------------------------- reading back -- */

int iv_result_status(const iv_result *r, iv_err *err)
{
    if (r->arena.failed)
        return iv_fail(err, IV_ENOMEM, "out of memory for the result");
    if (r->failure.code != IV_OK)
        return iv_fail_as(err, &r->failure);
    for (size_t i = 0; i < r->table_count; i++) {
        const iv_table *t = r->tables[i];
        const size_t odd = t->column_count == 0 ? 0 : t->count % t->column_count;
        if (odd != 0)
            return iv_fail(err, IV_EARG, "table '%s': the last row has %zu cells of %zu",
                           t->name, odd, t->column_count);
    }
    return IV_OK;
}

const char *iv_result_answer_text(const iv_result *r)
{
    return r->answer;
}

size_t iv_result_notes(const iv_note **out, const iv_result *r)
{
    *out = r->notes;
    return r->note_count;
}

size_t iv_result_citations(const iv_citation **out, const iv_result *r)
{
    *out = r->citations;
    return r->citation_count;
}

const char *iv_result_method_text(const iv_result *r)
{
    return r->method_text;
}

size_t iv_result_inputs(const iv_input **out, const iv_result *r)
{
    *out = r->inputs;
    return r->input_count;
}

size_t iv_result_tables(const iv_result *r)
{
    return r->table_count;
}

const iv_table *iv_result_table_at(const iv_result *r, size_t i)
{
    return r->tables[i];
}

const char *iv_table_name(const iv_table *t)
{
    return t->name;
}

size_t iv_table_columns(const iv_column **out, const iv_table *t)
{
    *out = t->columns;
    return t->column_count;
}

size_t iv_table_rows(const iv_table *t)
{
    if (t->row_map != NULL)
        return t->row_count;
    return t->stride == 0 ? 0 : t->count / t->stride;
}

size_t iv_table_find(const iv_table *t, const char *column)
{
    for (size_t i = 0; column != NULL && i < t->column_count; i++)
        if (strcmp(t->columns[i].name, column) == 0)
            return i;
    return SIZE_MAX;
}

iv_cell iv_table_cell(const iv_table *t, size_t row, size_t column)
{
    const size_t at = t->map != NULL ? t->map[column] : column;
    const size_t of = t->row_map != NULL ? t->row_map[row] : row;
    const iv_stored *cell = &t->cells[of * t->stride + at];
    iv_cell out = { cell->len == IV_CELL_MISSING, { "", 0 }, 0, 0.0, false };

    if (out.missing)
        return out;
    if (t->columns[column].kind == IV_TEXT)
        out.text = (iv_str){ cell->as.text, cell->len };
    else if (t->columns[column].kind == IV_INTEGER)
        out.integer = cell->as.integer;
    else
        out.real = cell->as.real;
    out.count = t->columns[column].kind == IV_REAL && cell->len == IV_CELL_COUNT;
    return out;
}

const iv_drawn *iv_table_drawn(const iv_table *t)
{
    return t->draws ? &t->drawn : NULL;
}

/* Tables from arrays of structs, and what of a result somebody will look at. */

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

    if (IV_ROOM(t->quiet, t->quiet_capacity, at + 1))
        memcpy(&t->quiet[at], row + member, sizeof *t->quiet);
    else
        t->result->arena.failed = true;
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
    const size_t all = t->stride == 0 ? 0 : t->count / t->stride, c = iv_table_find(t, column);

    for (size_t row = all - (rows < all ? rows : all); c != SIZE_MAX && row < all; row++) {
        iv_stored *cell = &t->cells[row * t->stride + c];
        if (cell->len != IV_CELL_MISSING)
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
    t->showing = rows->showing;
    if (rows->drawn.lower != NULL)
        iv_table_draw(t, rows->drawn);
    t->split = result_keep_any(r, rows->split);
    iv_table_append(t, rows);
    return t;
}

/* -------------------------------------------------------------- views -- */

void iv_table_head(iv_table *t, const char *column, const char *heading)
{
    const size_t c = iv_table_find(t, column);

    if (c != SIZE_MAX)
        t->columns[c].heading = heading;
}

bool iv_table_has_any(const iv_table *t, size_t column)
{
    for (size_t row = 0; row < iv_table_rows(t); row++) {
        const iv_cell cell = iv_table_cell(t, row, column);
        if (!cell.missing && (t->columns[column].kind != IV_TEXT || cell.text.len > 0))
            return true;
    }
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

bool iv_table_seen(const iv_table *t, size_t column, bool verbose)
{
    switch (t->columns[column].audience) {
    case IV_FOR_PROGRAMS:
        return false;
    case IV_FOR_PEOPLE:
    case IV_IF_ANY:
        return iv_table_has_any(t, column);
    case IV_IF_VARIES:
        return verbose || iv_table_varies(t, column);
    case IV_IF_VERBOSE:
        return verbose;
    case IV_FOR_ALL:
        break;
    }
    return true;
}

int iv_table_view(iv_table *out, iv_arena *a, const iv_table *t, iv_readers readers, bool verbose,
                  iv_err *err)
{
    const bool people = readers == IV_PEOPLE;
    iv_table v = *t;

    v.column_count = 0;
    v.columns = iv_take(a, t->column_count + 1, sizeof *v.columns);
    v.map = iv_take(a, t->column_count + 1, sizeof *v.map);
    v.row_map = t->quiet == NULL ? NULL : iv_take(a, iv_table_rows(t) + 1, sizeof *v.row_map);
    IV_TRY(iv_taken(a, err));
    for (size_t c = 0; c < t->column_count; c++) {
        if (people && t->split != NULL && strcmp(t->columns[c].name, t->split) == 0)
            continue; /* it is the table's name */
        if (people ? iv_table_seen(t, c, verbose)
                   : readers == IV_PAGE || t->columns[c].audience != IV_FOR_PEOPLE) {
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
    const size_t rows = iv_table_rows(t), first = *from, column = iv_table_find(t, t->split);
    size_t end = first;

    *part = *t;
    if (column == SIZE_MAX) {
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
    r->wanted = result_keep_any(r, table);
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
    iv_words_add(&r->arena, &r->known, iv_result_keep(r, iv_str_of(table)));
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

/* What a result says beside its tables: charts, and how it was made. */

static void refuse(iv_result *r, const iv_chart *chart, const char *what, const char *name)
{
    if (r->failure.code == IV_OK)
        (void)iv_fail(&r->failure, IV_EARG, "chart '%s': table '%s' has no %s '%s'",
                      chart->title, chart->table, what, name);
}

static const iv_table *find_table(const iv_result *r, const char *name)
{
    for (size_t i = 0; i < r->table_count; i++)
        if (strcmp(r->tables[i]->name, name) == 0)
            return r->tables[i];
    return NULL;
}

/* What a column must hold: kinds, as bits. */
enum { WORDS = 1 << IV_TEXT, NUMBERS = 1 << IV_REAL | 1 << IV_INTEGER };

/* The table's own copy of a column's name; NULL: none was named, or it is of no use. */
static const char *chart_column(iv_result *r, const iv_chart *chart, const iv_table *t,
                             const char *name, unsigned kinds)
{
    const size_t at = iv_table_find(t, name);

    if (at != SIZE_MAX && (1u << t->columns[at].kind & kinds))
        return t->columns[at].name;
    if (name != NULL)
        refuse(r, chart, kinds == NUMBERS ? "column of numbers" : kinds == WORDS
               ? "column of text" : "column", name);
    return NULL;
}

/* Are the columns named without which the kind draws nothing? */
static bool has_columns(iv_result *r, const iv_chart *c)
{
    const bool labels = c->kind == IV_CHART_FOREST || c->kind == IV_CHART_BARS
        || c->kind == IV_CHART_MATRIX;
    const bool enough = (c->value != NULL || (c->kind == IV_CHART_FOREST && c->lower != NULL))
        && (labels ? c->label : c->x) != NULL
        && (c->kind != IV_CHART_MATRIX || c->against != NULL)
        && (c->lower == NULL) == (c->upper == NULL);

    if (!enough && r->failure.code == IV_OK)
        (void)iv_fail(&r->failure, IV_EARG, "chart '%s' lacks a column that its kind needs",
                      c->title);
    return enough;
}

void iv_result_chart(iv_result *r, const iv_chart *chart)
{
    const iv_table *t = find_table(r, chart->table);
    iv_chart c = *chart;

    if (t == NULL) {
        /* After an allocation failure the table is nowhere, and that is told. */
        if (r->failure.code == IV_OK)
            (void)iv_fail(&r->failure, IV_EARG, "chart '%s': there is no table '%s'",
                          chart->title, chart->table);
        return;
    }
    c.table = t->name;
    const char **names[] = { &c.label, &c.against, &c.group, &c.panel, &c.page };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        *names[i] = chart_column(r, chart, t, *names[i], WORDS | NUMBERS);
    c.where = chart_column(r, chart, t, c.where, WORDS);
    const char **numbers[] = { &c.x, &c.value, &c.lower, &c.upper };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = chart_column(r, chart, t, *numbers[i], NUMBERS);
    const char **kept[] = { &c.title, &c.caption, &c.is, &c.is_not, &c.opens, &c.x_axis.title,
                            &c.value_axis.title };
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        *kept[i] = result_keep_any(r, *kept[i]);
    for (size_t i = 0; i < IV_CHART_LINES; i++)
        c.lines[i].text = result_keep_any(r, c.lines[i].text);
    if (!has_columns(r, &c))
        return;
    if (IV_ARENA_ROOM(&r->arena, r->charts, r->chart_capacity, r->chart_count))
        r->charts[r->chart_count++] = c;
}

void iv_result_method(iv_result *r, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    words_format(r, &r->methods, fmt, ap);
    va_end(ap);
}

void iv_result_assumption(iv_result *r, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    words_format(r, &r->assumptions, fmt, ap);
    va_end(ap);
}

size_t iv_result_charts(const iv_chart **out, const iv_result *r)
{
    *out = r->charts;
    return r->chart_count;
}

size_t iv_result_methods(const char *const **out, const iv_result *r)
{
    *out = r->methods.at;
    return r->methods.count;
}

size_t iv_result_assumptions(const char *const **out, const iv_result *r)
{
    *out = r->assumptions.at;
    return r->assumptions.count;
}

void iv_result_detail(iv_result *r, const char *name, const char *text)
{
    iv_words_add(&r->arena, &r->detail_names, iv_result_keep(r, iv_str_of(name)));
    iv_words_add(&r->arena, &r->details, iv_result_keep(r, iv_str_of(text)));
}

void iv_result_digests(iv_result *r, const iv_digests *d)
{
    for (size_t i = 0; i < r->input_count; i++) {
        const char *sha256 = iv_digests_find(d, r->inputs[i].path);
        if (sha256 != NULL)
            r->inputs[i].sha256 = iv_result_keep(r, iv_str_of(sha256));
    }
}

iv_arena *iv_result_own(iv_result *r) { return &r->own; }

iv_texts iv_result_arguments(const iv_result *r)
{
    return (iv_texts){ r->arguments.at, r->arguments.count };
}

bool iv_result_wants_one(const iv_result *r) { return r->wanted != NULL; }

void iv_table_showing(iv_table *t, iv_showing showing) { t->showing = showing; }
