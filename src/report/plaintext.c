/* SPDX-License-Identifier: Apache-2.0 */
/* For people: the answer, aligned tables with drawn intervals, the notes. */
#include "base/memory.h"
#include "report/cells.h"
#include "report/drawing.h"
#include "report/render.h"
#include "result/result_state.h"

#include <string.h>

static const char missing[] = "-";
enum { GAP = 2 };

/* Terminal colours, which are empty when none are wanted; the drawing's with the gap before it. */
enum { STRONG, WARNING, OFF, DRAWING };

static const char *colour(const iv_report_options *o, int which)
{
    static const char *const colours[] = { "\x1b[1m", "\x1b[33m", "\x1b[0m", "  \x1b[36m" };

    return o->colour ? colours[which] : which == DRAWING ? "  " : "";
}

static void put_heading(FILE *out, const char *name, const iv_report_options *o)
{
    fputs(colour(o, STRONG), out);
    (void)iv_escape(out, iv_str_of(name), &iv_escapes_plain);
    fputs(colour(o, OFF), out);
}

/* Do two columns have one heading, being the limits of an interval? */
static bool spans(const iv_table *t, size_t c, size_t next)
{
    return t->result->interval != NULL && next == c + 1
        && strcmp(iv_column_heading(&t->columns[c]), "lower") == 0
        && strcmp(iv_column_heading(&t->columns[next]), "upper") == 0;
}

/*
 * Writes some columns of row number `row` of t, or their headings for SIZE_MAX.  Text goes to
 * the left, numbers to the right, which puts their points below each other.
 */
static void put_row(FILE *out, const iv_table *t, size_t row, const size_t *shown, size_t count,
                    const size_t *widths, bool fill, const iv_report_options *o)
{
    for (size_t i = 0; i < count; i++) {
        const size_t c = shown[i];
        const iv_column *column = &t->columns[c];
        const bool heading = row == SIZE_MAX;
        const bool left = column->kind == IV_TEXT;
        size_t behind;
        iv_cell_pad(out, i > 0 ? GAP : 0);
        if (heading && i + 1 < count && spans(t, c, shown[i + 1])) {
            const size_t both = widths[c] + GAP + widths[c + 1], len = strlen(t->result->interval);
            put_heading(out, t->result->interval, o);
            iv_cell_pad(out, i + 2 < count && both > len ? both - len : 0);
            i++;
            continue;
        } else if (heading) {
            const char *name = iv_column_heading(column);
            behind = widths[c] - iv_escape(NULL, iv_str_of(name), &iv_escapes_plain);
            iv_cell_pad(out, left ? 0 : behind);
            put_heading(out, name, o);
        } else {
            behind = iv_cell_aligned(out, column, iv_table_cell(t, row, c), &iv_escapes_plain,
                                     missing, widths[c]);
        }
        if (left && (fill || i + 1 < count))
            iv_cell_pad(out, behind);
    }
}

static size_t window_of(const iv_report_options *o) { return o->width > 0 ? (size_t)o->width : 80; }

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
    size_t keys = 0;

    while (keys < t->column_count && t->columns[keys].kind == IV_TEXT)
        keys++;
    if (keys == t->column_count)
        keys = 1;
    while (keys > 1 && width_of(widths, 0, keys) > window / 2)
        keys--;
    return keys;
}

/* All rows of some columns that stand side by side; the last gap is before the drawing. */
static void put_block(FILE *out, const iv_table *t, const size_t *shown, size_t count,
                      const size_t *widths, size_t window, const iv_report_options *o)
{
    const size_t total = width_of(widths, 0, t->column_count);
    iv_drawing d;
    const bool draws = count == t->column_count
        && iv_drawing_fit(&d, t, window > total ? window - total : 0, o->utf8);

    put_row(out, t, SIZE_MAX, shown, count, widths, false, o);
    putc('\n', out);
    for (size_t row = 0; row < iv_table_rows(t); row++) {
        put_row(out, t, row, shown, count, widths, draws, o);
        if (draws)
            iv_drawing_row(out, &d, t, row, colour(o, DRAWING), colour(o, OFF));
        putc('\n', out);
    }
    if (draws) {
        iv_cell_pad(out, total);
        iv_drawing_axis(out, &d);
        putc('\n', out);
    }
}

static void put_table(FILE *out, iv_report_view *view, const iv_table *t)
{
    const iv_report_options *o = view->options;
    const size_t window = window_of(o), count = t->column_count;
    size_t *widths = iv_cell_widths(&view->memory, t, &iv_escapes_plain, missing);
    size_t *shown = iv_take(&view->memory, count + 1, sizeof *shown);

    if (widths == NULL || shown == NULL)
        return;
    for (size_t c = 0; c + 1 < count; c++) /* room for the heading of both */
        if (spans(t, c, c + 1) && widths[c] + GAP + widths[c + 1] < strlen(t->result->interval))
            widths[c] = strlen(t->result->interval) - GAP - widths[c + 1];
    const bool wraps = o->wrap && width_of(widths, 0, count) > window + GAP;
    const size_t keys = wraps ? keys_of(t, widths, window) : 0;
    const size_t room = window + GAP - width_of(widths, 0, keys);
    for (size_t c = 0; c < keys; c++)
        shown[c] = c;
    for (size_t from = keys, to; from < count; from = to) {
        for (to = from; to < count && (to == from || !wraps
                                       || width_of(widths, from, to + 1) <= room); to++)
            shown[keys + to - from] = to;
        put_block(out, t, shown, keys + to - from, widths, window, o);
        fputs(to < count ? "\n" : "", out);
    }
    if (iv_table_rows(t) == 0)
        fputs("(no rows)\n", out);
}

/* A sentence behind `used` columns; where lines end, the next begin with `indent` blanks. */
static void put_sentence(FILE *out, const char *text, size_t used, size_t indent,
                         const iv_report_options *o)
{
    if (!o->wrap) {
        (void)iv_escape(out, iv_str_of(text), &iv_escapes_plain);
        putc('\n', out);
        return;
    }
    for (bool first = true; *text != '\0'; first = false) {
        const iv_str word = { text, strcspn(text, " ") };
        const size_t len = iv_escape(NULL, word, &iv_escapes_plain);
        if (!first && used + 1 + len > window_of(o)) {
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

void iv_put_references(FILE *out, const iv_result *r)
{
    fputs("\nReferences\n", out);
    for (size_t i = 0; i < r->citation_count; i++)
        fprintf(out, "  %s\n", r->citations[i].text);
    fprintf(out, "  The intervale authors (2026). intervale %s: evaluation with intervals. "
            "Software.\n", iv_version());
    for (size_t i = 0; i < r->citation_count; i++)
        fprintf(out, "\n%s\n", r->citations[i].bibtex);
    fprintf(out, "\n@software{intervale,\n  author = {{The intervale authors}},\n"
            "  title = {intervale: evaluation with intervals},\n"
            "  version = {%s},\n  year = {2026}\n}\n", iv_version());
}

/* Notes, the methods, and whom to cite. */
static void put_below(FILE *out, const iv_report_view *view, const char *gap)
{
    const char *method = view->result->method_text;
    const iv_report_options *o = view->options;

    for (size_t i = 0; i < view->note_count; i++) {
        const char *name = iv_severity_name(view->notes[i].severity);
        fprintf(out, "%s%s%s:%s ", i == 0 ? gap : "", colour(o, WARNING), name, colour(o, OFF));
        put_sentence(out, view->notes[i].text, strlen(name) + 2, 2, o);
        gap = i == 0 ? "" : gap;
    }
    if (view->more > 0)
        fprintf(out, "(%zu more note%s: --verbose)\n", view->more, view->more == 1 ? "" : "s");
    if (method != NULL && !o->no_notes) {
        fprintf(out, "%s%sMethod:%s ", gap, colour(o, WARNING), colour(o, OFF));
        put_sentence(out, method, sizeof "Method: " - 1, 2, o);
    }
    if (o->cite)
        iv_put_references(out, view->result);
}

void iv_render_text(FILE *out, iv_report_view *view)
{
    const char *answer = iv_result_answer_text(view->result);
    const char *gap = "";

    if (answer != NULL) {
        fputs(colour(view->options, STRONG), out);
        put_sentence(out, answer, 0, 0, view->options);
        fputs(colour(view->options, OFF), out);
        gap = "\n";
    }
    for (size_t i = 0; i < view->count; i++) {
        const iv_table *t = &view->tables[i];
        fputs(gap, out);
        gap = "\n";
        if (view->count > 1) {
            put_heading(out, t->name, view->options);
            fputs(":\n", out);
        }
        put_table(out, view, t);
        if (t->caption != NULL)
            put_sentence(out, t->caption, 0, 0, view->options);
    }
    put_below(out, view, gap);
}
