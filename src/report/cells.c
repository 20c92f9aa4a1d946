/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of tables as text: exact or rounded, and aligned in columns. */
#include "base/charconv.h"
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "report/cells.h"
#include "report/render.h"
#include "result/result_state.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Which tables, columns and notes of a result a format shows: decided here alone. */

enum { NOTES_SHOWN = 3 };

const char *iv_severity_name(iv_severity severity)
{
    return severity == IV_NOTE ? "note" : severity == IV_WARNING ? "warning" : "error";
}

const char *iv_column_heading(const iv_column *c)
{
    return c->heading != NULL ? c->heading : c->name;
}

/* Once: of charts some tables are known twice. */
static void list_table(char *list, size_t size, const char *name)
{
    const size_t used = strlen(list), len = strlen(name);

    for (const char *at = list; (at = strstr(at, name)) != NULL; at += len)
        if (at > list && at[-1] == ' ' && (at[len] == ',' || at[len] == '\0'))
            return;
    (void)snprintf(list + used, size - used, "%s%s", used == 0 ? "; the tables are " : ", ", name);
}

static int unknown_table(const iv_result *result, const char *wanted, bool people,
                         iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];
    char list[256] = "";

    for (size_t i = 0; i < result->table_count; i++) {
        iv_table part = *result->tables[i];
        size_t from = 0;
        if (!people || part.split == NULL)
            list_table(list, sizeof list, part.name);
        while (people && part.split != NULL && iv_table_part(&part, result->tables[i], &from))
            list_table(list, sizeof list, part.name);
    }
    for (size_t i = 0; i < result->known.count; i++)
        list_table(list, sizeof list, result->known.at[i]);
    return iv_fail(err, IV_EARG, "no table %s in the result%s",
                   iv_quote(quoted, iv_str_of(wanted)), list);
}

/* Does the format show the table?  tsv and csv show one: the first, or that asked for. */
static bool is_shown(const iv_table *t, const iv_report_view *v)
{
    const char *wanted = v->options->table;

    return wanted != NULL ? strcmp(t->name, wanted) == 0 || (v->people && t->split != NULL)
                          : !v->whole || t->showing <= v->most;
}

/* Does the format show a table that the note is about?  Notes about none are for all. */
static bool is_told(const iv_report_view *v, const iv_note *note)
{
    const iv_result *r = v->result;
    const char *about = note->tables;
    bool told = about == NULL;

    while (!told && *about != '\0') {
        const iv_str name = { about, strcspn(about, " ") };
        for (size_t i = 0; i < r->table_count; i++)
            told = told || (iv_str_cmp(iv_str_of(r->tables[i]->name), name) == 0
                            && is_shown(r->tables[i], v));
        about += name.len + (about[name.len] == ' ');
    }
    return told;
}

static int add_part(iv_report_view *view, const iv_table *t, iv_err *err)
{
    if (!IV_ARENA_ROOM(&view->memory, view->tables, view->capacity, view->count))
        return iv_no_memory(err);
    return iv_table_view(&view->tables[view->count++], &view->memory, t,
                         view->options->format == IV_FORMAT_HTML ? IV_PAGE
                         : view->people ? IV_PEOPLE : IV_PROGRAMS, view->options->verbose, err);
}

/* People see the parts of a table as tables, and may ask for one of them. */
static int add_table(iv_report_view *view, const iv_table *t, const char *wanted, iv_err *err)
{
    iv_table part;
    size_t from = 0;

    if (!view->people)
        return add_part(view, t, err);
    while (iv_table_part(&part, t, &from))
        if (wanted == NULL || strcmp(t->name, wanted) == 0 || strcmp(part.name, wanted) == 0)
            IV_TRY(add_part(view, &part, err));
    return IV_OK;
}

static int add_tables(iv_report_view *view, iv_err *err)
{
    const iv_result *r = view->result;
    const char *wanted = view->options->table;

    for (size_t i = 0; i < r->table_count; i++)
        if (is_shown(r->tables[i], view) && (view->count == 0 || (view->whole && wanted == NULL)))
            IV_TRY(add_table(view, r->tables[i], wanted, err));
    return wanted != NULL && view->count == 0 ? unknown_table(r, wanted, view->people, err)
        : IV_OK;
}

static void add_listed(iv_report_view *view, const char *before, iv_listing *tables,
                       const char *behind)
{
    char text[1400];

    (void)snprintf(text, sizeof text, "%s%s%s", before, iv_listed(tables), behind);
    if (tables->count > 0)
        view->notes[view->note_count++] =
            (iv_note){ .text = iv_arena_copy(&view->memory, iv_str_of(text)) };
}

/* People are told of tables that are too long for them, and how to see them; and of those that
 * text leaves out to fit a screen. */
static void tell_more(iv_report_view *view)
{
    const iv_result *r = view->result;
    const char *elsewhere = view->options->elsewhere;
    iv_listing longer = { .most = 100 }, named = { .most = 100 };
    char how[200] = "";

    if (!view->people || view->options->table != NULL)
        return;
    for (size_t i = 0; i < r->table_count; i++) {
        const iv_table *t = r->tables[i];
        const size_t rows = iv_table_rows(t) + t->unlisted;
        if (t->showing == IV_LONG)
            iv_list(&longer, "%zu row%s of table '%.80s'", rows, rows == 1 ? "" : "s", t->name);
        if (t->named && view->most < IV_ASIDE)
            iv_list(&named, "%.80s", t->name);
    }
    if (elsewhere != NULL)
        (void)snprintf(how, sizeof how, "; %s", elsewhere);
    add_listed(view, "not listed here: ", &longer, how);
    add_listed(view, "more tables, by name: ", &named, "");
}

/* Does the answer say it?  Then people need not read it twice. */
static bool is_in_answer(const iv_report_view *view, const iv_note *n)
{
    const iv_result *r = view->result;

    return view->people && n->severity == IV_WARNING && r->lead != NULL
        && strstr(r->lead, n->text) != NULL;
}

/* What a page says of a note: not what its author could do next; NULL: nothing is left. */
static const char *handed_on(iv_report_view *view, const iv_note *n)
{
    const size_t len = strlen(n->text) - n->advice;

    return len == 0 ? NULL : iv_arena_copy(&view->memory, (iv_str){ n->text, len });
}

/* Warnings, then the rest.  People who did not ask for all get the first of them, and no
 * legends. */
static void add_notes(iv_report_view *view)
{
    const iv_note *notes;
    const size_t count = iv_result_notes(&notes, view->result);
    const bool brief = view->people && !view->options->verbose;

    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < count; i++) {
            const iv_note *n = &notes[i];
            const char *text = view->options->format == IV_FORMAT_HTML ? handed_on(view, n)
                : n->text;
            if (text == NULL || (n->severity == IV_NOTE) != (round == 1)
                || (n->people && !view->people) || (brief && n->legend) || is_in_answer(view, n)
                || !is_told(view, n))
                continue;
            if (brief && view->note_count == NOTES_SHOWN)
                view->more++;
            else
                view->notes[view->note_count++] = (iv_note){ .id = n->id, .severity = n->severity,
                                                             .text = text, .legend = n->legend };
        }
    if (!brief)
        tell_more(view);
}

int iv_view_fill(iv_report_view *view, iv_err *err)
{
    view->notes = iv_take(&view->memory, view->result->note_count + 3, sizeof *view->notes);
    IV_TRY(iv_taken(&view->memory, err));
    IV_TRY(add_tables(view, err));
    /* Only formats for people have a switch for notes. */
    if (!(view->options->no_notes && view->people))
        add_notes(view);
    return iv_taken(&view->memory, err);
}

static void round_real(char out[IV_CELL_SIZE], double value, int digits)
{
    enum { MOST_DIGITS = 17 };
    const double huge = 1e15;

    if (value == 0.0)
        value = 0.0; /* without its sign */
    if (digits < 0) {
        (void)iv_format_real(out, value);
        return;
    }
    iv_to_digits(out, IV_CELL_SIZE, value, digits < MOST_DIGITS ? digits : MOST_DIGITS,
                 fabs(value) >= huge);
    /* A p-value of 3e-9 is not 0.0000. */
    if (value != 0.0 && strpbrk(out, "123456789") == NULL)
        iv_to_digits(out, IV_CELL_SIZE, value, 1, true);
}

/* By its name, which says so in every table. */
static bool is_probability(const char *name)
{
    return strncmp(name, "p_", 2) == 0 || strcmp(name, "probability") == 0
        || strcmp(name, "power") == 0;
}

const char *iv_cell_rounded(char out[IV_CELL_SIZE], const iv_column *column, iv_cell cell)
{
    if (column->kind == IV_INTEGER && fabs((double)cell.integer) < 1e15) /* exact as a real */
        (void)iv_thousands(out, (double)cell.integer);
    else if (column->kind == IV_INTEGER)
        (void)snprintf(out, IV_CELL_SIZE, "%" PRId64, cell.integer);
    else if (is_probability(column->name) && cell.real < 1.0
             && cell.real > 1.0 - 0.5 * pow(10.0, -column->digits))
        (void)snprintf(out, IV_CELL_SIZE, ">%.*f", column->digits,
                       1.0 - pow(10.0, -column->digits)); /* nothing is certain */
    else
        round_real(out, cell.real, cell.count ? 0 : column->digits);
    return out;
}

const char *iv_cell_exact(char out[IV_CELL_SIZE], const iv_column *column, iv_cell cell)
{
    if (column->kind == IV_INTEGER)
        (void)snprintf(out, IV_CELL_SIZE, "%" PRId64, cell.integer);
    else
        (void)iv_format_real(out, cell.real);
    return out;
}

size_t iv_cell_show(FILE *out, const iv_column *column, iv_cell cell,
                    const iv_escapes *e, const char *missing)
{
    char number[IV_CELL_SIZE];

    if (!cell.missing && column->kind == IV_TEXT)
        return iv_escape(out, cell.text, e);
    const char *text = cell.missing ? missing : iv_cell_rounded(number, column, cell);
    if (out != NULL)
        fputs(text, out);
    return strlen(text);
}

size_t iv_cell_aligned(FILE *out, const iv_column *column, iv_cell cell, const iv_escapes *e,
                       const char *missing, size_t width)
{
    char number[IV_CELL_SIZE];

    if (column->kind == IV_TEXT)
        return width - iv_cell_show(out, column, cell, e, missing);
    const char *text = cell.missing ? missing : iv_cell_rounded(number, column, cell);
    iv_cell_pad(out, width - strlen(text));
    fputs(text, out);
    return 0;
}

size_t *iv_cell_widths(iv_arena *own, const iv_table *t, const iv_escapes *e, const char *missing)
{
    size_t *widths = iv_take(own, t->column_count + 1, sizeof *widths);

    for (size_t c = 0; widths != NULL && c < t->column_count; c++) {
        const iv_column *column = &t->columns[c];
        widths[c] = iv_escape(NULL, iv_str_of(iv_column_heading(column)), e);
        for (size_t row = 0; row < iv_table_rows(t); row++) {
            const size_t width = iv_cell_show(NULL, column, iv_table_cell(t, row, c), e, missing);
            widths[c] = width > widths[c] ? width : widths[c];
        }
    }
    return widths;
}

void iv_cell_pad(FILE *out, size_t columns)
{
    static const char blanks[] = "                ";
    const size_t most = sizeof blanks - 1;

    for (; columns > most; columns -= most)
        fwrite(blanks, 1, most, out);
    fwrite(blanks, 1, columns, out);
}
