/* SPDX-License-Identifier: Apache-2.0 */
/* Tabulars in the booktabs style; what is not a table is a comment. */
#include "report/cells.h"
#include "report/render.h"
#include "result/result_state.h"

#include <string.h>

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
    case '*': return prev == '\0' ? "{*}" : NULL; /* after a line end it would be part of it */
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
    fputs("% ", out);
    iv_put(out, &iv_escapes_plain, "%s%s\n", label, text);
}

static void put_table(FILE *out, const iv_table *t)
{
    const size_t count = t->column_count;

    fputs("\\begin{tabular}{", out);
    for (size_t c = 0; c < count; c++)
        putc(t->columns[c].kind == IV_TEXT ? 'l' : 'r', out);
    fputs("}\n\\toprule\n", out);
    for (size_t c = 0; c < count; c++)
        iv_put(out, &escapes, c == 0 ? "%s" : " & %s", iv_column_heading(&t->columns[c]));
    fputs(" \\\\\n\\midrule\n", out);
    for (size_t row = 0; row < iv_table_rows(t); row++) {
        for (size_t c = 0; c < count; c++) {
            fputs(c == 0 ? "" : " & ", out);
            put_cell(out, &t->columns[c], iv_table_cell(t, row, c));
        }
        fputs(" \\\\\n", out);
    }
    fputs("\\bottomrule\n\\end{tabular}\n", out);
}

/* ---------------------------------------------------------------- papers -- */

/* A cell of a table for papers: 0.3969 (max) [0.3219, 0.4759] bc */
typedef struct paper_cell {
    iv_str value, interval, marks;
    bool largest;
} paper_cell;

static paper_cell paper_cell_of(iv_str s)
{
    const char *end = s.ptr + s.len, *at = s.ptr;
    const size_t marked = sizeof IV_PAPER_MAX - 1;
    paper_cell c = { .largest = false };

    while (at < end && *at != ' ')
        at++;
    c.value = (iv_str){ s.ptr, (size_t)(at - s.ptr) };
    c.largest = (size_t)(end - at) >= marked && memcmp(at, IV_PAPER_MAX, marked) == 0;
    at += c.largest ? marked : 0;
    at += at < end && *at == ' ';
    if (at < end && (*at == '[' || *at == '\xc2')) { /* a bracket, or plus-minus */
        const char *close = *at == '[' ? memchr(at, ']', (size_t)(end - at))
                                       : memchr(at, ' ', (size_t)(end - at));
        close = close == NULL ? end : close + (*close == ']');
        c.interval = (iv_str){ at, (size_t)(close - at) };
        at = close + (close < end && *close == ' ');
    }
    c.marks = (iv_str){ at, (size_t)(end - at) };
    return c;
}

/* Text with the signs that need mathematics, from base fonts alone. */
static void put_paper_text(FILE *out, iv_str s)
{
    static const char *const signs[][2] = { { "\u00b1", "$\\pm$" },
                                            { "\u25b2", "$\\bigtriangleup$" },
                                            { "\u25bc", "$\\bigtriangledown$" } };
    size_t begin = 0;

    for (size_t i = 0; i < s.len; i++)
        for (size_t k = 0; k < 3; k++) {
            const size_t len = strlen(signs[k][0]);
            if (s.len - i < len || memcmp(s.ptr + i, signs[k][0], len) != 0)
                continue;
            (void)iv_escape(out, (iv_str){ s.ptr + begin, i - begin }, &escapes);
            fputs(signs[k][1], out);
            begin = i + len;
        }
    (void)iv_escape(out, (iv_str){ s.ptr + begin, s.len - begin }, &escapes);
}

static void put_small(FILE *out, iv_str s)
{
    if (s.len == 0)
        return;
    fputs("{\\scriptsize ", out);
    put_paper_text(out, s);
    putc('}', out);
}

/* The value, to the right of its column, and what is behind it, to the left of the next:
 * so that the points are below each other. */
static void put_paper_cell(FILE *out, bool below, iv_cell cell)
{
    const paper_cell c = paper_cell_of(cell.text);

    fputs(c.largest ? " & \\textbf{" : " & ", out);
    put_paper_text(out, c.value);
    fputs(c.largest ? "} & " : " & ", out);
    if (c.marks.len > 0) {
        fputs("\\textsuperscript{", out);
        put_paper_text(out, c.marks);
        putc('}', out);
    }
    if (!below && c.interval.len > 0) {
        putc(c.marks.len > 0 ? ' ' : '~', out); /* a space that begins a cell is skipped */
        put_small(out, c.interval);
    }
}

static void put_paper_row(FILE *out, const iv_table *t, size_t row, size_t count, bool below)
{
    put_paper_text(out, iv_table_cell(t, row, 0).text);
    for (size_t c = 1; c < count; c++)
        put_paper_cell(out, below, iv_table_cell(t, row, c));
    fputs(" \\\\\n", out);
    for (size_t c = 1; below && c < count; c++) {
        fputs(" & \\multicolumn{2}{c}{", out);
        put_small(out, paper_cell_of(iv_table_cell(t, row, c).text).interval);
        putc('}', out);
    }
    if (below)
        fputs(row + 1 < iv_table_rows(t) ? " \\\\[2pt]\n" : " \\\\\n", out);
}

static void put_caption(FILE *out, const char *caption)
{
    const char *marked = strstr(caption, IV_PAPER_MARKED);

    if (marked != NULL) {
        put_paper_text(out, (iv_str){ caption, (size_t)(marked - caption) });
        fputs(IV_PAPER_BOLD, out);
        caption = marked + sizeof IV_PAPER_MARKED - 1;
    }
    put_paper_text(out, iv_str_of(caption));
}

/* The characters that a row needs, with the interval of one measure beside it, of more below;
 * marks need about eight. */
static size_t row_length(const iv_table *t, size_t row)
{
    size_t length = iv_table_cell(t, row, 0).text.len + (t->column_count == 2 ? 8 : 0);

    for (size_t c = 1; c < t->column_count; c++) {
        const size_t interval = paper_cell_of(iv_table_cell(t, row, c).text).interval.len;
        length += interval > 8 ? interval : 8;
    }
    return length;
}

/* The characters of the longest row, with its marks, and its intervals unless they are below. */
static size_t longest_row(const iv_table *t, bool below)
{
    size_t longest = 0;

    for (size_t row = 0; row < iv_table_rows(t); row++) {
        size_t length = iv_table_cell(t, row, 0).text.len;
        for (size_t c = 1; c < t->column_count; c++) {
            const paper_cell is = paper_cell_of(iv_table_cell(t, row, c).text);
            length += is.value.len + is.marks.len + (below ? 0 : is.interval.len);
        }
        longest = length > longest ? length : longest;
    }
    return longest;
}

/* Is a table too wide for one of two columns, or with intervals below too long for a page? */
static bool needs_page(const iv_table *t)
{
    enum { CHARACTERS = 56, ROWS = 25 }; /* in an article of LaTeX, 10 points */
    bool wide = t->column_count > 4 || (t->column_count > 2 && iv_table_rows(t) > ROWS);

    for (size_t row = 0; row < iv_table_rows(t); row++)
        wide = wide || row_length(t, row) > CHARACTERS;
    return wide;
}

/* One measure has its interval beside it; two or three fit one column of a page with their
 * intervals below, unless names are long; more, both columns. */
static void put_paper(FILE *out, const iv_table *t)
{
    const size_t count = t->column_count;
    const bool wide = needs_page(t);
    const bool intervals = iv_table_rows(t) > 0 && count > 1
        && paper_cell_of(iv_table_cell(t, 0, 1).text).interval.len > 0;
    const bool below = intervals && count > (wide ? 5 : 2);
    const char *kind = wide ? "table*" : "table";

    const size_t rows = iv_table_rows(t);
    const size_t longest = longest_row(t, below);
    if (wide && longest > 100)
        fprintf(out, "%% rows of %zu characters may be wider than a page: shorten names; marks "
                "of a baseline are fewer\n", longest);
    if (rows > 45)
        fprintf(out, "%% %zu rows may be longer than a page: compare fewer runs, or use "
                "package longtable\n", rows);
    fprintf(out, "\\begin{%s}[t]\n\\centering\n\\%s\n\\setlength{\\tabcolsep}{%s}\n"
            "\\caption{", kind,
            rows <= 40 && (wide || count < 3) ? "small" : "footnotesize", wide ? "6pt" : "3pt");
    put_caption(out, t->caption);
    fprintf(out, "}\n\\label{%s}\n\\begin{tabular}{l", t->label);
    for (size_t c = 1; c < count; c++)
        fputs("r@{}l", out);
    fputs("}\n\\toprule\nrun", out);
    for (size_t c = 1; c < count; c++)
        iv_put(out, &escapes, " & \\multicolumn{2}{c}{%s}", iv_column_heading(&t->columns[c]));
    fputs(" \\\\\n\\midrule\n", out);
    for (size_t row = 0; row < iv_table_rows(t); row++)
        put_paper_row(out, t, row, count, below);
    fprintf(out, "\\bottomrule\n\\end{tabular}\n\\end{%s}\n", kind);
}

void iv_render_latex(FILE *out, iv_report_view *view)
{
    const char *answer = iv_result_answer_text(view->result);

    if (answer != NULL)
        put_comment(out, "", answer);
    fputs("% needs \\usepackage{booktabs}\n", out);
    for (size_t i = 0; i < view->count; i++) {
        const iv_table *t = &view->tables[i];
        fputs(i == 0 ? "" : "\n", out);
        put_comment(out, "table: ", t->name);
        if (t->caption != NULL)
            put_paper(out, t);
        else
            put_table(out, t);
    }
    for (size_t i = 0; i < view->note_count; i++)
        put_comment(out, view->notes[i].severity == IV_NOTE ? "note: " : "warning: ",
                    view->notes[i].text);
    if (view->result->method_text != NULL && !view->options->no_notes)
        put_comment(out, "method: ", view->result->method_text);
}
