/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole result as one JSON object, a row a line so that two of them can be compared
 * by diff; or as a stream of objects, a line each: first the result without its rows,
 * then the rows.  doc/schema/ describes both.
 */
#include <inttypes.h>

#include "report/report_parts.h"
#include "base/base_private.h"
#include "base/charts_private.h"

enum { SCHEMA = 3 };

/* What stands before the members of the object, and before the items of its long lists:
 * line ends, or blanks where all is on one line. */
typedef struct layout {
    const char *member, *item, *list_end;
} layout;

static const layout lines = { "\n  ", "\n    ", "\n  " };
static const layout line = { " ", " ", "" };

static void put_string(FILE *out, const char *text)
{
    if (text == NULL)
        fputs("null", out);
    else
        iv_json_quote(out, iv_str_of(text), 0);
}

static void put_strings(FILE *out, const char *const *strings, size_t count)
{
    putc('[', out);
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "" : ", ", out);
        put_string(out, strings[i]);
    }
    putc(']', out);
}

static void put_inputs(FILE *out, const iv_result *r, const layout *l)
{
    const iv_input *inputs;
    const size_t count = iv_result_inputs(&inputs, r);

    putc('[', out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s%s{\"path\": ", i == 0 ? "" : ",", l->item);
        put_string(out, inputs[i].path);
        fprintf(out, ", \"bytes\": %" PRIu64 ", \"sha256\": ", inputs[i].bytes);
        put_string(out, inputs[i].sha256);
        putc('}', out);
    }
    fprintf(out, "%s]", count == 0 ? "" : l->list_end);
}

static void put_member(FILE *out, const layout *l, const char *key, const char *text)
{
    fprintf(out, ",%s\"%s\": ", l->member, key);
    put_string(out, text);
}

/* By their names in small letters: title, matter, author, date. */
static void put_details(FILE *out, const iv_result *r, const layout *l)
{
    const iv_detail *details;
    const size_t count = iv_result_details(&details, r);

    fprintf(out, ",%s\"details\": {", l->member);
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "" : ", ", out);
        put_string(out, details[i].name);
        fputs(": ", out);
        put_string(out, details[i].text);
    }
    putc('}', out);
}

static void put_notes(FILE *out, const iv_report_view *view, const layout *l)
{
    putc('[', out);
    for (size_t i = 0; i < view->note_count; i++) {
        fprintf(out, "%s%s{\"id\": ", i == 0 ? "" : ",", l->item);
        put_string(out, view->notes[i].id);
        fprintf(out, ", \"severity\": \"%s\", \"text\": ",
                iv_severity_name(view->notes[i].severity));
        put_string(out, view->notes[i].text);
        putc('}', out);
    }
    fprintf(out, "%s]", view->note_count == 0 ? "" : l->list_end);
}

static void put_citations(FILE *out, const iv_result *r, const layout *l)
{
    const iv_citation *c;
    const size_t count = iv_result_citations(&c, r);

    fprintf(out, ",%s\"citations\": [", l->member);
    for (size_t i = 0; i < count; i++) {
        const char *const members[][2] = { { "key", c[i].key }, { "method", c[i].method },
                                           { "label", c[i].label }, { "text", c[i].text },
                                           { "bibtex", c[i].bibtex } };
        fprintf(out, "%s%s", i == 0 ? "" : ",", l->item);
        for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
            fprintf(out, "%s\"%s\": ", k == 0 ? "{" : ", ", members[k][0]);
            put_string(out, members[k][1]);
        }
        putc('}', out);
    }
    fprintf(out, "%s]", count == 0 ? "" : l->list_end);
}

/* Everything but the tables. */
static void put_head(FILE *out, const iv_report_view *view, const layout *l)
{
    const iv_result *r = view->result;
    const char *const *strings = NULL;
    size_t count = 0;
    uint64_t seed;

    fprintf(out, "\"schema\": %d", SCHEMA);
    put_member(out, l, "intervale", iv_version());
    put_member(out, l, "command", iv_result_command(r));
    fprintf(out, ",%s\"arguments\": ", l->member);
    count = iv_result_arguments(&strings, r);
    put_strings(out, strings, count);
    fprintf(out, ",%s\"seed\": ", l->member);
    if (iv_result_has_seed(&seed, r))
        fprintf(out, "%" PRIu64, seed);
    else
        fputs("null", out);
    fprintf(out, ",%s\"inputs\": ", l->member);
    put_inputs(out, r, l);
    put_details(out, r, l);
    put_member(out, l, "verdict", iv_verdict_name(iv_result_has_verdict(&strings, &count, r)));
    fprintf(out, ",%s\"claims\": ", l->member);
    put_strings(out, strings, count);
    put_member(out, l, "answer", iv_result_answer_text(r));
    fprintf(out, ",%s\"notes\": ", l->member);
    put_notes(out, view, l);
    put_member(out, l, "method", iv_result_method_text(r));
    put_citations(out, r, l);
}

static void put_cell(FILE *out, const iv_column *column, iv_cell cell)
{
    char number[IV_CELL_SIZE];

    if (cell.missing)
        fputs("null", out);
    else if (column->kind == IV_TEXT)
        iv_json_quote(out, cell.text, 0);
    else
        fputs(iv_cell_exact(number, column, cell), out);
}

static void put_row(FILE *out, const iv_table *t, size_t row)
{
    const iv_column *columns;
    const size_t count = iv_table_columns(&columns, t);

    putc('{', out);
    for (size_t c = 0; c < count; c++) {
        fputs(c == 0 ? "" : ", ", out);
        put_string(out, columns[c].name);
        fputs(": ", out);
        put_cell(out, &columns[c], iv_table_cell(t, row, c));
    }
    putc('}', out);
}

static void put_columns(FILE *out, const iv_table *t, const char *before, const char *end)
{
    static const char *const types[] = { "text", "integer", "real" };
    const iv_column *columns;
    const size_t count = iv_table_columns(&columns, t);

    fputs("\"columns\": [", out);
    for (size_t c = 0; c < count; c++) {
        fprintf(out, "%s%s{\"name\": ", c == 0 ? "" : ",", before);
        put_string(out, columns[c].name);
        fprintf(out, ", \"type\": \"%s\", \"about\": ", types[columns[c].kind]);
        put_string(out, columns[c].about);
        putc('}', out);
    }
    fprintf(out, "%s]", count == 0 ? "" : end);
}

static void put_table(FILE *out, const iv_table *t)
{
    const size_t rows = iv_table_rows(t);

    fputs("    {\n      \"name\": ", out);
    put_string(out, iv_table_name(t));
    fputs(",\n      ", out);
    put_columns(out, t, "\n        ", "\n      ");
    fputs(",\n      \"rows\": [", out);
    for (size_t row = 0; row < rows; row++) {
        fputs(row == 0 ? "\n        " : ",\n        ", out);
        put_row(out, t, row);
    }
    fputs(rows == 0 ? "]\n    }" : "\n      ]\n    }", out);
}

int iv_render_json(FILE *out, const iv_report_view *view, iv_err *err)
{
    (void)err;
    fputs("{\n  ", out);
    put_head(out, view, &lines);
    fputs(",\n  \"tables\": [", out);
    for (size_t i = 0; i < view->count; i++) {
        fputs(i == 0 ? "\n" : ",\n", out);
        put_table(out, &view->tables[i]);
    }
    fputs(view->count == 0 ? "]\n}\n" : "\n  ]\n}\n", out);
    return IV_OK;
}

int iv_render_jsonl(FILE *out, const iv_report_view *view, iv_err *err)
{
    (void)err;
    fputs("{\"record\": \"result\", ", out);
    put_head(out, view, &line);
    fputs(", \"tables\": [", out);
    for (size_t i = 0; i < view->count; i++) {
        fputs(i == 0 ? "{\"name\": " : ", {\"name\": ", out);
        put_string(out, iv_table_name(&view->tables[i]));
        fprintf(out, ", \"rows\": %zu, ", iv_table_rows(&view->tables[i]));
        put_columns(out, &view->tables[i], " ", "");
        putc('}', out);
    }
    fputs("]}\n", out);
    for (size_t i = 0; i < view->count; i++) {
        for (size_t row = 0; row < iv_table_rows(&view->tables[i]); row++) {
            fputs("{\"record\": \"row\", \"table\": ", out);
            put_string(out, iv_table_name(&view->tables[i]));
            fputs(", \"row\": ", out);
            put_row(out, &view->tables[i], row);
            fputs("}\n", out);
        }
    }
    return IV_OK;
}
