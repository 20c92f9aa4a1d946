/* SPDX-License-Identifier: Apache-2.0 */
/* What each kind of chart draws, layer by layer. */
#include <string.h>

#include "report/vega.h"

/* The accents; all others come from the palette in iv_vega_config(). */
static const char colour_low[] = "#D55E00", colour_line[] = "#D55E00";

enum {
    MOST_COLOURS = 8,  /* groups that the palette can tell apart */
    MOST_SHAPES = 6,   /* groups that dashes and shapes can tell apart */
    FEW_LABELS = 40,   /* bars with room for their names */
    MOST_ORDERED = 2000, /* labels of a matrix, listed in their order */
    FEW_POINTS = 60    /* points of a curve that are worth a dot each */
};

const char iv_vega_both[] = "_label";

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

static void put_field(iv_json *j, const char *name)
{
    char field[IV_FIELD_SIZE];

    iv_json_text(j, "field", iv_vega_field(field, name));
}

/* d3's way to say so many digits. */
static void put_digits(iv_json *j, const iv_column *column)
{
    char format[16];

    if (column->kind == IV_TEXT || column->digits < 0)
        return;
    const int digits = column->kind == IV_INTEGER ? 0 : column->digits;
    (void)snprintf(format, sizeof format, ".%d%s", digits > 17 ? 17 : digits, "f");
    iv_json_text(j, "format", format);
}

static void put_tooltip(iv_json *j, const iv_plot *p)
{
    iv_json_array(j, "tooltip");
    for (iv_role r = IV_ROLE_LABEL; r < IV_ROLE_WHERE; r++) {
        const iv_column *column = iv_plot_column(p, r);
        if (column == NULL)
            continue;
        iv_json_flat_object(j, NULL);
        put_field(j, column->name);
        iv_json_text(j, "type", column->kind == IV_TEXT ? "nominal" : "quantitative");
        iv_json_text(j, "title", column->name);
        put_digits(j, column);
        iv_json_close(j);
    }
    iv_json_close(j);
}

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

/* A channel of numbers; main is the column that gives the axis its title. */
static void put_numbers(iv_json *j, const char *channel, const iv_column *column,
                        const iv_column *main, const iv_axis *axis, bool zero)
{
    iv_json_object(j, channel);
    put_field(j, column->name);
    iv_json_text(j, "type", "quantitative");
    iv_json_text(j, "title", axis->title != NULL ? axis->title : main->name);
    put_scale(j, axis, zero);
    iv_json_close(j);
}

static void put_second(iv_json *j, const char *channel, const iv_column *column)
{
    iv_json_flat_object(j, channel);
    put_field(j, column->name);
    iv_json_close(j);
}

/* Groups by colour and, where that is possible, by another channel. */
static void put_groups(iv_json *j, const iv_plot *p, const char *also)
{
    const iv_column *group = iv_plot_column(p, IV_ROLE_GROUP);
    const char *const channels[] = { p->groups.count <= MOST_COLOURS ? "color" : "detail",
                                     p->groups.count <= MOST_SHAPES ? also : NULL };

    if (group == NULL)
        return;
    for (size_t i = 0; i < 2 && channels[i] != NULL; i++) {
        iv_json_flat_object(j, channels[i]);
        put_field(j, group->name);
        iv_json_text(j, "type", "nominal");
        iv_json_null(j, "sort");
        iv_json_text(j, "title", group->name);
        iv_json_close(j);
    }
}

/* Opens a layer up to its encoding; iv_json_close() twice ends it. */
static void begin_layer(iv_json *j, const char *mark)
{
    iv_json_object(j, NULL);
    iv_json_flat_object(j, "mark");
    iv_json_text(j, "type", mark);
}

static void begin_encoding(iv_json *j)
{
    iv_json_close(j);
    iv_json_object(j, "encoding");
}

/* Leaves out rows that have no interval: a missing end would be drawn as 0. */
static void begin_spans(iv_json *j, const iv_plot *p)
{
    iv_json_close(j); /* the mark */
    if (p->gaps) {
        iv_json_array(j, "transform");
        for (iv_role r = IV_ROLE_LOWER; r <= IV_ROLE_UPPER; r++) {
            iv_json_flat_object(j, NULL);
            iv_json_flat_object(j, "filter");
            put_field(j, iv_plot_column(p, r)->name);
            iv_json_bool(j, "valid", true);
            iv_json_close(j);
            iv_json_close(j);
        }
        iv_json_close(j);
    }
    iv_json_object(j, "encoding");
}

static void end_layer(iv_json *j)
{
    iv_json_close(j);
    iv_json_close(j);
}

/* ------------------------------------------------------ forest, bars, matrix -- */

/* In which order labels come. */
static void put_order(iv_json *j, const iv_plot *p, iv_role role, bool sorted)
{
    const iv_column *value = iv_plot_column(p, IV_ROLE_VALUE);
    const iv_ids *labels = role == IV_ROLE_LABEL ? &p->down : &p->across;

    if (sorted && value != NULL) {
        iv_json_flat_object(j, "sort");
        put_field(j, value->name);
        iv_json_text(j, "op", "max");
        iv_json_text(j, "order", "descending");
        iv_json_close(j);
    } else if (p->chart.kind == IV_CHART_MATRIX && labels->count <= MOST_ORDERED) {
        /* Said in full: with a value missing, the data would tell another. */
        iv_json_flat_array(j, "sort");
        for (size_t i = 0; i < labels->count; i++)
            iv_vega_word(j, NULL, iv_plot_column(p, role), labels->names[i]);
        iv_json_close(j);
    } else {
        iv_json_null(j, "sort");
    }
}

/* The channel of labels; sorted by the value, or as in the table. */
static void put_labels(iv_json *j, const char *channel, const iv_plot *p, iv_role role,
                       bool sorted, bool shown)
{
    const bool both = p->chart.kind == IV_CHART_FOREST && p->at[IV_ROLE_AGAINST] != SIZE_MAX;
    const bool bars = p->chart.kind == IV_CHART_BARS;
    const bool matrix = p->chart.kind == IV_CHART_MATRIX;

    iv_json_object(j, channel);
    put_field(j, both ? iv_vega_both : iv_plot_column(p, role)->name);
    iv_json_text(j, "type", "nominal");
    put_order(j, p, role, sorted);
    /* Beside long labels there is no room for a title, and no need. */
    iv_json_text(j, "title", channel[0] == 'x' ? iv_plot_column(p, role)->name : NULL);
    iv_json_flat_object(j, "axis");
    iv_json_bool(j, "ticks", false);
    iv_json_bool(j, "domain", bars);
    iv_json_bool(j, "labels", shown);
    iv_json_bool(j, "labelOverlap", !shown || matrix || p->lines > 150);
    iv_json_close(j);
    iv_json_close(j);
}

static void forest(iv_json *j, const iv_plot *p)
{
    const iv_axis *axis = &p->chart.value_axis;
    const iv_column *value = iv_plot_column(p, IV_ROLE_VALUE);
    const iv_column *lower = iv_plot_column(p, IV_ROLE_LOWER);
    const iv_column *main = value != NULL ? value : lower;
    const bool many = p->lines > FEW_LABELS;

    /* The points first: they are never missing, and tell the order of labels. */
    if (value != NULL) {
        begin_layer(j, "point");
        iv_json_bool(j, "filled", true);
        iv_json_real(j, "opacity", 1.0);
        iv_json_real(j, "size", p->lines > 250 ? 12.0 : many ? 35.0 : 70.0);
        begin_encoding(j);
        put_labels(j, "y", p, IV_ROLE_LABEL, p->chart.sorted, p->lines <= 400);
        put_numbers(j, "x", value, main, axis, false);
        put_groups(j, p, "shape");
        put_tooltip(j, p);
        end_layer(j);
    }
    begin_layer(j, "rule");
    iv_json_real(j, "strokeWidth", p->lines > 250 ? 1.0 : many ? 1.5 : 2.5);
    iv_json_real(j, "opacity", 0.75);
    begin_spans(j, p);
    put_labels(j, "y", p, IV_ROLE_LABEL, p->chart.sorted, p->lines <= 400);
    put_numbers(j, "x", lower, main, axis, false);
    put_second(j, "x2", iv_plot_column(p, IV_ROLE_UPPER));
    put_groups(j, p, NULL);
    put_tooltip(j, p);
    end_layer(j);
}

static void bars(iv_json *j, const iv_plot *p)
{
    const iv_column *value = iv_plot_column(p, IV_ROLE_VALUE);
    char field[IV_FIELD_SIZE];

    begin_layer(j, "bar");
    begin_encoding(j);
    put_labels(j, "x", p, IV_ROLE_LABEL, true, p->lines <= FEW_LABELS);
    put_numbers(j, "y", value, value, &p->chart.value_axis, true);
    if (p->at[IV_ROLE_GROUP] != SIZE_MAX) {
        put_groups(j, p, NULL);
    } else if (p->below_zero && p->above_zero) {
        iv_json_object(j, "color");
        iv_json_object(j, "condition");
        iv_json_flat_object(j, "test");
        iv_json_text(j, "field", iv_vega_field(field, value->name));
        iv_json_real(j, "lt", 0.0);
        iv_json_close(j);
        iv_json_text(j, "value", colour_low);
        iv_json_close(j);
        iv_json_text(j, "value", "#0072B2");
        iv_json_close(j);
    }
    put_tooltip(j, p);
    end_layer(j);
}

static void matrix(iv_json *j, const iv_plot *p)
{
    const iv_column *value = iv_plot_column(p, IV_ROLE_VALUE);
    const iv_axis *axis = &p->chart.value_axis;
    const bool both = p->below_zero && p->above_zero;

    begin_layer(j, "rect");
    begin_encoding(j);
    put_labels(j, "y", p, IV_ROLE_LABEL, false, true);
    put_labels(j, "x", p, IV_ROLE_AGAINST, false, true);
    iv_json_object(j, "color");
    put_field(j, value->name);
    iv_json_text(j, "type", "quantitative");
    iv_json_text(j, "title", axis->title != NULL ? axis->title : value->name);
    iv_json_flat_object(j, "scale");
    iv_json_text(j, "scheme", both ? "blueorange" : "viridis");
    if (both)
        iv_json_real(j, "domainMid", 0.0);
    if (axis->log)
        iv_json_text(j, "type", "symlog");
    if (axis->to > axis->from) {
        iv_json_flat_array(j, "domain");
        iv_json_real(j, NULL, axis->from);
        iv_json_real(j, NULL, axis->to);
        iv_json_close(j);
    }
    iv_json_close(j);
    iv_json_close(j);
    put_tooltip(j, p);
    end_layer(j);
}

/* ------------------------------------------------- curves, points, densities -- */

static void put_x(iv_json *j, const iv_plot *p)
{
    const iv_column *x = iv_plot_column(p, IV_ROLE_X);

    put_numbers(j, "x", x, x, &p->chart.x_axis, false);
}

/* The span from lower to upper, as a band or as bars. */
static void put_spans(iv_json *j, const iv_plot *p, const char *mark, double opacity,
                      bool zero)
{
    const iv_column *lower = iv_plot_column(p, IV_ROLE_LOWER);

    if (lower == NULL)
        return;
    begin_layer(j, mark);
    iv_json_real(j, "opacity", opacity);
    begin_spans(j, p);
    put_x(j, p);
    put_numbers(j, "y", lower, iv_plot_column(p, IV_ROLE_VALUE), &p->chart.value_axis, zero);
    put_second(j, "y2", iv_plot_column(p, IV_ROLE_UPPER));
    put_groups(j, p, NULL);
    end_layer(j);
}

static void curves(iv_json *j, const iv_plot *p)
{
    const iv_column *value = iv_plot_column(p, IV_ROLE_VALUE);
    const size_t each = p->rows / (p->groups.count + !p->groups.count)
        / (p->pages.count + !p->pages.count) / (p->panels.count + !p->panels.count);

    put_spans(j, p, "area", 0.18, false);
    begin_layer(j, "line");
    iv_json_bool(j, "point", each <= FEW_POINTS);
    iv_json_real(j, "strokeWidth", p->groups.count > MOST_COLOURS ? 1.0 : 2.0);
    begin_encoding(j);
    put_x(j, p);
    put_numbers(j, "y", value, value, &p->chart.value_axis, false);
    put_groups(j, p, "strokeDash");
    put_tooltip(j, p);
    end_layer(j);
}

static void points(iv_json *j, const iv_plot *p)
{
    const iv_column *value = iv_plot_column(p, IV_ROLE_VALUE);

    put_spans(j, p, "rule", 0.6, false);
    begin_layer(j, "point");
    iv_json_bool(j, "filled", true);
    iv_json_real(j, "size", p->rows > 500 ? 20.0 : 50.0);
    begin_encoding(j);
    put_x(j, p);
    put_numbers(j, "y", value, value, &p->chart.value_axis, false);
    put_groups(j, p, "shape");
    put_tooltip(j, p);
    end_layer(j);
}

/* Keeps the points of a density whose x is in its interval. */
static void put_inside(iv_json *j, const iv_plot *p)
{
    static const iv_role roles[] = { IV_ROLE_X, IV_ROLE_LOWER, IV_ROLE_UPPER };
    char at[3][IV_FIELD_SIZE], test[5 * IV_FIELD_SIZE];

    for (size_t i = 0; i < 3; i++)
        (void)iv_vega_field(at[i], iv_plot_column(p, roles[i])->name);
    (void)snprintf(test, sizeof test,
                   "datum['%s'] >= datum['%s'] && datum['%s'] <= datum['%s']", at[0], at[1],
                   at[0], at[2]);
    iv_json_array(j, "transform");
    iv_json_flat_object(j, NULL);
    iv_json_text(j, "filter", test);
    iv_json_close(j);
    iv_json_close(j);
}

static void density(iv_json *j, const iv_plot *p)
{
    const iv_column *value = iv_plot_column(p, IV_ROLE_VALUE);
    const bool span = p->at[IV_ROLE_LOWER] != SIZE_MAX;

    for (int inner = 0; inner <= span; inner++) {
        begin_layer(j, "area");
        iv_json_real(j, "opacity", inner ? 0.45 : 0.22);
        iv_json_bool(j, "line", !inner);
        iv_json_close(j); /* the mark */
        if (inner)
            put_inside(j, p);
        iv_json_object(j, "encoding");
        put_x(j, p);
        iv_json_object(j, "y");
        put_field(j, value->name);
        iv_json_text(j, "type", "quantitative");
        iv_json_null(j, "stack");
        iv_json_text(j, "title", p->chart.value_axis.title != NULL
                     ? p->chart.value_axis.title : value->name);
        iv_json_close(j);
        put_groups(j, p, NULL);
        if (!inner)
            put_tooltip(j, p);
        end_layer(j);
    }
}

/* ----------------------------------------------------------- lines over all -- */

static void put_one_row(iv_json *j)
{
    iv_json_flat_object(j, "data");
    iv_json_flat_array(j, "values");
    iv_json_flat_object(j, NULL);
    iv_json_close(j);
    iv_json_close(j);
    iv_json_close(j);
}

static void put_datum(iv_json *j, const char *channel, double at)
{
    iv_json_flat_object(j, channel);
    iv_json_real(j, "datum", at);
    iv_json_text(j, "type", "quantitative");
    iv_json_close(j);
}

static void put_constant(iv_json *j, const char *channel, const char *text, double number)
{
    iv_json_flat_object(j, channel);
    if (text != NULL)
        iv_json_text(j, "value", text);
    else
        iv_json_real(j, "value", number);
    iv_json_close(j);
}

/* A line to compare with, and its name at its end. */
static void put_line(iv_json *j, const iv_chart_line *line, bool upright)
{
    iv_json_object(j, NULL);
    put_one_row(j);
    iv_json_flat_object(j, "mark");
    iv_json_text(j, "type", "rule");
    iv_json_text(j, "color", colour_line);
    iv_json_flat_array(j, "strokeDash");
    iv_json_int(j, NULL, 5);
    iv_json_int(j, NULL, 3);
    iv_json_close(j);
    begin_encoding(j);
    put_datum(j, upright ? "x" : "y", line->at);
    put_constant(j, "tooltip", line->text, 0.0);
    end_layer(j);

    iv_json_object(j, NULL);
    put_one_row(j);
    iv_json_flat_object(j, "mark");
    iv_json_text(j, "type", "text");
    iv_json_text(j, "align", upright ? "center" : "right");
    iv_json_text(j, "baseline", "bottom");
    iv_json_int(j, "dy", upright ? -2 : -3);
    begin_encoding(j);
    put_datum(j, upright ? "x" : "y", line->at);
    put_constant(j, upright ? "y" : "x", upright ? NULL : "width", 0.0);
    put_constant(j, "text", line->text, 0.0);
    end_layer(j);
}

/* Where x and value are equal, as far as both axes reach. */
static void put_diagonal(iv_json *j, const iv_axis *x, const iv_axis *y)
{
    const double from = x->from > y->from ? x->from : y->from;
    const double to = x->to < y->to ? x->to : y->to;

    if (!(to > from))
        return;
    iv_json_object(j, NULL);
    iv_json_object(j, "data");
    iv_json_flat_array(j, "values");
    for (int end = 0; end < 2; end++) {
        iv_json_flat_object(j, NULL);
        iv_json_real(j, "at", end ? to : from);
        iv_json_close(j);
    }
    iv_json_close(j);
    iv_json_close(j);
    iv_json_flat_object(j, "mark");
    iv_json_text(j, "type", "line");
    iv_json_text(j, "color", "#888888");
    iv_json_real(j, "strokeWidth", 1.0);
    begin_encoding(j);
    for (int end = 0; end < 2; end++) {
        iv_json_flat_object(j, end ? "y" : "x");
        iv_json_text(j, "field", "at");
        iv_json_text(j, "type", "quantitative");
        iv_json_close(j);
    }
    end_layer(j);
}

void iv_vega_layers(iv_json *j, const iv_plot *p)
{
    static void (*const draw[])(iv_json *, const iv_plot *) = {
        [IV_CHART_FOREST] = forest, [IV_CHART_BARS] = bars, [IV_CHART_CURVES] = curves,
        [IV_CHART_POINTS] = points, [IV_CHART_DENSITY] = density,
        [IV_CHART_MATRIX] = matrix };
    const iv_chart *c = &p->chart;

    iv_json_array(j, "layer");
    if (c->diagonal)
        put_diagonal(j, &c->x_axis, &c->value_axis);
    draw[c->kind](j, p);
    for (size_t i = 0; i < IV_CHART_LINES && c->lines[i].text != NULL; i++)
        put_line(j, &c->lines[i], c->lines[i].upright || c->kind == IV_CHART_FOREST);
    iv_json_close(j);
}
