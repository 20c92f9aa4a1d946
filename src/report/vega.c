/* SPDX-License-Identifier: Apache-2.0 */
/* Charts as Vega-Lite, for notebooks and papers; and what the page shares. */
#include "report/report_parts.h"

#include <string.h>

#include "base/charconv.h"
#include "base/memory.h"
#include "base/base_private.h"

/* Joins both texts of a forest's label. */
static void put_both(iv_json *j, const iv_plot *p)
{
    char a[IV_FIELD_SIZE], b[IV_FIELD_SIZE], text[3 * IV_FIELD_SIZE];

    (void)iv_vega_field(a, iv_plot_column(p, IV_ROLE_LABEL)->name);
    (void)iv_vega_field(b, iv_plot_column(p, IV_ROLE_AGAINST)->name);
    (void)snprintf(text, sizeof text, "datum['%s'] + ' · ' + datum['%s']", a, b);
    iv_json_put(j, NULL, "{'calculate': %s, 'as': %s}", text, iv_vega_both);
}

/* Between which levels a matrix's value lies, in words, for a legend of them. */
static void put_bands(iv_json *j, const iv_plot *p)
{
    const size_t levels = iv_vega_levels(p);
    char field[IV_FIELD_SIZE], name[IV_BAND_SIZE], level[IV_REAL_SIZE];
    char text[IV_CHART_LEVELS * (IV_FIELD_SIZE + IV_BAND_SIZE + IV_REAL_SIZE) + 100] = "";
    size_t used = 0;

    (void)iv_vega_field(field, iv_plot_column(p, IV_ROLE_VALUE)->name);
    iv_json_put(j, NULL, "{'filter': {'field': %s, 'valid': true}}", field);
    for (size_t i = 0; i < levels && used < sizeof text; i++) {
        (void)iv_format_real(level, p->chart.levels[i]);
        used += (size_t)snprintf(text + used, sizeof text - used, "datum['%s'] < %s ? '%s' : ",
                                 field, level, iv_vega_band(name, p, i));
    }
    if (used < sizeof text)
        (void)snprintf(text + used, sizeof text - used, "'%s'", iv_vega_band(name, p, levels));
    iv_json_put(j, NULL, "{'calculate': %s, 'as': %s}", text, iv_vega_banded);
}

static void put_transforms(iv_json *j, const iv_plot *p, size_t panel, size_t number)
{
    char name[32], field[IV_FIELD_SIZE];

    iv_json_array(j, "transform");
    if (p->panels.count > 1) {
        const iv_column *column = iv_plot_column(p, IV_ROLE_PANEL);
        iv_json_put(j, NULL, "{'filter': {'field': %s", iv_vega_field(field, column->name));
        iv_vega_word(j, "equal", column, p->panels.names[panel]);
        iv_json_put(j, NULL, "}}");
    }
    if (p->pages.count > 1) {
        (void)snprintf(name, sizeof name, "page_%zu", number);
        iv_json_put(j, NULL, "{'filter': {'field': %s, 'equal': {'expr': %s}}}",
                    iv_vega_field(field, iv_plot_column(p, IV_ROLE_PAGE)->name), name);
    }
    if (p->chart.kind == IV_CHART_FOREST && p->at[IV_ROLE_AGAINST] != SIZE_MAX)
        put_both(j, p);
    if (p->chart.kind == IV_CHART_MATRIX && iv_vega_levels(p) > 0)
        put_bands(j, p);
    iv_json_close(j);
}

/* So many pixels that labels can be read, and more of them are drawn closer. */
static void put_height(iv_json *j, const iv_plot *p)
{
    const bool forest = p->chart.kind == IV_CHART_FOREST;
    const size_t step = forest ? (p->lines > 100 ? 13 : p->lines > 30 ? 15 : 22)
        : p->lines > 100 ? 5 : p->lines > 40 ? 9 : p->lines > 8 ? 18 : 26;
    size_t height = step * p->lines;

    if (!forest && p->chart.kind != IV_CHART_MATRIX)
        height = 260;
    else if (p->lines > 400)
        height = 1600;
    iv_json_int(j, "height", (int64_t)height);
}

/* Which of its pages is seen first. */
static size_t first_page(const iv_plot *p)
{
    size_t first = 0;

    for (size_t k = 0; p->chart.opens != NULL && k < p->pages.count; k++)
        first = iv_str_cmp(p->pages.names[k], iv_str_of(p->chart.opens)) == 0 ? k : first;
    return first;
}

void iv_vega_choice(iv_json *j, const iv_plots *plots, size_t first, size_t count)
{
    char name[32], label[96];
    bool any = false;

    for (size_t i = first; i < first + count; i++)
        any = any || plots->at[i].pages.count > 1;
    if (!any)
        return;
    iv_json_array(j, "params");
    for (size_t i = first; i < first + count; i++) {
        const iv_plot *p = &plots->at[i];
        const iv_column *page = iv_plot_column(p, IV_ROLE_PAGE);
        if (p->pages.count < 2)
            continue;
        (void)snprintf(name, sizeof name, "page_%zu", i);
        (void)snprintf(label, sizeof label, "%.80s ", page->name);
        iv_json_object(j, NULL);
        iv_json_text(j, "name", name);
        iv_vega_word(j, "value", page, p->pages.names[first_page(p)]);
        iv_json_object(j, "bind");
        iv_json_put(j, NULL, "'input': 'select', 'name': %s, 'options': [", label);
        for (size_t k = 0; k < p->pages.count; k++)
            iv_vega_word(j, NULL, page, p->pages.names[k]);
        iv_json_close(j);
        iv_json_close(j);
        iv_json_close(j);
    }
    iv_json_close(j);
}

void iv_vega_picture(iv_json *j, const iv_plot *p, size_t panel, size_t number)
{
    iv_json_text(j, "description", p->chart.caption);
    put_transforms(j, p, panel, number);
    put_height(j, p);
    iv_vega_layers(j, p);
}

/* The range of categories has Okabe and Ito's colours, which all readers can tell apart, the
 * clearest on white first and the yellow last. */
void iv_vega_config(iv_json *j)
{
#define FONTS "'labelColor': '#333333', 'titleColor': '#333333', 'titleFontWeight': 'normal', " \
    "'labelFontSize': 12, 'titleFontSize': 12, "
    iv_json_object(j, "config");
    iv_json_put(j, NULL, "'background': 'white', 'font': %s, 'view': {'stroke': null}, "
                "'axis': {" FONTS "'gridColor': '#e4e4e4', 'domainColor': '#888888', "
                "'tickColor': '#888888'}, 'axisQuantitative': {'tickCount': 8}, "
                "'legend': {" FONTS "'orient': 'top', 'symbolLimit': 24, 'symbolOpacity': 1, "
                "'columns': 5}, "
                "'title': {'anchor': 'start', 'color': '#111111', 'fontSize': 14, 'offset': 8}, "
                "'mark': {'color': '#0072B2'}, 'rule': {'color': '#0072B2'}, "
                "'text': {'color': '#333333'}",
                "system-ui, 'Liberation Sans', 'DejaVu Sans', sans-serif");
    iv_json_object(j, "range");
    iv_json_put(j, "category", "['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', "
                "'#56B4E9', '#666666', '#B8A800']");
    iv_json_close(j);
    iv_json_close(j);
}

/* --------------------------------------------------------------- the format -- */

static bool in_panel(const iv_plot *p, size_t row, size_t panel)
{
    const iv_column *column = iv_plot_column(p, IV_ROLE_PANEL);

    if (p->panels.count < 2 || column->kind != IV_TEXT) /* the filter tells */
        return true;
    return iv_str_cmp(iv_table_cell(p->table, row, p->at[IV_ROLE_PANEL]).text,
                      p->panels.names[panel]) == 0;
}

/* The rows and columns that a chart takes, in the specification itself. */
static void put_values(iv_json *j, const iv_plot *p, size_t panel)
{
    const iv_column *columns;
    char number[IV_CELL_SIZE];

    (void)iv_table_columns(&columns, p->table);
    iv_json_object(j, "data");
    iv_json_array(j, "values");
    for (size_t row = 0; row < iv_table_rows(p->table); row++) {
        if (!iv_plot_takes(p, row) || !in_panel(p, row, panel))
            continue;
        iv_json_put(j, NULL, "{");
        for (iv_role r = IV_ROLE_LABEL; r < IV_ROLE_WHERE; r++) {
            const size_t c = p->at[r];
            bool again = c == SIZE_MAX;
            for (iv_role before = IV_ROLE_LABEL; before < r; before++)
                again = again || p->at[before] == c;
            if (again)
                continue;
            const iv_cell cell = iv_table_cell(p->table, row, c);
            if (cell.missing)
                iv_json_null(j, columns[c].name);
            else if (columns[c].kind == IV_TEXT)
                iv_json_shown(j, columns[c].name, cell.text);
            else {
                iv_json_key(j, columns[c].name);
                fputs(iv_cell_exact(number, &columns[c], cell), j->out);
            }
        }
        iv_json_close(j);
    }
    iv_json_close(j);
    iv_json_close(j);
}

/* The title of a picture, with its panel. */
static void put_title(iv_json *j, const iv_plot *p, size_t panel)
{
    if (p->panels.count < 2) {
        iv_json_text(j, "title", p->chart.title);
        return;
    }
    iv_json_object(j, "title");
    iv_json_text(j, "text", p->chart.title);
    iv_json_shown(j, "subtitle", p->panels.names[panel]);
    iv_json_close(j);
}

static void put_picture(iv_json *j, const iv_plots *all, size_t i, size_t panel)
{
    put_title(j, &all->at[i], panel);
    iv_json_int(j, "width", 600);
    put_values(j, &all->at[i], panel);
    iv_vega_picture(j, &all->at[i], panel, i);
}

int iv_render_vega(FILE *out, const iv_report_view *view, iv_err *err)
{
    iv_json j = { .out = out };
    iv_plots all;
    size_t pictures = 0;
    IV_TRY(iv_plots_collect(&all, view, err));
    for (size_t i = 0; i < all.count; i++)
        pictures += iv_plot_pictures(&all.at[i]);
    if (pictures == 0) {
        iv_plots_free(&all);
        return iv_fail(err, IV_ENODATA, "the result has no chart%s",
                       view->options->table != NULL ? " of that table" : "");
    }
    iv_json_object(&j, NULL);
    iv_json_text(&j, "$schema", IV_VEGA_SCHEMA);
    iv_vega_choice(&j, &all, 0, all.count);
    if (pictures > 1)
        iv_json_array(&j, "vconcat");
    for (size_t i = 0; i < all.count; i++) {
        for (size_t k = 0; k < iv_plot_pictures(&all.at[i]); k++) {
            if (pictures > 1)
                iv_json_object(&j, NULL);
            put_picture(&j, &all, i, k);
            if (pictures > 1)
                iv_json_close(&j);
        }
    }
    if (pictures > 1) {
        iv_json_close(&j);
        iv_json_put(&j, "resolve", "{'scale': {'color': 'independent', 'shape': 'independent', "
                    "'strokeDash': 'independent'}}");
    }
    iv_vega_config(&j);
    iv_json_close(&j);
    putc('\n', out);
    iv_plots_free(&all);
    return IV_OK;
}
