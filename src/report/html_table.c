/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of a report, twice: as rows to read, rounded, which need no script;
 * and as columns of exact fields for sorting, saving and drawing.  A column is
 * one string of fields with a space between, so that a missing value takes no
 * more than that space; texts are places in a list of words.
 */
#include <inttypes.h>

#include "report/report_parts.h"
#include "base/base_private.h"
#include "base/charts_private.h"

static const char *html_special(char c, char prev)
{
    (void)prev;
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

static const iv_escapes html_escapes = { html_special, "\\" };

void iv_html_text(FILE *out, iv_str s)
{
    (void)iv_escape(out, s, &html_escapes);
}

static void put_heads(FILE *out, const iv_column *columns, size_t count)
{
    fputs("<thead><tr>", out);
    for (size_t c = 0; c < count; c++) {
        fputs(columns[c].kind == IV_TEXT ? "<th scope=\"col\">" : "<th scope=\"col\" class=\"n\">",
              out);
        fputs("<button type=\"button\" title=\"", out);
        iv_html_text(out, iv_str_of(columns[c].about != NULL ? columns[c].about : ""));
        fputs("\">", out);
        iv_html_text(out, iv_str_of(columns[c].name));
        fputs("</button></th>", out);
    }
    fputs("</tr></thead>\n", out);
}

/* What the heads say to who points at them, for those who cannot: on a phone, on paper. */
static void put_meanings(FILE *out, const iv_column *columns, size_t count)
{
    fputs("<details class=\"columns\"><summary>What the columns hold</summary><dl>\n", out);
    for (size_t c = 0; c < count; c++) {
        if (columns[c].about == NULL)
            continue;
        fputs("<dt>", out);
        iv_html_text(out, iv_str_of(columns[c].name));
        fputs("</dt><dd>", out);
        iv_html_text(out, iv_str_of(columns[c].about));
        fputs("</dd>\n", out);
    }
    fputs("</dl></details>\n", out);
}

static void put_rows(FILE *out, const iv_table *t, const iv_column *columns, size_t count)
{
    const size_t rows = iv_table_rows(t);

    fputs("<tbody>\n", out);
    for (size_t row = 0; row < rows && row < IV_HTML_ROWS; row++) {
        fputs("<tr>", out);
        for (size_t c = 0; c < count; c++) {
            fputs(columns[c].kind == IV_TEXT ? "<td>" : "<td class=\"n\">", out);
            (void)iv_cell_show(out, &columns[c], iv_table_cell(t, row, c), &html_escapes,
                               "–");
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody>", out);
}

void iv_html_table(FILE *out, const iv_table *t, size_t number)
{
    const iv_column *columns;
    const size_t count = iv_table_columns(&columns, t);
    const size_t rows = iv_table_rows(t);
    const iv_str name = iv_str_of(iv_table_name(t));

    fprintf(out, "<section class=\"table\" id=\"table-%zu\">\n", number);
    if (iv_table_showing(t) >= IV_FOLDED) {
        fputs("<details><summary>", out);
        iv_html_text(out, name);
        fprintf(out, ", %zu row%s: the data of a chart</summary>\n", rows,
                rows == 1 ? "" : "s");
    }
    fputs("<div class=\"head\"><h3>", out);
    iv_html_text(out, name);
    fprintf(out, "</h3><button type=\"button\" class=\"csv\">Save CSV (%zu row%s)</button></div>\n",
            rows, rows == 1 ? "" : "s");
    fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"table ", out);
    iv_html_text(out, name);
    fputs("\"><table>\n", out);
    put_heads(out, columns, count);
    put_rows(out, t, columns, count);
    fputs("</table></div>\n", out);
    if (t->caption != NULL) {
        fputs("<p class=\"soft\">", out);
        iv_html_text(out, iv_str_of(t->caption));
        fputs("</p>\n", out);
    }
    put_meanings(out, columns, count);
    if (rows == 0)
        fputs("<p class=\"soft\">No rows.</p>\n", out);
    if (rows > IV_HTML_ROWS)
        fprintf(out, "<p class=\"more soft\">The first %d of %zu rows. "
                "<button type=\"button\">Show more</button></p>\n", (int)IV_HTML_ROWS, rows);
    fputs(iv_table_showing(t) >= IV_FOLDED ? "</details></section>\n" : "</section>\n", out);
}

/* The words of a column of texts; false when memory is out. */
static bool collect(iv_ids *words, const iv_table *t, size_t c)
{
    for (size_t row = 0; row < iv_table_rows(t); row++) {
        const iv_cell cell = iv_table_cell(t, row, c);
        if (!cell.missing && iv_ids_add(words, cell.text) == IV_NO_ID)
            return false;
    }
    return true;
}

/* A field of the column's string; "" stands for a missing value. */
static const char *field_of(char out[IV_CELL_SIZE], const iv_table *t, size_t row, size_t c,
                            const iv_column *column, const iv_ids *words)
{
    const iv_cell cell = iv_table_cell(t, row, c);

    if (cell.missing)
        return "";
    if (column->kind != IV_TEXT)
        return iv_cell_exact(out, column, cell);
    (void)snprintf(out, IV_CELL_SIZE, "%" PRIu32, iv_ids_find(words, cell.text));
    return out;
}

static void put_fields(iv_json *j, const iv_table *t, size_t c, const iv_column *column,
                       const iv_ids *words)
{
    const size_t rows = iv_table_rows(t);
    char first[IV_CELL_SIZE] = "", field[IV_CELL_SIZE];
    bool same = rows > 0;

    if (rows > 0)
        (void)snprintf(first, sizeof first, "%s", field_of(field, t, 0, c, column, words));
    for (size_t row = 1; same && row < rows; row++)
        same = iv_str_cmp(iv_str_of(field_of(field, t, row, c, column, words)),
                          iv_str_of(first)) == 0;
    if (same)
        iv_json_bool(j, "same", true);
    iv_json_key(j, "data");
    putc('"', j->out);
    if (same)
        fputs(first, j->out);
    for (size_t row = 0; !same && row < rows; row++) {
        fputs(row == 0 ? "" : " ", j->out);
        fputs(field_of(field, t, row, c, column, words), j->out);
    }
    putc('"', j->out);
}

/* Rows of a column of reals that are counts: from, to, from, to. */
static void put_counts(iv_json *j, const iv_table *t, size_t c)
{
    const size_t rows = iv_table_rows(t);
    bool any = false, inside = false;

    for (size_t row = 0; row <= rows; row++) {
        const bool count = row < rows && iv_table_cell(t, row, c).count;
        if (count == inside)
            continue;
        if (!any)
            iv_json_flat_array(j, "counts");
        iv_json_int(j, NULL, (int64_t)row);
        any = true;
        inside = count;
    }
    if (any)
        iv_json_close(j);
}

static int put_column(iv_json *j, const iv_table *t, size_t c, const iv_column *column,
                      iv_err *err)
{
    iv_ids words = { 0 };

    if (column->kind == IV_TEXT && !collect(&words, t, c)) {
        iv_ids_free(&words);
        return iv_fail(err, IV_ENOMEM, "out of memory for the report");
    }
    iv_json_object(j, NULL);
    iv_json_text(j, "name", column->name);
    if (column->kind == IV_TEXT) {
        iv_json_array(j, "words");
        for (size_t i = 0; i < words.count; i++)
            iv_json_shown(j, NULL, words.names[i]);
        iv_json_close(j);
    } else if (column->kind == IV_REAL) {
        iv_json_int(j, "digits", column->digits);
        put_counts(j, t, c);
    }
    put_fields(j, t, c, column, &words);
    iv_json_close(j);
    iv_ids_free(&words);
    return IV_OK;
}

int iv_html_data(iv_json *j, const iv_table *t, iv_err *err)
{
    const iv_column *columns;
    const size_t count = iv_table_columns(&columns, t);
    int rc = IV_OK;

    iv_json_object(j, NULL);
    iv_json_text(j, "name", iv_table_name(t));
    iv_json_int(j, "rows", (int64_t)iv_table_rows(t));
    iv_json_array(j, "columns");
    for (size_t c = 0; rc == IV_OK && c < count; c++)
        rc = put_column(j, t, c, &columns[c], err);
    iv_json_close(j);
    iv_json_close(j);
    return rc;
}
