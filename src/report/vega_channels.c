/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report_parts.h"

#include <string.h>

const char *iv_vega_field(char out[IV_FIELD_SIZE], const char *name)
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

void iv_vega_word(iv_json *j, const char *key, const iv_column *column, iv_str word)
{
    if (column->kind == IV_TEXT) {
        iv_json_shown(j, key, word);
        return;
    }
    iv_json_key(j, key);
    fwrite(word.ptr, 1, word.len, j->out);
}

void iv_vega_put_field(iv_json *j, const char *name)
{
    char field[IV_FIELD_SIZE];

    iv_json_text(j, "field", iv_vega_field(field, name));
}

/* d3's way to say so many digits; how: behind their number. */
static const char *format_of(char out[16], const iv_column *column, const char *how)
{
    const int digits = column->kind == IV_INTEGER ? 0 : column->digits;

    if (column->kind == IV_TEXT || digits < 0)
        return NULL;
    (void)snprintf(out, 16, ".%d%s", digits > 17 ? 17 : digits, how);
    return out;
}

void iv_vega_tooltip(iv_json *j, const iv_plot *p)
{
    char format[16];

    iv_json_array(j, "tooltip");
    for (iv_role r = IV_ROLE_LABEL; r < IV_ROLE_WHERE; r++) {
        const iv_column *column = iv_plot_column(p, r);
        if (column == NULL)
            continue;
        iv_json_flat_object(j, NULL);
        iv_vega_put_field(j, column->name);
        iv_json_text(j, "type", column->kind == IV_TEXT ? "nominal" : "quantitative");
        iv_json_text(j, "title", column->name);
        if (format_of(format, column, "f") != NULL)
            iv_json_text(j, "format", format);
        iv_json_close(j);
    }
    iv_json_close(j);
}

/* ----------------------------------------------------------------- numbers -- */

/* A scale that begins where the axis says, or where the data do. */
static void put_scale(iv_json *j, const iv_axis *axis, bool zero)
{
    iv_json_flat_object(j, "scale");
    if (axis->log)
        iv_json_text(j, "type", "log");
    else
        iv_json_bool(j, "zero", zero);
    if (axis->to > axis->from) {
        iv_json_flat_array(j, "domain");
        iv_json_real(j, NULL, axis->from);
        iv_json_real(j, NULL, axis->to);
        iv_json_close(j);
        iv_json_bool(j, "nice", false);
    } else {
        iv_json_bool(j, "nice", true);
    }
    iv_json_close(j);
}

/* Whole numbers get whole ticks; of a logarithmic grid the powers of ten stand out. */
static void put_ticks(iv_json *j, const iv_column *column, const iv_axis *axis)
{
    const bool whole = column->kind == IV_INTEGER;

    if (!whole && !axis->log)
        return;
    iv_json_flat_object(j, "axis");
    if (whole) {
        iv_json_text(j, "format", ",d");
        iv_json_int(j, "tickMinStep", 1);
    }
    if (axis->log) {
        iv_json_flat_object(j, "gridOpacity");
        iv_json_flat_object(j, "condition");
        iv_json_text(j, "test", "abs(log(datum.value) / LN10 - "
                     "round(log(datum.value) / LN10)) < 1e-9");
        iv_json_int(j, "value", 1);
        iv_json_close(j);
        iv_json_real(j, "value", 0.3);
        iv_json_close(j);
    }
    iv_json_close(j);
}

static void put_measured(iv_json *j, const iv_column *column, const iv_column *main,
                         const iv_axis *axis, bool zero)
{
    iv_vega_put_field(j, column->name);
    iv_json_text(j, "type", "quantitative");
    iv_json_text(j, "title", axis->title != NULL ? axis->title : main->name);
    put_ticks(j, main, axis);
    put_scale(j, axis, zero);
}

void iv_vega_numbers(iv_json *j, const char *channel, const iv_column *column,
                     const iv_column *main, const iv_axis *axis, bool zero)
{
    iv_json_object(j, channel);
    put_measured(j, column, main, axis, zero);
    iv_json_close(j);
}

void iv_vega_upright(iv_json *j, const iv_column *column, const iv_axis *axis)
{
    iv_json_object(j, "y");
    put_measured(j, column, column, axis, true);
    iv_json_null(j, "stack");
    iv_json_close(j);
}

void iv_vega_second(iv_json *j, const char *channel, const iv_column *column)
{
    iv_json_flat_object(j, channel);
    iv_vega_put_field(j, column->name);
    iv_json_close(j);
}

/* ------------------------------------------------------------------ groups -- */

/* No legend for one group; numbers rounded; lines shown as lines. */
static void put_legend(iv_json *j, const iv_plot *p, const iv_column *group)
{
    char format[16], text[64];

    if (p->most_groups < 2) {
        iv_json_null(j, "legend");
        return;
    }
    iv_json_flat_object(j, "legend");
    if (p->chart.kind == IV_CHART_CURVES) {
        iv_json_text(j, "symbolType", "stroke");
        iv_json_int(j, "symbolStrokeWidth", 2);
        iv_json_int(j, "symbolSize", 500);
    }
    if (format_of(format, group, "~f") != NULL) {
        (void)snprintf(text, sizeof text, "format(datum.value, '%s')", format);
        iv_json_text(j, "labelExpr", text);
    }
    iv_json_close(j);
}

/* Dashes that differ at a glance; Vega-Lite's own get faint from the fourth. */
static void put_dashes(iv_json *j)
{
    static const int dashes[IV_MOST_SHAPES][4] = {
        { 1, 0, 0, 0 }, { 7, 3, 0, 0 }, { 2, 2, 0, 0 }, { 9, 3, 2, 3 }, { 14, 4, 0, 0 },
        { 4, 2, 1, 2 } };

    iv_json_flat_object(j, "scale");
    iv_json_flat_array(j, "range");
    for (size_t i = 0; i < IV_MOST_SHAPES; i++) {
        iv_json_flat_array(j, NULL);
        for (size_t k = 0; k < 4 && (k < 2 || dashes[i][k] > 0); k++)
            iv_json_int(j, NULL, dashes[i][k]);
        iv_json_close(j);
    }
    iv_json_close(j);
    iv_json_close(j);
}

void iv_vega_groups(iv_json *j, const iv_plot *p, const char *also)
{
    const iv_column *group = iv_plot_column(p, IV_ROLE_GROUP);
    const bool few = p->most_groups <= IV_MOST_COLOURS;
    const bool shades = !few && group != NULL && group->kind != IV_TEXT;
    const char *const channels[] = { few || shades ? "color" : "detail",
                                     p->most_groups <= IV_MOST_SHAPES ? also : NULL };

    if (group == NULL)
        return;
    for (size_t i = 0; i < 2 && channels[i] != NULL; i++) {
        iv_json_flat_object(j, channels[i]);
        iv_vega_put_field(j, group->name);
        iv_json_text(j, "type", shades ? "ordinal" : "nominal");
        iv_json_null(j, "sort");
        iv_json_text(j, "title", group->name);
        if (i == 1 && strcmp(also, "strokeDash") == 0)
            put_dashes(j);
        if (shades) { /* many numbers in order: from dark to light, not to yellow */
            iv_json_flat_object(j, "scale");
            iv_json_flat_object(j, "scheme");
            iv_json_text(j, "name", "viridis");
            iv_json_flat_array(j, "extent");
            iv_json_real(j, NULL, 0.0);
            iv_json_real(j, NULL, 0.9);
            iv_json_close(j);
            iv_json_close(j);
            iv_json_close(j);
        }
        if (few || shades)
            put_legend(j, p, group);
        iv_json_close(j);
    }
}
