/* SPDX-License-Identifier: Apache-2.0 */
/* One table as lines of fields: tsv for programs, csv for spreadsheets. */
#include "base/utf8.h"
#include "report/cells.h"
#include "report/render.h"
#include "result/result_state.h"

#include <string.h>

static const char *tsv_special(char c, char prev)
{
    if (iv_starts_formula(c, prev))
        return c == '=' ? "\\x3d" : c == '+' ? "\\x2b" : c == '-' ? "\\x2d" : "\\x40";
    switch (c) {
    case '\t': return "\\t";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\\': return "\\\\";
    default: return NULL;
    }
}

/* Inside quotes a line end is data. */
static const char *csv_special(char c, char prev)
{
    if (iv_starts_formula(c, prev))
        return c == '=' ? "'=" : c == '+' ? "'+" : c == '-' ? "'-" : "'@";
    switch (c) {
    case '\t': return "\t";
    case '\n': return "\n";
    case '\r': return "\r";
    case '"': return "\"\"";
    default: return NULL;
    }
}

/* A number is no formula, nor is one sign. */
static void put_text(FILE *out, iv_str s, const iv_escapes *escapes, bool bytes)
{
    double number;
    size_t from = 0;

    if ((s.len == 1 && iv_starts_formula(*s.ptr, '\0')) || iv_scan_real(&number, s)) {
        (void)fwrite(s.ptr, 1, s.len, out);
        return;
    }
    for (size_t i = 0; i < s.len; i++) { /* a sign in full width: bytes, or behind a mark */
        if (!iv_starts_wide_formula(s, i, i > 0 ? s.ptr[i - 1] : '\0'))
            continue;
        (void)iv_escape(out, (iv_str){ s.ptr + from, i - from }, escapes);
        from = bytes ? i + 3 : i;
        if (bytes)
            fprintf(out, "\\xef\\xbc\\x%02x", (unsigned char)s.ptr[i + 2]);
        else
            fputs("'", out);
    }
    (void)iv_escape(out, (iv_str){ s.ptr + from, s.len - from }, escapes);
}

static void tsv_text(FILE *out, iv_str s)
{
    put_text(out, s, &(iv_escapes){ tsv_special, "\\" }, true);
}

static void csv_text(FILE *out, iv_str s)
{
    bool quoted = s.len == 0 || s.ptr[0] == ' ' || s.ptr[s.len - 1] == ' ';

    for (size_t i = 0; i < s.len && !quoted; i++)
        quoted = memchr(",;\"\t\n\r", s.ptr[i], 6) != NULL;
    fputs(quoted ? "\"" : "", out);
    put_text(out, s, &(iv_escapes){ csv_special, "\\" }, false);
    fputs(quoted ? "\"" : "", out);
}

static void render(FILE *out, const iv_report_view *view, char separator,
                   void (*put)(FILE *out, iv_str s))
{
    char number[IV_CELL_SIZE];

    if (view->count == 0)
        return;
    const iv_table *t = &view->tables[0];
    const size_t count = t->column_count;
    for (size_t c = 0; c < count; c++) {
        put(out, iv_str_of(t->columns[c].name));
        putc(c + 1 < count ? separator : '\n', out);
    }
    for (size_t row = 0; row < iv_table_rows(t); row++) {
        for (size_t c = 0; c < count; c++) {
            const iv_cell cell = iv_table_cell(t, row, c);
            if (!cell.missing && t->columns[c].kind == IV_TEXT)
                put(out, cell.text);
            else if (!cell.missing)
                fputs(iv_cell_exact(number, &t->columns[c], cell), out);
            putc(c + 1 < count ? separator : '\n', out);
        }
    }
}

void iv_render_tsv(FILE *out, iv_report_view *view)
{
    render(out, view, '\t', tsv_text);
}

void iv_render_csv(FILE *out, iv_report_view *view)
{
    render(out, view, ',', csv_text);
}
