/* SPDX-License-Identifier: Apache-2.0 */
/* For people: the answer, aligned tables with drawn intervals, the notes. */
#include <stdlib.h>

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

/*
 * Writes row number `row` of t, or its headings for SIZE_MAX.  Text goes to
 * the left, numbers to the right, which puts their points below each other.
 */
static void put_row(FILE *out, const iv_table *t, size_t row, const size_t *widths,
                    bool fill, const colours *colour)
{
    const iv_column *columns;
    const size_t count = iv_table_columns(&columns, t);

    for (size_t c = 0; c < count; c++) {
        const bool heading = row == SIZE_MAX;
        const bool left = columns[c].kind == IV_TEXT;
        const iv_cell cell = heading ? (iv_cell){ .text = iv_str_of(columns[c].name) }
                                     : iv_table_cell(t, row, c);
        const size_t used = heading
            ? iv_escape(NULL, cell.text, &iv_escapes_plain)
            : iv_cell_show(NULL, &columns[c], cell, &iv_escapes_plain, missing);
        iv_cell_pad(out, (c > 0 ? GAP : 0) + (left ? 0 : widths[c] - used));
        if (heading)
            put_heading(out, columns[c].name, colour);
        else
            (void)iv_cell_show(out, &columns[c], cell, &iv_escapes_plain, missing);
        if (left && (fill || c + 1 < count))
            iv_cell_pad(out, widths[c] - used);
    }
}

static int put_table(FILE *out, const iv_table *t, const iv_report_options *o, iv_err *err)
{
    const colours colour = colours_of(o);
    const size_t window = o->width > 0 ? (size_t)o->width : 80;
    const iv_column *columns;
    const size_t count = iv_table_columns(&columns, t);
    size_t total = 0;
    iv_drawing d;
    size_t *widths = iv_cell_widths(t, &iv_escapes_plain, missing);

    if (widths == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for the report");
    for (size_t c = 0; c < count; c++)
        total += widths[c] + GAP; /* the last gap is before the drawing */
    const size_t room = window > total ? window - total : 0;
    const bool draws = iv_drawing_fit(&d, t, room, o->utf8);

    put_row(out, t, SIZE_MAX, widths, false, &colour);
    putc('\n', out);
    for (size_t row = 0; row < iv_table_rows(t); row++) {
        put_row(out, t, row, widths, draws, &colour);
        if (draws)
            iv_drawing_row(out, &d, t, row, colour.drawing, colour.off);
        putc('\n', out);
    }
    if (draws) {
        iv_cell_pad(out, total);
        iv_drawing_axis(out, &d);
        putc('\n', out);
    }
    if (iv_table_rows(t) == 0)
        fputs("(no rows)\n", out);
    free(widths);
    return IV_OK;
}

int iv_render_text(FILE *out, const iv_report_view *view, iv_err *err)
{
    const colours colour = colours_of(view->options);
    const char *answer = iv_result_answer_text(view->result);
    const char *gap = "";

    if (answer != NULL) {
        put_heading(out, answer, &colour);
        putc('\n', out);
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
        if (t->caption != NULL) {
            (void)iv_escape(out, iv_str_of(t->caption), &iv_escapes_plain);
            putc('\n', out);
        }
    }
    for (size_t i = 0; i < view->note_count; i++) {
        fputs(i == 0 ? gap : "", out);
        if (!iv_note_on_method(view->notes[i]))
            fprintf(out, "%snote:%s ", colour.warning, colour.off);
        (void)iv_escape(out, iv_str_of(view->notes[i]), &iv_escapes_plain);
        putc('\n', out);
    }
    return IV_OK;
}
