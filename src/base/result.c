/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The neutral result.
 *
 * All small text lives in one arena and goes with the result.  A table is one
 * array of cells, row by row; the kind of a cell is its column's, so a cell
 * is a union and a length.  The first thing that goes wrong is kept and told
 * by iv_result_status(); everything after it still leaves the object sound.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/listing.h"
#include "base/result.h"
#include "base/base_private.h"

const char *iv_result_keep(iv_result *r, iv_str s)
{
    const char *copy = iv_arena_copy(&r->arena, s);

    return copy != NULL ? copy : "";
}

const char *iv_result_keep_any(iv_result *r, const char *text)
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

void iv_words_add(iv_result *r, iv_words *list, const char *kept)
{
    const char **at = iv_arena_grow(&r->arena, list->at, &list->capacity, list->count, sizeof *at);

    if (at == NULL)
        return;
    list->at = at;
    list->at[list->count++] = kept;
}

void iv_words_format(iv_result *r, iv_words *list, const char *fmt, va_list ap)
{
    iv_words_add(r, list, keep_formatted(r, fmt, ap));
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
    const iv_words *const then[] = { &before->arguments, &before->methods, &before->assumptions,
                                     &before->known, &before->used, &before->used_texts };
    iv_words *const now[] = { &r->arguments, &r->methods, &r->assumptions, &r->known, &r->used,
                              &r->used_texts };

    for (size_t i = 0; i < sizeof now / sizeof *now; i++)
        now[i]->count = then[i]->count;
    for (size_t i = before->table_count; i < r->table_count; i++) {
        free(r->tables[i]->cells);
        free(r->tables[i]->quiet);
    }
    r->note_count = before->note_count;
    r->citation_count = before->citation_count;
    r->method_text = before->method_text;
    r->table_count = before->table_count;
    r->chart_count = before->chart_count;
    r->input_count = before->input_count;
    r->answer = before->answer;
    r->seed = before->seed;
    r->has_seed = before->has_seed;
    r->failure = before->failure;
    r->arena.failed = before->arena.failed;
}

/* --------------------------------------------------------- provenance -- */

void iv_result_argument(iv_result *r, const char *word)
{
    iv_words_add(r, &r->arguments, iv_result_keep(r, iv_str_of(word)));
}

void iv_result_seed(iv_result *r, uint64_t seed)
{
    r->seed = seed;
    r->has_seed = true;
}

void iv_result_input(iv_result *r, const char *path, uint64_t bytes)
{
    iv_input *at = iv_arena_grow(&r->arena, r->inputs, &r->input_capacity, r->input_count,
                                 sizeof *at);

    if (at == NULL)
        return;
    r->inputs = at;
    r->inputs[r->input_count++] = (iv_input){ iv_result_keep(r, iv_str_of(path)), bytes, NULL };
}

void iv_result_add_note(iv_result *r, const iv_note *note)
{
    iv_note *at = iv_arena_grow(&r->arena, r->notes, &r->note_capacity, r->note_count, sizeof *at);

    if (at == NULL)
        return;
    r->notes = at;
    at = &r->notes[r->note_count++];
    *at = *note;
    at->text = iv_result_keep(r, iv_str_of(note->text));
    at->tables = iv_result_keep_any(r, note->tables);
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

/* "the text of each method (A 1999; B & C 2001)", anew. */
static void tell_methods(iv_result *r)
{
    char text[1024] = "";
    size_t used = 0;

    for (size_t i = 0; i < r->used_texts.count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i == 0 ? "" : ", ",
                                 r->used_texts.at[i]);
    for (size_t i = 0; i < r->citation_count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i == 0 ? " (" : "; ",
                                 r->citations[i].label);
    if (r->citation_count > 0 && used < sizeof text)
        (void)snprintf(text + used, sizeof text - used, ")");
    if (r->used.count > 0)
        r->method_text = iv_result_keep(r, iv_str_of(text));
}

bool iv_result_add_method(iv_result *r, const char *id, const char *text)
{
    for (size_t i = 0; i < r->used.count; i++)
        if (strcmp(r->used.at[i], id) == 0)
            return false;
    iv_words_add(r, &r->used, id);
    iv_words_add(r, &r->used_texts, iv_result_keep(r, iv_str_of(text)));
    tell_methods(r);
    return true;
}

void iv_result_add_citation(iv_result *r, const iv_citation *c)
{
    for (size_t i = 0; i < r->citation_count; i++)
        if (strcmp(r->citations[i].key, c->key) == 0)
            return;
    iv_citation *at = iv_arena_grow(&r->arena, r->citations, &r->citation_capacity,
                                    r->citation_count, sizeof *at);
    if (at == NULL)
        return;
    r->citations = at;
    r->citations[r->citation_count++] = *c;
    tell_methods(r);
}

void iv_result_answer(iv_result *r, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    r->plain = keep_formatted(r, fmt, ap);
    va_end(ap);
    iv_result_lead(r, NULL);
}

void iv_result_lead(iv_result *r, const char *text)
{
    char all[4096];

    if (text != NULL) {
        (void)snprintf(all, sizeof all, "%s%s%s", r->lead != NULL ? r->lead : "",
                       r->lead != NULL ? " " : "", text);
        r->lead = iv_result_keep(r, iv_str_of(all));
    }
    r->answer = r->plain;
    if (r->lead == NULL || r->plain == NULL)
        return;
    /* A verdict keeps its first word. */
    const bool verdict = strncmp(r->plain, "PASS", 4) == 0
        || strncmp(r->plain, "FAIL", 4) == 0 || strncmp(r->plain, "INCONCLUSIVE", 12) == 0;
    (void)snprintf(all, sizeof all, "%s %s", verdict ? r->plain : r->lead,
                   verdict ? r->lead : r->plain);
    r->answer = iv_result_keep(r, iv_str_of(all));
}

/* ------------------------------------------------------------- tables -- */

iv_table *iv_result_table(iv_result *r, const char *name, const iv_column *columns,
                          size_t count)
{
    iv_table *t = iv_take(&r->arena, 1, sizeof *t);
    iv_column *own = iv_take(&r->arena, count + 1, sizeof *own);
    iv_table **at = iv_arena_grow(&r->arena, r->tables, &r->table_capacity, r->table_count,
                                  sizeof *at);

    for (size_t i = 0; own != NULL && i < count; i++) {
        own[i] = columns[i];
        own[i].name = iv_result_keep(r, iv_str_of(columns[i].name));
        own[i].about = iv_result_keep_any(r, columns[i].about);
        own[i].heading = iv_result_keep_any(r, columns[i].heading);
    }
    if (r->arena.failed)
        return &r->nowhere;
    *t = (iv_table){ .result = r, .name = iv_result_keep(r, iv_str_of(name)), .columns = own,
                     .column_count = count, .stride = count };
    r->tables = at;
    r->tables[r->table_count++] = t;
    for (size_t i = 0; i < count && r->failure.code == IV_OK; i++)
        if (iv_table_find(t, t->columns[i].name) != i)
            (void)iv_fail(&r->failure, IV_EARG, "table '%s' has column '%s' twice", t->name,
                          t->columns[i].name);
    return t;
}

void iv_table_show(iv_table *t, iv_showing showing)
{
    t->showing = showing;
}

void iv_table_named(iv_table *t)
{
    t->showing = IV_ASIDE;
    t->named = true;
}

void iv_table_paper(iv_table *t, const char *caption)
{
    if (t != &t->result->nowhere)
        t->caption = iv_result_keep(t->result, iv_str_of(caption));
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
    iv_stored *cells = iv_grow(t->cells, &t->capacity, t->count + 1, sizeof *cells);
    if (cells == NULL) {
        t->result->arena.failed = true;
        return NULL;
    }
    t->cells = cells;
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
        *cell = (iv_stored){ .as.real = v, .len = 0 };
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
