/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole result as one JSON object, a row a line so that two of them can be compared
 * by diff; or as a stream of objects, a line each: first the result without its rows,
 * then the rows.  doc/schema/ describes both.
 */
#include "base/memory.h"
#include "base/utf8.h"
#include "report/cells.h"
#include "report/json_write.h"
#include "report/render.h"
#include "result/result_state.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

static bool ends_script(uint32_t code)
{
    return code == '<' || code == '>' || code == '&' || code == 0x2028 || code == 0x2029;
}

/* One character, or one byte that is none (width 0), inside quotes. */
static void put_character(FILE *out, const char *at, size_t width, uint32_t code,
                          unsigned how)
{
    const bool unprintable = width == 0 || iv_is_control(code);

    if (unprintable && (how & IV_JSON_SHOWN))
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
    else if (unprintable || ((how & IV_JSON_IN_PAGE) && ends_script(code)))
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

const char *iv_json_field(char out[IV_FIELD_SIZE], const char *name)
{
    size_t used = 0;

    for (; *name != '\0' && used + 2 < IV_FIELD_SIZE; name++) {
        if (strchr(".[]\\'\"", *name) != NULL)
            out[used++] = '\\';
        out[used++] = *name;
    }
    out[used] = '\0';
    return out;
}

/* What stands for a letter behind % in a template. */
static void put_argument(iv_json *j, char kind, va_list *arguments)
{
    const unsigned page = j->in_page ? IV_JSON_IN_PAGE : 0u;
    char text[IV_FIELD_SIZE];

    if (kind == 'd') {
        fprintf(j->out, "%" PRId64, va_arg(*arguments, int64_t));
    } else if (kind == 'b') {
        fputs(va_arg(*arguments, int) ? "true" : "false", j->out);
    } else if (kind == 'g') {
        const double value = va_arg(*arguments, double);
        (void)iv_format_real(text, value);
        fputs(isfinite(value) ? text : "null", j->out);
    } else if (kind == 'S') {
        iv_json_quote(j->out, va_arg(*arguments, iv_str), page | IV_JSON_SHOWN);
    } else {
        const char *s = va_arg(*arguments, const char *);
        if (s == NULL)
            fputs("null", j->out);
        else
            iv_json_quote(j->out, iv_str_of(kind == 'f' ? iv_json_field(text, s) : s), page);
    }
}

void iv_json_put(iv_json *j, const char *key, const char *template, ...)
{
    char name[64];
    va_list arguments;

    va_start(arguments, template);
    for (const char *at = template; *at != '\0'; at++) {
        const char *member = key;
        if (strchr(" ,:\n", *at) != NULL)
            continue;
        key = NULL;
        if (*at == '{' || *at == '[') {
            open_level(j, member, *at == '[', at[1] != '\n');
        } else if (*at == '}' || *at == ']') {
            iv_json_close(j);
        } else if (*at == '%') {
            iv_json_key(j, member);
            put_argument(j, *++at, &arguments);
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
            const size_t len = strcspn(at, " ,]}\n");
            iv_json_key(j, member);
            fwrite(at, 1, len, j->out);
            at += len - 1;
        }
    }
    va_end(arguments);
}

void iv_json_text(iv_json *j, const char *key, const char *text)
{
    iv_json_put(j, key, "%s", text);
}

void iv_json_int(iv_json *j, const char *key, int64_t value)
{
    iv_json_put(j, key, "%d", value);
}

void iv_json_cell(iv_json *j, const iv_table *t, size_t row, size_t column, unsigned how)
{
    const iv_column *c = &t->columns[column];
    const iv_cell cell = iv_table_cell(t, row, column);
    char number[IV_CELL_SIZE];

    iv_json_key(j, c->name);
    if (cell.missing)
        fputs("null", j->out);
    else if (c->kind == IV_TEXT)
        iv_json_quote(j->out, cell.text, how);
    else
        fputs(iv_cell_exact(number, c, cell), j->out);
}

enum { SCHEMA = 4 };

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

/* What was decided, from which evidence. */
static void put_claims(iv_json *j, const iv_result *r)
{
    const iv_claim *c;
    size_t count;

    (void)iv_result_has_verdict(&c, &count, r);
    open_list(j, "claims", count);
    for (size_t i = 0; i < count; i++, c++)
        iv_json_put(j, NULL, "{'text': %s, 'verdict': %s, 'kind': %s, 'measure': %s, 'system': %s, "
                    "'baseline': %s, 'set': %s, 'bound': %g, 'estimate': %g, 'lower': %g, "
                    "'upper': %g, 'p': %g, 'p_contrary': %g, 'level': %g, 'level_contrary': %g, "
                    "'method': %s, 'strength': %s, 'withheld': %s, 'open_passes': %b, 'items': %g, "
                    "'needed': %g, 'detectable': %g}", c->text, iv_verdict_name(c->verdict),
                    iv_claim_kind_names()[c->kind], c->measure, c->system, c->baseline, c->set,
                    c->bound, c->estimate, c->lower, c->upper, c->p, c->p_contrary, c->level,
                    c->level_contrary, c->method, iv_claim_strength_names()[c->strength],
                    c->withheld, c->open_passes,
                    c->items > 0.0 ? c->items : (double)NAN, c->needed, c->detectable);
    iv_json_close(j);
}

/* Everything but the tables. */
static void put_head(iv_json *j, const iv_report_view *view)
{
    const iv_result *r = view->result;

    iv_json_put(j, NULL, "'schema': %d, 'intervale': %s, 'command': %s", (int64_t)SCHEMA,
                iv_version(), r->command);
    put_strings(j, "arguments", &r->arguments);
    iv_json_key(j, "seed");
    if (r->has_seed)
        fprintf(j->out, "%" PRIu64, r->seed);
    else
        fputs("null", j->out);
    put_inputs(j, r);
    put_details(j, r);
    iv_json_text(j, "verdict", iv_verdict_name(r->verdict));
    put_claims(j, r);
    iv_json_text(j, "answer", r->answer);
    put_notes(j, view);
    iv_json_text(j, "method", r->method_text);
    put_citations(j, r);
}

static void put_row(iv_json *j, const char *key, const iv_table *t, size_t row)
{
    iv_json_put(j, key, "{");
    for (size_t c = 0; c < t->column_count; c++)
        iv_json_cell(j, t, row, c, 0);
    iv_json_close(j);
}

static void put_columns(iv_json *j, const iv_table *t)
{
    static const char *const types[] = { "text", "integer", "real" };

    open_list(j, "columns", t->column_count);
    for (size_t c = 0; c < t->column_count; c++)
        iv_json_put(j, NULL, "{'name': %s, 'type': %s, 'about': %s}", t->columns[c].name,
                    types[t->columns[c].kind], t->columns[c].about);
    iv_json_close(j);
}

void iv_render_json(FILE *out, iv_report_view *view)
{
    iv_json j = { .out = out };

    iv_json_object(&j, NULL);
    put_head(&j, view);
    iv_json_array(&j, "tables");
    for (size_t i = 0; i < view->count; i++) {
        const iv_table *t = &view->tables[i];
        iv_json_put(&j, NULL, "{\n'name': %s", t->name);
        put_columns(&j, t);
        iv_json_array(&j, "rows");
        for (size_t row = 0; row < iv_table_rows(t); row++)
            put_row(&j, NULL, t, row);
        iv_json_put(&j, NULL, "]}");
    }
    iv_json_put(&j, NULL, "]}");
    putc('\n', out);
}

void iv_render_jsonl(FILE *out, iv_report_view *view)
{
    iv_json j = { .out = out };

    iv_json_put(&j, NULL, "{'record': 'result'");
    put_head(&j, view);
    iv_json_put(&j, "tables", "[");
    for (size_t i = 0; i < view->count; i++) {
        const iv_table *t = &view->tables[i];
        iv_json_put(&j, NULL, "{'name': %s, 'rows': %d", t->name, (int64_t)iv_table_rows(t));
        put_columns(&j, t);
        iv_json_close(&j);
    }
    iv_json_put(&j, NULL, "]}");
    putc('\n', out);
    for (size_t i = 0; i < view->count; i++) {
        const iv_table *t = &view->tables[i];
        for (size_t row = 0; row < iv_table_rows(t); row++) {
            j.filled[0] = false; /* an object of its own */
            iv_json_put(&j, NULL, "{'record': 'row', 'table': %s", t->name);
            put_row(&j, "row", t, row);
            iv_json_put(&j, NULL, "}");
            putc('\n', out);
        }
    }
}
