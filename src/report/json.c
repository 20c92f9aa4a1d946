/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole result as one JSON object, a row a line so that two of them can
 * be compared by diff.
 */
#include <inttypes.h>

#include "report/report_parts.h"

static void put_string(FILE *out, iv_str s)
{
    iv_json_quote(out, s, 0);
}

static void put_strings(FILE *out, const char *const *strings, size_t count)
{
    putc('[', out);
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "" : ", ", out);
        put_string(out, iv_str_of(strings[i]));
    }
    putc(']', out);
}

static void put_inputs(FILE *out, const iv_result *r)
{
    const iv_input *inputs;
    const size_t count = iv_result_inputs(&inputs, r);

    putc('[', out);
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "\n    {\"path\": " : ",\n    {\"path\": ", out);
        put_string(out, iv_str_of(inputs[i].path));
        fprintf(out, ", \"bytes\": %" PRIu64 "}", inputs[i].bytes);
    }
    fputs(count == 0 ? "]" : "\n  ]", out);
}

static void put_cell(FILE *out, const iv_column *column, iv_cell cell)
{
    char number[IV_CELL_SIZE];

    if (cell.missing)
        fputs("null", out);
    else if (column->kind == IV_TEXT)
        put_string(out, cell.text);
    else
        fputs(iv_cell_exact(number, column, cell), out);
}

static void put_table(FILE *out, const iv_table *t)
{
    const iv_column *columns;
    const size_t count = iv_table_columns(&columns, t);
    const size_t rows = iv_table_rows(t);

    fputs("    {\n      \"name\": ", out);
    put_string(out, iv_str_of(iv_table_name(t)));
    fputs(",\n      \"columns\": [", out);
    for (size_t c = 0; c < count; c++) {
        fputs(c == 0 ? "" : ", ", out);
        put_string(out, iv_str_of(columns[c].name));
    }
    fputs("],\n      \"rows\": [", out);
    for (size_t row = 0; row < rows; row++) {
        fputs(row == 0 ? "\n        [" : ",\n        [", out);
        for (size_t c = 0; c < count; c++) {
            fputs(c == 0 ? "" : ", ", out);
            put_cell(out, &columns[c], iv_table_cell(t, row, c));
        }
        putc(']', out);
    }
    fputs(rows == 0 ? "]\n    }" : "\n      ]\n    }", out);
}

int iv_render_json(FILE *out, const iv_report_view *view, iv_err *err)
{
    const iv_result *r = view->result;
    const char *const *strings;
    size_t count;
    uint64_t seed;

    (void)err;
    fputs("{\n  \"intervale\": ", out);
    put_string(out, iv_str_of(iv_version()));
    fputs(",\n  \"command\": ", out);
    put_string(out, iv_str_of(iv_result_command(r)));
    fputs(",\n  \"arguments\": ", out);
    count = iv_result_arguments(&strings, r);
    put_strings(out, strings, count);
    if (iv_result_has_seed(&seed, r))
        fprintf(out, ",\n  \"seed\": %" PRIu64, seed);
    else
        fputs(",\n  \"seed\": null", out);
    fputs(",\n  \"inputs\": ", out);
    put_inputs(out, r);
    fputs(",\n  \"notes\": ", out);
    put_strings(out, view->notes, view->note_count);
    if (iv_result_answer_text(r) != NULL) {
        fputs(",\n  \"answer\": ", out);
        put_string(out, iv_str_of(iv_result_answer_text(r)));
    }
    fputs(",\n  \"tables\": [", out);
    for (size_t i = 0; i < view->count; i++) {
        fputs(i == 0 ? "\n" : ",\n", out);
        put_table(out, &view->tables[i]);
    }
    fputs(view->count == 0 ? "]\n}\n" : "\n  ]\n}\n", out);
    return IV_OK;
}
