/* SPDX-License-Identifier: Apache-2.0 */
/* For people: the answer, aligned tables with drawn intervals, the notes. */
#include "report/report_private.h"

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

/* Do two columns have one heading, being the limits of an interval? */
static bool spans(const iv_table *t, const iv_column *columns, size_t c, size_t next)
{
    return t->result->interval != NULL && next == c + 1
        && strcmp(iv_column_heading(&columns[c]), "lower") == 0
        && strcmp(iv_column_heading(&columns[next]), "upper") == 0;
}

/*
 * Writes row number `row` of t, or its headings for SIZE_MAX.  Text goes to
 * the left, numbers to the right, which puts their points below each other.
 */
static void put_row(FILE *out, const iv_table *t, size_t row, const block *b,
                    const size_t *widths, bool fill, const iv_report_options *o)
{
    const colours plain = colours_of(o), *colour = &plain;
    const iv_column *columns;
    const size_t count = b->keys + b->to - b->from;

    (void)iv_table_columns(&columns, t);
    for (size_t i = 0; i < count; i++) {
        const size_t c = place_of(b, i);
        const bool heading = row == SIZE_MAX;
        const bool left = columns[c].kind == IV_TEXT;
        size_t behind;
        iv_cell_pad(out, i > 0 ? GAP : 0);
        if (heading && i + 1 < count && spans(t, columns, c, place_of(b, i + 1))) {
            const size_t both = widths[c] + GAP + widths[c + 1], len = strlen(t->result->interval);
            put_heading(out, t->result->interval, colour);
            iv_cell_pad(out, i + 2 < count && both > len ? both - len : 0);
            i++;
            continue;
        } else if (heading) {
            const iv_str name = iv_str_of(iv_column_heading(&columns[c]));
            behind = widths[c] - iv_escape(NULL, name, &iv_escapes_plain);
            iv_cell_pad(out, left ? 0 : behind);
            put_heading(out, iv_column_heading(&columns[c]), colour);
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

    put_row(out, t, SIZE_MAX, b, widths, false, o);
    putc('\n', out);
    for (size_t row = 0; row < iv_table_rows(t); row++) {
        put_row(out, t, row, b, widths, draws, o);
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
    for (size_t c = 0; c + 1 < count; c++) /* room for the heading of both */
        if (spans(t, t->columns, c, c + 1)
            && widths[c] + GAP + widths[c + 1] < strlen(t->result->interval))
            widths[c] = strlen(t->result->interval) - GAP - widths[c + 1];
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

void iv_put_references(FILE *out, const iv_result *r)
{
    const iv_citation *cited;
    const size_t count = iv_result_citations(&cited, r);

    fputs("\nReferences\n", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "  %s\n", cited[i].text);
    fprintf(out, "  The intervale authors (2026). intervale %s: evaluation with intervals. "
            "Software.\n", iv_version());
    for (size_t i = 0; i < count; i++)
        fprintf(out, "\n%s\n", cited[i].bibtex);
    fprintf(out, "\n@software{intervale,\n  author = {{The intervale authors}},\n"
            "  title = {intervale: evaluation with intervals},\n"
            "  version = {%s},\n  year = {2026}\n}\n", iv_version());
}

/* Notes, the methods, and whom to cite. */
static void put_below(FILE *out, const iv_report_view *view, const char *gap,
                      const colours *colour)
{
    const char *method = iv_result_method_text(view->result);

    for (size_t i = 0; i < view->note_count; i++) {
        const char *name = iv_severity_name(view->notes[i].severity);
        fprintf(out, "%s%s%s:%s ", i == 0 ? gap : "", colour->warning, name, colour->off);
        put_sentence(out, view->notes[i].text, strlen(name) + 2, 2, view->options);
        gap = i == 0 ? "" : gap;
    }
    if (view->more > 0)
        fprintf(out, "(%zu more note%s: --verbose)\n", view->more, view->more == 1 ? "" : "s");
    if (method != NULL && !view->options->no_notes) {
        fprintf(out, "%s%sMethod:%s ", gap, colour->warning, colour->off);
        put_sentence(out, method, sizeof "Method: " - 1, 2, view->options);
    }
    if (view->options->cite)
        iv_put_references(out, view->result);
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
    put_below(out, view, gap, &colour);
    return IV_OK;
}
