/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole result as one JSON object, a row a line so that two of them can be compared
 * by diff; or as a stream of objects, a line each: first the result without its rows,
 * then the rows.  doc/schema/ describes both.
 */
#include <inttypes.h>

#include "report/report_parts.h"
#include "base/base_private.h"

enum { SCHEMA = 3 };

/* A list, an item a line; where all is on one line, a blank is before the first. */
static void open_list(iv_json *j, const char *key, size_t count)
{
    iv_json_array(j, key);
    if (j->flat[j->depth] && count > 0)
        putc(' ', j->out);
}

static void put_strings(iv_json *j, const char *key, const iv_words *strings)
{
    iv_json_put(j, key, "[");
    for (size_t i = 0; i < strings->count; i++)
        iv_json_text(j, NULL, strings->at[i]);
    iv_json_close(j);
}

static void put_inputs(iv_json *j, const iv_result *r)
{
    open_list(j, "inputs", r->input_count);
    for (size_t i = 0; i < r->input_count; i++)
        iv_json_put(j, NULL, "{'path': %s, 'bytes': %d, 'sha256': %s}", r->inputs[i].path,
                    (int64_t)r->inputs[i].bytes, r->inputs[i].sha256);
    iv_json_close(j);
}

/* By their names in small letters: title, matter, author, date. */
static void put_details(iv_json *j, const iv_result *r)
{
    iv_json_put(j, "details", "{");
    for (size_t i = 0; i < r->details.count; i++)
        iv_json_text(j, r->detail_names.at[i], r->details.at[i]);
    iv_json_close(j);
}

static void put_notes(iv_json *j, const iv_report_view *view)
{
    open_list(j, "notes", view->note_count);
    for (size_t i = 0; i < view->note_count; i++)
        iv_json_put(j, NULL, "{'id': %s, 'severity': %s, 'text': %s}", view->notes[i].id,
                    iv_severity_name(view->notes[i].severity), view->notes[i].text);
    iv_json_close(j);
}

static void put_citations(iv_json *j, const iv_result *r)
{
    open_list(j, "citations", r->citation_count);
    for (size_t i = 0; i < r->citation_count; i++)
        iv_json_put(j, NULL, "{'key': %s, 'method': %s, 'label': %s, 'text': %s, 'bibtex': %s}",
                    r->citations[i].key, r->citations[i].method, r->citations[i].label,
                    r->citations[i].text, r->citations[i].bibtex);
    iv_json_close(j);
}

/* Everything but the tables. */
static void put_head(iv_json *j, const iv_report_view *view)
{
    const iv_result *r = view->result;

    iv_json_int(j, "schema", SCHEMA);
    iv_json_text(j, "intervale", iv_version());
    iv_json_text(j, "command", r->command);
    put_strings(j, "arguments", &r->arguments);
    iv_json_key(j, "seed");
    if (r->has_seed)
        fprintf(j->out, "%" PRIu64, r->seed);
    else
        fputs("null", j->out);
    put_inputs(j, r);
    put_details(j, r);
    iv_json_text(j, "verdict", iv_verdict_name(r->verdict));
    put_strings(j, "claims", &r->claims);
    iv_json_text(j, "answer", r->answer);
    put_notes(j, view);
    iv_json_text(j, "method", r->method_text);
    put_citations(j, r);
}

static void put_row(iv_json *j, const char *key, const iv_table *t, size_t row)
{
    const iv_column *columns;
    const size_t count = iv_table_columns(&columns, t);
    char number[IV_CELL_SIZE];

    iv_json_put(j, key, "{");
    for (size_t c = 0; c < count; c++) {
        const iv_cell cell = iv_table_cell(t, row, c);
        iv_json_key(j, columns[c].name);
        if (cell.missing)
            fputs("null", j->out);
        else if (columns[c].kind == IV_TEXT)
            iv_json_quote(j->out, cell.text, 0);
        else
            fputs(iv_cell_exact(number, &columns[c], cell), j->out);
    }
    iv_json_close(j);
}

static void put_columns(iv_json *j, const iv_table *t)
{
    static const char *const types[] = { "text", "integer", "real" };
    const iv_column *columns;
    const size_t count = iv_table_columns(&columns, t);

    open_list(j, "columns", count);
    for (size_t c = 0; c < count; c++)
        iv_json_put(j, NULL, "{'name': %s, 'type': %s, 'about': %s}", columns[c].name,
                    types[columns[c].kind], columns[c].about);
    iv_json_close(j);
}

int iv_render_json(FILE *out, const iv_report_view *view, iv_err *err)
{
    iv_json j = { .out = out };

    (void)err;
    iv_json_object(&j, NULL);
    put_head(&j, view);
    iv_json_array(&j, "tables");
    for (size_t i = 0; i < view->count; i++) {
        const iv_table *t = &view->tables[i];
        iv_json_object(&j, NULL);
        iv_json_text(&j, "name", iv_table_name(t));
        put_columns(&j, t);
        iv_json_array(&j, "rows");
        for (size_t row = 0; row < iv_table_rows(t); row++)
            put_row(&j, NULL, t, row);
        iv_json_close(&j);
        iv_json_close(&j);
    }
    iv_json_close(&j);
    iv_json_close(&j);
    putc('\n', out);
    return IV_OK;
}

int iv_render_jsonl(FILE *out, const iv_report_view *view, iv_err *err)
{
    iv_json j = { .out = out };

    (void)err;
    iv_json_put(&j, NULL, "{'record': 'result'");
    put_head(&j, view);
    iv_json_put(&j, "tables", "[");
    for (size_t i = 0; i < view->count; i++) {
        iv_json_put(&j, NULL, "{'name': %s, 'rows': %d", iv_table_name(&view->tables[i]),
                    (int64_t)iv_table_rows(&view->tables[i]));
        put_columns(&j, &view->tables[i]);
        iv_json_close(&j);
    }
    iv_json_put(&j, NULL, "]}");
    putc('\n', out);
    for (size_t i = 0; i < view->count; i++) {
        for (size_t row = 0; row < iv_table_rows(&view->tables[i]); row++) {
            j.filled[0] = false; /* an object of its own */
            iv_json_put(&j, NULL, "{'record': 'row', 'table': %s", iv_table_name(&view->tables[i]));
            put_row(&j, "row", &view->tables[i], row);
            iv_json_put(&j, NULL, "}");
            putc('\n', out);
        }
    }
    return IV_OK;
}
