/* SPDX-License-Identifier: Apache-2.0 */
/* Charts as Vega-Lite, for notebooks and papers; and what the page shares. */
#include "report/report_parts.h"

#include <string.h>

#include "base/charconv.h"
#include "base/memory.h"
#include "base/base_private.h"

/*
 * Okabe and Ito's colours, which all readers can tell apart, the clearest on
 * white first and the yellow last.
 */
static const char *const palette[] = { "#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                       "#E69F00", "#56B4E9", "#666666", "#B8A800" };

/* Joins both texts of a forest's label. */
static void put_both(iv_json *j, const iv_plot *p)
{
    char a[IV_FIELD_SIZE], b[IV_FIELD_SIZE], text[3 * IV_FIELD_SIZE];

    (void)iv_vega_field(a, iv_plot_column(p, IV_ROLE_LABEL)->name);
    (void)iv_vega_field(b, iv_plot_column(p, IV_ROLE_AGAINST)->name);
    (void)snprintf(text, sizeof text, "datum['%s'] + ' · ' + datum['%s']", a, b);
    iv_json_flat_object(j, NULL);
    iv_json_text(j, "calculate", text);
    iv_json_text(j, "as", iv_vega_both);
    iv_json_close(j);
}

static const char *level_text(char out[IV_REAL_SIZE], const iv_plot *p, size_t i)
{
    (void)iv_format_real(out, p->chart.levels[i]);
    return out;
}

/* Between which levels a matrix's value lies, in words, for a legend of them. */
static void put_bands(iv_json *j, const iv_plot *p)
{
    const size_t levels = iv_vega_levels(p);
    char field[IV_FIELD_SIZE], name[IV_BAND_SIZE], level[IV_REAL_SIZE];
    char text[IV_CHART_LEVELS * (IV_FIELD_SIZE + IV_BAND_SIZE + IV_REAL_SIZE) + 100] = "";
    size_t used = 0;

    (void)iv_vega_field(field, iv_plot_column(p, IV_ROLE_VALUE)->name);
    iv_json_flat_object(j, NULL);
    iv_json_flat_object(j, "filter");
    iv_json_text(j, "field", field);
    iv_json_bool(j, "valid", true);
    iv_json_close(j);
    iv_json_close(j);
    for (size_t i = 0; i < levels && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "datum['%s'] < %s ? '%s' : ",
                                 field, level_text(level, p, i), iv_vega_band(name, p, i));
    if (used < sizeof text)
        (void)snprintf(text + used, sizeof text - used, "'%s'", iv_vega_band(name, p, levels));
    iv_json_flat_object(j, NULL);
    iv_json_text(j, "calculate", text);
    iv_json_text(j, "as", iv_vega_banded);
    iv_json_close(j);
}

/* Opens a filter on a column's text up to what it must be. */
static void begin_filter(iv_json *j, const iv_column *column)
{
    char field[IV_FIELD_SIZE];

    iv_json_flat_object(j, NULL);
    iv_json_flat_object(j, "filter");
    iv_json_text(j, "field", iv_vega_field(field, column->name));
}

static void put_transforms(iv_json *j, const iv_plot *p, size_t panel, size_t number)
{
    char name[32];

    iv_json_array(j, "transform");
    if (p->panels.count > 1) {
        begin_filter(j, iv_plot_column(p, IV_ROLE_PANEL));
        iv_vega_word(j, "equal", iv_plot_column(p, IV_ROLE_PANEL), p->panels.names[panel]);
        iv_json_close(j);
        iv_json_close(j);
    }
    if (p->pages.count > 1) {
        begin_filter(j, iv_plot_column(p, IV_ROLE_PAGE));
        (void)snprintf(name, sizeof name, "page_%zu", number);
        iv_json_flat_object(j, "equal");
        iv_json_text(j, "expr", name);
        iv_json_close(j);
        iv_json_close(j);
        iv_json_close(j);
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
        iv_json_text(j, "input", "select");
        iv_json_text(j, "name", label);
        iv_json_flat_array(j, "options");
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

static void put_fonts(iv_json *j, const char *member, bool left)
{
    iv_json_flat_object(j, member);
    iv_json_text(j, "labelColor", "#333333");
    iv_json_text(j, "titleColor", "#333333");
    iv_json_text(j, "titleFontWeight", "normal");
    iv_json_int(j, "labelFontSize", 12);
    iv_json_int(j, "titleFontSize", 12);
    if (left) {
        iv_json_text(j, "orient", "top");
        iv_json_int(j, "symbolLimit", 24);
        iv_json_int(j, "symbolOpacity", 1);
        iv_json_int(j, "columns", 5);
    } else {
        iv_json_text(j, "gridColor", "#e4e4e4");
        iv_json_text(j, "domainColor", "#888888");
        iv_json_text(j, "tickColor", "#888888");
    }
    iv_json_close(j);
}

void iv_vega_config(iv_json *j)
{
    iv_json_object(j, "config");
    iv_json_text(j, "background", "white");
    iv_json_text(j, "font", "system-ui, 'Liberation Sans', 'DejaVu Sans', sans-serif");
    iv_json_flat_object(j, "view");
    iv_json_null(j, "stroke");
    iv_json_close(j);
    put_fonts(j, "axis", false);
    iv_json_flat_object(j, "axisQuantitative");
    iv_json_int(j, "tickCount", 8);
    iv_json_close(j);
    put_fonts(j, "legend", true);
    iv_json_flat_object(j, "title");
    iv_json_text(j, "anchor", "start");
    iv_json_text(j, "color", "#111111");
    iv_json_int(j, "fontSize", 14);
    iv_json_int(j, "offset", 8);
    iv_json_close(j);
    iv_json_flat_object(j, "mark");
    iv_json_text(j, "color", palette[0]);
    iv_json_close(j);
    iv_json_flat_object(j, "rule");
    iv_json_text(j, "color", palette[0]);
    iv_json_close(j);
    iv_json_flat_object(j, "text");
    iv_json_text(j, "color", "#333333");
    iv_json_close(j);
    iv_json_object(j, "range");
    iv_json_flat_array(j, "category");
    for (size_t i = 0; i < sizeof palette / sizeof *palette; i++)
        iv_json_text(j, NULL, palette[i]);
    iv_json_close(j);
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
        iv_json_flat_object(j, NULL);
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
        pictures += all.at[i].panels.count > 1 ? all.at[i].panels.count : 1;
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
        const size_t panels = all.at[i].panels.count > 1 ? all.at[i].panels.count : 1;
        for (size_t k = 0; k < panels; k++) {
            if (pictures > 1)
                iv_json_object(&j, NULL);
            put_picture(&j, &all, i, k);
            if (pictures > 1)
                iv_json_close(&j);
        }
    }
    if (pictures > 1) {
        iv_json_close(&j);
        iv_json_flat_object(&j, "resolve");
        iv_json_flat_object(&j, "scale");
        iv_json_text(&j, "color", "independent");
        iv_json_text(&j, "shape", "independent");
        iv_json_text(&j, "strokeDash", "independent");
        iv_json_close(&j);
        iv_json_close(&j);
    }
    iv_vega_config(&j);
    iv_json_close(&j);
    putc('\n', out);
    iv_plots_free(&all);
    return IV_OK;
}
