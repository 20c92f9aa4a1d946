/* SPDX-License-Identifier: Apache-2.0 */
/* Tabulars in the booktabs style; what is not a table is a comment. */
#include "report/report_parts.h"

static const char *special(char c, char prev)
{
    switch (c) {
    case '\\': return "\\textbackslash{}";
    case '{': return "\\{";
    case '}': return "\\}";
    case '$': return "\\$";
    case '&': return "\\&";
    case '#': return "\\#";
    case '%': return "\\%";
    case '_': return "\\_";
    case '^': return "\\textasciicircum{}";
    case '~': return "\\textasciitilde{}";
    case '<': return "\\textless{}";
    case '>': return "\\textgreater{}";
    case '|': return "\\textbar{}";
    case '"': return "{\\char34}"; /* by code: its name needs T1 fonts */
    case '[': return "{[}"; /* after a line end it would open an argument */
    case '-': return prev == '-' ? "{}-" : NULL; /* no ligature */
    case '`': return "{\\char96}";
    default: return NULL;
    }
}

static const iv_escapes escapes = { special, "\\textbackslash{}" };

static void put_cell(FILE *out, const iv_column *column, iv_cell cell)
{
    char number[IV_CELL_SIZE];

    if (cell.missing)
        fputs("--", out);
    else if (column->kind == IV_TEXT)
        (void)iv_escape(out, cell.text, &escapes);
    else if (iv_cell_rounded(number, column, cell)[0] == '-')
        fprintf(out, "$%s$", number); /* a minus and not a hyphen */
    else
        fputs(number, out);
}

static void put_comment(FILE *out, const char *label, const char *text)
{
    fprintf(out, "%% %s", label);
    (void)iv_escape(out, iv_str_of(text), &iv_escapes_plain);
    putc('\n', out);
}

static void put_table(FILE *out, const iv_table *t)
{
    const iv_column *columns;
    const size_t count = iv_table_columns(&columns, t);

    fputs("\\begin{tabular}{", out);
    for (size_t c = 0; c < count; c++)
        putc(columns[c].kind == IV_TEXT ? 'l' : 'r', out);
    fputs("}\n\\toprule\n", out);
    for (size_t c = 0; c < count; c++) {
        fputs(c == 0 ? "" : " & ", out);
        (void)iv_escape(out, iv_str_of(columns[c].name), &escapes);
    }
    fputs(" \\\\\n\\midrule\n", out);
    for (size_t row = 0; row < iv_table_rows(t); row++) {
        for (size_t c = 0; c < count; c++) {
            fputs(c == 0 ? "" : " & ", out);
            put_cell(out, &columns[c], iv_table_cell(t, row, c));
        }
        fputs(" \\\\\n", out);
    }
    fputs("\\bottomrule\n\\end{tabular}\n", out);
}

int iv_render_latex(FILE *out, const iv_report_view *view, iv_err *err)
{
    const char *answer = iv_result_answer_text(view->result);

    (void)err;
    if (answer != NULL)
        put_comment(out, "", answer);
    fputs("% needs \\usepackage{booktabs}\n", out);
    for (size_t i = 0; i < view->count; i++) {
        const iv_table *t = &view->tables[i];
        fputs(i == 0 ? "" : "\n", out);
        put_comment(out, "table: ", iv_table_name(t));
        put_table(out, t);
    }
    for (size_t i = 0; i < view->note_count; i++)
        put_comment(out, "note: ", view->notes[i]);
    return IV_OK;
}
