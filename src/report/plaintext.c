/* SPDX-License-Identifier: Apache-2.0 */
/* For people: the answer, aligned tables with drawn intervals, the notes. */
#include <stdlib.h>
#include <string.h>

#include "report/report_parts.h"

static const char missing[] = "-";
enum { GAP = 2 };

/* Terminal colours; all empty when none are wanted. */
typedef struct colours {
    const char *strong, *warning, *off;
    const char *drawing; /* with the gap before it */
} colours;

static colours colours_of(const iv_report_options *o)
{
    if (!o->colour)
        return (colours){ "", "", "", "  " };
    return (colours){ "\x1b[1m", "\x1b[33m", "\x1b[0m", "  \x1b[36m" };
}

static void put_heading(FILE *out, const char *name, const colours *c)
{
    fputs(c->strong, out);
    (void)iv_escape(out, iv_str_of(name), &iv_escapes_plain);
    fputs(c->off, out);
}

/* Which columns of a table stand side by side: the first `keys`, and from `from` to `to`. */
typedef struct block {
    size_t keys, from, to;
} block;

static size_t place_of(const block *b, size_t i)
{
    return i < b->keys ? i : b->from + i - b->keys;
}

/*
 * Writes row number `row` of t, or its headings for SIZE_MAX.  Text goes to
 * the left, numbers to the right, which puts their points below each other.
 */
static void put_row(FILE *out, const iv_table *t, size_t row, const block *b,
                    const size_t *widths, bool fill, const colours *colour)
{
    const iv_column *columns;
    const size_t count = b->keys + b->to - b->from;

    (void)iv_table_columns(&columns, t);
    for (size_t i = 0; i < count; i++) {
        const size_t c = place_of(b, i);
        const bool heading = row == SIZE_MAX;
        const bool left = columns[c].kind == IV_TEXT;
        size_t behind;
        iv_cell_pad(out, i > 0 ? GAP : 0);
        if (heading) {
            const iv_str name = iv_str_of(columns[c].name);
            behind = widths[c] - iv_escape(NULL, name, &iv_escapes_plain);
            iv_cell_pad(out, left ? 0 : behind);
            put_heading(out, columns[c].name, colour);
        } else {
            behind = iv_cell_aligned(out, &columns[c], iv_table_cell(t, row, c),
                                     &iv_escapes_plain, missing, widths[c]);
        }
        if (left && (fill || i + 1 < count))
            iv_cell_pad(out, behind);
    }
}

static size_t width_of(const size_t *widths, size_t from, size_t to)
{
    size_t total = 0;

    for (size_t c = from; c < to; c++)
        total += widths[c] + GAP;
    return total;
}

/* The columns that say what a row is about stand in every block: texts at its beginning. */
static size_t keys_of(const iv_table *t, const size_t *widths, size_t window)
{
    const iv_column *columns;
    const size_t count = iv_table_columns(&columns, t);
    size_t keys = 0;

    while (keys < count && columns[keys].kind == IV_TEXT)
        keys++;
    if (keys == count)
        keys = 1;
    while (keys > 1 && width_of(widths, 0, keys) > window / 2)
        keys--;
    return keys;
}

/* The rows of one block; the last gap is before the drawing. */
static void put_block(FILE *out, const iv_table *t, const block *b, const size_t *widths,
                      size_t window, const iv_report_options *o)
{
    const colours colour = colours_of(o);
    const size_t total = width_of(widths, 0, b->keys) + width_of(widths, b->from, b->to);
    const bool all = b->keys + b->to - b->from == t->column_count;
    iv_drawing d;
    const bool draws = all && iv_drawing_fit(&d, t, window > total ? window - total : 0, o->utf8);

    put_row(out, t, SIZE_MAX, b, widths, false, &colour);
    putc('\n', out);
    for (size_t row = 0; row < iv_table_rows(t); row++) {
        put_row(out, t, row, b, widths, draws, &colour);
        if (draws)
            iv_drawing_row(out, &d, t, row, colour.drawing, colour.off);
        putc('\n', out);
    }
    if (draws) {
        iv_cell_pad(out, total);
        iv_drawing_axis(out, &d);
        putc('\n', out);
    }
}

static int put_table(FILE *out, const iv_table *t, const iv_report_options *o, iv_err *err)
{
    const size_t window = o->width > 0 ? (size_t)o->width : 80;
    const size_t count = t->column_count;
    size_t *widths = iv_cell_widths(t, &iv_escapes_plain, missing);

    if (widths == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for the report");
    block b = { 0, 0, count };
    if (o->wrap && width_of(widths, 0, count) > window + GAP) {
        b.keys = b.from = keys_of(t, widths, window);
        while (b.from < count) {
            const size_t room = window + GAP - width_of(widths, 0, b.keys);
            b.to = b.from + 1;
            while (b.to < count && width_of(widths, b.from, b.to + 1) <= room)
                b.to++;
            put_block(out, t, &b, widths, window, o);
            fputs(b.to < count ? "\n" : "", out);
            b.from = b.to;
        }
    } else {
        put_block(out, t, &b, widths, window, o);
    }
    if (iv_table_rows(t) == 0)
        fputs("(no rows)\n", out);
    free(widths);
    return IV_OK;
}

/* A sentence behind `used` columns; where lines end, the next begin with `indent` blanks. */
static void put_sentence(FILE *out, const char *text, size_t used, size_t indent,
                         const iv_report_options *o)
{
    const size_t window = o->width > 0 ? (size_t)o->width : 80;

    if (!o->wrap) {
        (void)iv_escape(out, iv_str_of(text), &iv_escapes_plain);
        putc('\n', out);
        return;
    }
    for (bool first = true; *text != '\0'; first = false) {
        const iv_str word = { text, strcspn(text, " ") };
        const size_t len = iv_escape(NULL, word, &iv_escapes_plain);
        if (!first && used + 1 + len > window) {
            putc('\n', out);
            iv_cell_pad(out, indent);
            used = indent;
        } else if (!first) {
            putc(' ', out);
            used++;
        }
        used += iv_escape(out, word, &iv_escapes_plain);
        text += word.len;
        text += *text == ' ';
    }
    putc('\n', out);
}

int iv_render_text(FILE *out, const iv_report_view *view, iv_err *err)
{
    const colours colour = colours_of(view->options);
    const char *answer = iv_result_answer_text(view->result);
    const char *gap = "";

    if (answer != NULL) {
        fputs(colour.strong, out);
        put_sentence(out, answer, 0, 0, view->options);
        fputs(colour.off, out);
        gap = "\n";
    }
    for (size_t i = 0; i < view->count; i++) {
        const iv_table *t = &view->tables[i];
        fputs(gap, out);
        gap = "\n";
        if (view->count > 1) {
            put_heading(out, iv_table_name(t), &colour);
            fputs(":\n", out);
        }
        const int rc = put_table(out, t, view->options, err);
        if (rc < 0)
            return rc;
        if (t->caption != NULL)
            put_sentence(out, t->caption, 0, 0, view->options);
    }
    for (size_t i = 0; i < view->note_count; i++) {
        fputs(i == 0 ? gap : "", out);
        const bool plain = iv_note_on_method(view->notes[i]);
        if (!plain)
            fprintf(out, "%snote:%s ", colour.warning, colour.off);
        put_sentence(out, view->notes[i], plain ? 0 : sizeof "note: " - 1, 2, view->options);
    }
    return IV_OK;
}
