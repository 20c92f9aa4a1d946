/* SPDX-License-Identifier: Apache-2.0 */
/* Tables in GitHub's dialect of Markdown, readable as they stand too. */
#include <stdlib.h>

#include "report/report_parts.h"
#include "base/base_private.h"

static const char *special(char c, char prev)
{
    (void)prev;
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '|': return "\\|";
    case '\\': return "\\\\";
    case '`': return "\\`";
    case '*': return "\\*";
    case '_': return "\\_";
    case '[': return "\\[";
    case ']': return "\\]";
    case '~': return "\\~";
    case '$': return "\\$";
    case '#': return "\\#";
    default: return NULL;
    }
}

static const iv_escapes escapes = { special, "\\\\" };

static void put_rule(FILE *out, const iv_column *columns, size_t count,
                     const size_t *widths)
{
    putc('|', out);
    for (size_t c = 0; c < count; c++) {
        const bool left = columns[c].kind == IV_TEXT;
        fputs(left ? ":" : "-", out);
        for (size_t i = 0; i < widths[c]; i++)
            putc('-', out);
        fputs(left ? "-|" : ":|", out);
    }
    putc('\n', out);
}

static int put_table(FILE *out, const iv_table *t, iv_err *err)
{
    const iv_column *columns;
    const size_t count = iv_table_columns(&columns, t);
    size_t *widths = iv_cell_widths(t, &escapes, "");

    if (widths == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for the report");
    putc('|', out);
    for (size_t c = 0; c < count; c++) {
        const size_t used = iv_escape(NULL, iv_str_of(iv_column_heading(&columns[c])), &escapes);
        const bool left = columns[c].kind == IV_TEXT;
        iv_cell_pad(out, 1 + (left ? 0 : widths[c] - used));
        (void)iv_escape(out, iv_str_of(iv_column_heading(&columns[c])), &escapes);
        iv_cell_pad(out, 1 + (left ? widths[c] - used : 0));
        putc('|', out);
    }
    putc('\n', out);
    put_rule(out, columns, count, widths);
    for (size_t row = 0; row < iv_table_rows(t); row++) {
        putc('|', out);
        for (size_t c = 0; c < count; c++) {
            putc(' ', out);
            iv_cell_pad(out, 1 + iv_cell_aligned(out, &columns[c], iv_table_cell(t, row, c),
                                                 &escapes, "", widths[c]));
            putc('|', out);
        }
        putc('\n', out);
    }
    free(widths);
    return IV_OK;
}

int iv_render_markdown(FILE *out, const iv_report_view *view, iv_err *err)
{
    const char *answer = iv_result_answer_text(view->result);
    const char *gap = "";

    if (answer != NULL) {
        (void)iv_escape(out, iv_str_of(answer), &escapes);
        putc('\n', out);
        gap = "\n";
    }
    for (size_t i = 0; i < view->count; i++) {
        const iv_table *t = &view->tables[i];
        fputs(gap, out);
        gap = "\n";
        if (view->count > 1) {
            fputs("**", out);
            (void)iv_escape(out, iv_str_of(iv_table_name(t)), &escapes);
            fputs("**\n\n", out);
        }
        const int rc = put_table(out, t, err);
        if (rc < 0)
            return rc;
        if (t->caption != NULL) {
            putc('\n', out);
            (void)iv_escape(out, iv_str_of(t->caption), &escapes);
            putc('\n', out);
        }
    }
    for (size_t i = 0; i < view->note_count; i++) {
        fprintf(out, "%s- %s: ", i == 0 ? gap : "", iv_severity_name(view->notes[i].severity));
        (void)iv_escape(out, iv_str_of(view->notes[i].text), &escapes);
        putc('\n', out);
    }
    if (iv_result_method_text(view->result) != NULL && !view->options->no_notes) {
        fputs(view->note_count == 0 ? gap : "", out);
        fputs("- Method: ", out);
        (void)iv_escape(out, iv_str_of(iv_result_method_text(view->result)), &escapes);
        putc('\n', out);
    }
    if (view->options->cite) {
        fputs("\n```", out);
        iv_put_references(out, view->result);
        fputs("```\n", out);
    }
    return IV_OK;
}
