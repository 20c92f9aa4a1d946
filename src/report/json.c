/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole result as one JSON object, a row a line so that two of them can be compared
 * by diff; or as a stream of objects, a line each: first the result without its rows,
 * then the rows.  doc/schema/ describes both.
 */
#include "report/report_private.h"

#include <assert.h>
#include <inttypes.h>

static bool ends_script(uint32_t code)
{
    return code == '<' || code == '>' || code == '&' || code == 0x2028 || code == 0x2029;
}

/* One character, or one byte that is none (width 0), inside quotes. */
static void put_character(FILE *out, const char *at, size_t width, uint32_t code,
                          unsigned how)
{
    const bool odd = width == 0 || iv_is_control(code);

    if (odd && (how & IV_JSON_SHOWN))
        for (size_t i = 0; i < width + (width == 0); i++)
            fprintf(out, "\\\\x%02x", (unsigned)(unsigned char)at[i]);
    else if (width == 0)
        fputs("\xef\xbf\xbd", out); /* U+FFFD */
    else if (code == '"' || code == '\\')
        fprintf(out, "\\%c", (int)code);
    else if (code == '\n')
        fputs("\\n", out);
    else if (code == '\t')
        fputs("\\t", out);
    else if (odd || ((how & IV_JSON_IN_PAGE) && ends_script(code)))
        fprintf(out, "\\u%04" PRIx32, code); /* none lies beyond four digits */
    else
        fwrite(at, 1, width, out);
}

/* A letter, a digit or another sign of ASCII that stands for itself wherever it is. */
static bool plain(char c)
{
    return c >= ' ' && c <= '~' && c != '"' && c != '\\' && !ends_script((uint32_t)c);
}

void iv_json_quote(FILE *out, iv_str s, unsigned how)
{
    putc('"', out);
    for (size_t at = 0; at < s.len;) {
        size_t run = 0;
        while (at + run < s.len && plain(s.ptr[at + run]))
            run++;
        if (run > 0) {
            fwrite(s.ptr + at, 1, run, out);
            at += run;
            continue;
        }
        uint32_t code;
        const size_t width = iv_utf8_next(&code, s, at);
        put_character(out, s.ptr + at, width, code, how);
        at += width + (width == 0);
    }
    putc('"', out);
}

void iv_json_key(iv_json *j, const char *key)
{
    const int d = j->depth;

    if (j->filled[d])
        putc(',', j->out);
    if (d > 0 && !j->flat[d] && !j->in_page) {
        putc('\n', j->out);
        for (int i = 0; i < d; i++)
            fputs("  ", j->out);
    } else if (j->filled[d] && !j->in_page) {
        putc(' ', j->out);
    }
    j->filled[d] = true;
    if (key != NULL) {
        iv_json_quote(j->out, iv_str_of(key), j->in_page ? IV_JSON_IN_PAGE : 0u);
        fputs(j->in_page ? ":" : ": ", j->out);
    }
}

static void open_level(iv_json *j, const char *key, bool array, bool flat)
{
    iv_json_key(j, key);
    putc(array ? '[' : '{', j->out);
    assert(j->depth + 1 < IV_JSON_DEEPEST); /* what we write is of known depth */
    j->depth++;
    j->filled[j->depth] = false;
    j->flat[j->depth] = flat || j->flat[j->depth - 1];
    j->array[j->depth] = array;
}

void iv_json_object(iv_json *j, const char *key)
{
    open_level(j, key, false, false);
}

void iv_json_array(iv_json *j, const char *key)
{
    open_level(j, key, true, false);
}

void iv_json_close(iv_json *j)
{
    const int d = j->depth--;

    if (j->filled[d] && !j->flat[d] && !j->in_page) {
        putc('\n', j->out);
        for (int i = 0; i < d - 1; i++)
            fputs("  ", j->out);
    }
    putc(j->array[d] ? ']' : '}', j->out);
}

void iv_json_text(iv_json *j, const char *key, const char *text)
{
    iv_json_key(j, key);
    if (text == NULL)
        fputs("null", j->out);
    else
        iv_json_quote(j->out, iv_str_of(text), j->in_page ? IV_JSON_IN_PAGE : 0u);
}

void iv_json_shown(iv_json *j, const char *key, iv_str s)
{
    iv_json_key(j, key);
    iv_json_quote(j->out, s, IV_JSON_SHOWN | (j->in_page ? IV_JSON_IN_PAGE : 0u));
}

void iv_json_real(iv_json *j, const char *key, double value)
{
    char number[IV_REAL_SIZE];

    iv_json_key(j, key);
    if (isfinite(value))
        (void)iv_format_real(number, value);
    fputs(isfinite(value) ? number : "null", j->out);
}

void iv_json_int(iv_json *j, const char *key, int64_t value)
{
    iv_json_key(j, key);
    fprintf(j->out, "%" PRId64, value);
}

void iv_json_bool(iv_json *j, const char *key, bool value)
{
    iv_json_key(j, key);
    fputs(value ? "true" : "false", j->out);
}

void iv_json_null(iv_json *j, const char *key)
{
    iv_json_text(j, key, NULL);
}

/* What stands for a letter behind % in a template. */
static void put_argument(iv_json *j, const char *key, char kind, va_list *arguments)
{
    if (kind == 's')
        iv_json_text(j, key, va_arg(*arguments, const char *));
    else if (kind == 'd')
        iv_json_int(j, key, va_arg(*arguments, int64_t));
    else if (kind == 'g')
        iv_json_real(j, key, va_arg(*arguments, double));
    else
        iv_json_bool(j, key, va_arg(*arguments, int));
}

void iv_json_put(iv_json *j, const char *key, const char *template, ...)
{
    char name[64];
    va_list arguments;

    va_start(arguments, template);
    for (const char *at = template; *at != '\0'; at++) {
        const char *member = key;
        if (strchr(" ,:", *at) != NULL)
            continue;
        key = NULL;
        if (*at == '{' || *at == '[') {
            open_level(j, member, *at == '[', true);
        } else if (*at == '}' || *at == ']') {
            iv_json_close(j);
        } else if (*at == '%') {
            put_argument(j, member, *++at, &arguments);
        } else if (*at == '\'') {
            const iv_str text = { at + 1, strcspn(at + 1, "'") };
            at += text.len + 1;
            if (at[1] == ':') {
                assert(text.len < sizeof name);
                (void)snprintf(name, sizeof name, "%.*s", (int)text.len, text.ptr);
                key = name;
            } else {
                iv_json_key(j, member);
                iv_json_quote(j->out, text, j->in_page ? IV_JSON_IN_PAGE : 0u);
            }
        } else {
            const size_t len = strcspn(at, " ,]}");
            iv_json_key(j, member);
            fwrite(at, 1, len, j->out);
            at += len - 1;
        }
    }
    va_end(arguments);
}

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
