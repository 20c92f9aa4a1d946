/* SPDX-License-Identifier: Apache-2.0 */
/* Tables in GitHub's dialect of Markdown, readable as they stand too. */
#include "report/cells.h"
#include "report/render.h"
#include "result/result_state.h"

#include <string.h>

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

static void put_table(FILE *out, iv_report_view *view, const iv_table *t, size_t most)
{
    const size_t *widths = iv_cell_widths(&view->memory, t, &escapes, "");

    if (widths == NULL)
        return;
    putc('|', out);
    for (size_t c = 0; c < t->column_count; c++) {
        const iv_str name = iv_str_of(iv_column_heading(&t->columns[c]));
        const size_t behind = widths[c] - iv_escape(NULL, name, &escapes);
        const bool left = t->columns[c].kind == IV_TEXT;
        iv_cell_pad(out, 1 + (left ? 0 : behind));
        (void)iv_escape(out, name, &escapes);
        iv_cell_pad(out, 1 + (left ? behind : 0));
        putc('|', out);
    }
    fputs("\n|", out);
    for (size_t c = 0; c < t->column_count; c++) {
        const bool left = t->columns[c].kind == IV_TEXT;
        fputs(left ? ":" : "-", out);
        for (size_t i = 0; i < widths[c]; i++)
            putc('-', out);
        fputs(left ? "-|" : ":|", out);
    }
    putc('\n', out);
    for (size_t row = 0; row < iv_table_rows(t) && row < most; row++) {
        for (size_t c = 0; c < t->column_count; c++) {
            fputs(c == 0 ? "| " : " ", out);
            iv_cell_pad(out, 1 + iv_cell_aligned(out, &t->columns[c], iv_table_cell(t, row, c),
                                                 &escapes, "", widths[c]));
            putc('|', out);
        }
        putc('\n', out);
    }
}

static void put_notes(FILE *out, const iv_report_view *view, size_t count, const char *gap)
{
    fputs(count > 0 ? gap : "", out);
    for (size_t i = 0; i < count; i++)
        iv_put(out, &escapes, "- %s: %s\n", iv_severity_name(view->notes[i].severity),
               view->notes[i].text);
}

void iv_render_markdown(FILE *out, iv_report_view *view)
{
    const char *answer = iv_result_answer_text(view->result);
    const char *gap = "";

    if (answer != NULL) {
        iv_put(out, &escapes, "%s\n", answer);
        gap = "\n";
    }
    for (size_t i = 0; i < view->count; i++) {
        const iv_table *t = &view->tables[i];
        fputs(gap, out);
        gap = "\n";
        if (view->count > 1)
            iv_put(out, &escapes, "**%s**\n\n", t->name);
        put_table(out, view, t, SIZE_MAX);
        if (t->caption != NULL)
            iv_put(out, &escapes, "\n%s\n", t->caption);
    }
    put_notes(out, view, view->note_count, gap);
    if (view->result->method_text != NULL && !view->options->no_notes) {
        fputs(view->note_count == 0 ? gap : "", out);
        iv_put(out, &escapes, "- Method: %s\n", view->result->method_text);
    }
    if (view->options->cite) {
        fputs("\n```", out);
        iv_put_references(out, view->result);
        fputs("```\n", out);
    }
}

/* Answer, table, three notes, method: at most 25 lines. */
void iv_render_github(FILE *out, iv_report_view *view)
{
    enum { ROWS = 12, NOTES = 3 };
    const char *answer = iv_result_answer_text(view->result);
    const char *verdict = iv_verdict_name(iv_result_has_verdict(NULL, NULL, view->result));
    const bool first = view->result->decides || view->result->gated;
    const size_t word = verdict != NULL && answer != NULL && first ? strlen(verdict) : 0;
    const char *method = view->result->method_text;

    if (word > 0)
        fprintf(out, "**%s**", verdict);
    iv_put(out, &escapes, "%s\n", answer != NULL ? answer + word : "");
    if (view->count > 0) {
        const size_t rows = iv_table_rows(&view->tables[0]);
        putc('\n', out);
        put_table(out, view, &view->tables[0], ROWS);
        if (rows > ROWS)
            fprintf(out, "\n%zu more rows.\n", rows - ROWS);
    }
    put_notes(out, view, view->note_count < NOTES ? view->note_count : NOTES, "\n");
    if (method != NULL)
        iv_put(out, &escapes, "\nMethod: %s\n", method);
}

/* One test case, as a gate has one verdict; the same name whatever the data are. */
void iv_render_junit(FILE *out, iv_report_view *view)
{
    const iv_verdict v = iv_result_has_verdict(NULL, NULL, view->result);
    const char *answer = iv_result_answer_text(view->result);
    const bool fails = v == IV_VERDICT_OTHERWISE || v == IV_VERDICT_OPEN;

    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
            "  <testsuite name=\"intervale %s\" tests=\"1\" failures=\"%d\" errors=\"%d\">\n"
            "    <testcase classname=\"intervale.%s\" name=\"gate\">\n",
            view->result->command, fails, v == IV_VERDICT_ERROR,
            view->result->command);
    if (fails || v == IV_VERDICT_ERROR)
        iv_put(out, &iv_escapes_html, "      <%s type=\"%s\" message=\"%s\"/>\n",
               fails ? "failure" : "error", iv_verdict_name(v), answer != NULL ? answer : "");
    iv_put(out, &iv_escapes_html, "      <system-out>%s", answer != NULL ? answer : "");
    for (size_t i = 0; i < view->note_count; i++)
        iv_put(out, &iv_escapes_html, "\n%s: %s", iv_severity_name(view->notes[i].severity),
               view->notes[i].text);
    fputs("</system-out>\n    </testcase>\n  </testsuite>\n</testsuites>\n", out);
}
