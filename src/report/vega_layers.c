/* SPDX-License-Identifier: Apache-2.0 */
/* What each kind of chart draws, layer by layer. */
#include <string.h>

#include "base/charconv.h"
#include "report/report_parts.h"

/* An accent; all others come from the palette in iv_vega_config(). */
static const char colour_low[] = "#D55E00";

enum {
    FEW_LABELS = 40,   /* bars with room for their names */
    MOST_ORDERED = 2000, /* labels of a matrix, listed in their order */
    FEW_NAMED = 20,    /* points with room for their names */
    FEW_POINTS = 60    /* points of a curve that are worth a dot each */
};

const char iv_vega_both[] = "_label";

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
            iv_vega_put_field(j, iv_plot_column(p, r)->name);
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
        iv_vega_put_field(j, value->name);
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

/* Is there room for the labels side by side, on a phone too? */
static bool fits_level(const iv_ids *labels)
{
    size_t longest = 0;

    for (size_t i = 0; i < labels->count; i++)
        longest = labels->names[i].len > longest ? labels->names[i].len : longest;
    return labels->count * (longest + 1) <= 40;
}

/* The channel of labels; sorted by the value, or as in the table. */
static void put_labels(iv_json *j, const char *channel, const iv_plot *p, iv_role role,
                       bool sorted, bool shown)
{
    const bool both = p->chart.kind == IV_CHART_FOREST && p->at[IV_ROLE_AGAINST] != SIZE_MAX;
    const bool bars = p->chart.kind == IV_CHART_BARS;
    const bool matrix = p->chart.kind == IV_CHART_MATRIX;

    iv_json_object(j, channel);
    iv_vega_put_field(j, both ? iv_vega_both : iv_plot_column(p, role)->name);
    iv_json_text(j, "type", "nominal");
    put_order(j, p, role, sorted);
    /* Beside long labels there is no room for a title, and no need but in a matrix. */
    const bool titled = channel[0] == 'x' || matrix;
    iv_json_text(j, "title", titled ? iv_plot_column(p, role)->name : NULL);
    iv_json_flat_object(j, "axis");
    if (matrix && channel[0] == 'y') {
        iv_json_int(j, "titleAngle", 0);
        iv_json_text(j, "titleAlign", "right");
        iv_json_int(j, "titlePadding", 10);
    }
    iv_json_bool(j, "ticks", false);
    iv_json_bool(j, "domain", bars);
    if (channel[0] == 'y' && !matrix)
        iv_json_int(j, "labelPadding", 8); /* a point may lie on the edge */
    iv_json_bool(j, "labels", shown);
    if (channel[0] == 'x' && shown)
        iv_json_int(j, "labelAngle", fits_level(matrix ? &p->across : &p->down) ? 0 : -90);
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
        iv_vega_numbers(j, "x", value, main, axis, false);
        iv_vega_groups(j, p, "shape");
        iv_vega_tooltip(j, p);
        end_layer(j);
    }
    if (lower == NULL)
        return;
    begin_layer(j, "rule");
    iv_json_real(j, "strokeWidth", p->lines > 250 ? 1.0 : many ? 1.5 : 2.5);
    iv_json_real(j, "opacity", 0.75);
    begin_spans(j, p);
    put_labels(j, "y", p, IV_ROLE_LABEL, p->chart.sorted, p->lines <= 400);
    iv_vega_numbers(j, "x", lower, main, axis, false);
    iv_vega_second(j, "x2", iv_plot_column(p, IV_ROLE_UPPER));
    iv_vega_groups(j, p, NULL);
    iv_vega_tooltip(j, p);
    end_layer(j);
}

static void bars(iv_json *j, const iv_plot *p)
{
    const iv_column *value = iv_plot_column(p, IV_ROLE_VALUE);
    char field[IV_FIELD_SIZE];

    begin_layer(j, "bar");
    begin_encoding(j);
    put_labels(j, "x", p, IV_ROLE_LABEL, true, p->lines <= FEW_LABELS);
    iv_vega_upright(j, value, &p->chart.value_axis);
    if (p->at[IV_ROLE_GROUP] != SIZE_MAX) {
        iv_vega_groups(j, p, NULL);
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
    iv_vega_tooltip(j, p);
    end_layer(j);
}

const char iv_vega_banded[] = "_band";

size_t iv_vega_levels(const iv_plot *p)
{
    size_t count = 0;

    while (count < IV_CHART_LEVELS && p->chart.levels[count] != 0.0)
        count++;
    return count;
}

const char *iv_vega_band(char out[IV_BAND_SIZE], const iv_plot *p, size_t i)
{
    char from[IV_REAL_SIZE] = "", to[IV_REAL_SIZE] = "";

    if (i > 0)
        (void)iv_format_real(from, p->chart.levels[i - 1]);
    if (i < iv_vega_levels(p))
        (void)iv_format_real(to, p->chart.levels[i]);
    (void)snprintf(out, IV_BAND_SIZE, "%s%s%s", i == 0 ? "below " : from,
                   i == 0 ? to : i == iv_vega_levels(p) ? " and above" : " to ",
                   i == 0 ? "" : to);
    return out;
}

/* A colour for each band between levels, the dark ones first. */
static void put_bands(iv_json *j, const iv_plot *p)
{
    static const char *const colours[IV_CHART_LEVELS + 1] = { "#08306b", "#2f79b9", "#9ecae1",
                                                              "#eeeeee" };
    const size_t levels = iv_vega_levels(p);
    char name[IV_BAND_SIZE];

    iv_vega_put_field(j, iv_vega_banded);
    iv_json_text(j, "type", "nominal");
    iv_json_flat_object(j, "scale");
    iv_json_flat_array(j, "domain");
    for (size_t i = 0; i <= levels; i++)
        iv_json_text(j, NULL, iv_vega_band(name, p, i));
    iv_json_close(j);
    iv_json_flat_array(j, "range");
    for (size_t i = 0; i <= levels; i++)
        iv_json_text(j, NULL, colours[i + IV_CHART_LEVELS - levels]);
    iv_json_close(j);
    iv_json_close(j);
}

/* A range of colours without steps; two that part at 0 where there are signs. */
static void put_shades(iv_json *j, const iv_plot *p)
{
    const iv_axis *axis = &p->chart.value_axis;
    const bool both = p->below_zero && p->above_zero;

    iv_vega_put_field(j, iv_plot_column(p, IV_ROLE_VALUE)->name);
    iv_json_text(j, "type", "quantitative");
    iv_json_flat_object(j, "scale");
    iv_json_text(j, "scheme", both ? "blueorange" : "viridis");
    if (both)
        iv_json_real(j, "domainMid", 0.0);
    if (axis->to > axis->from) {
        iv_json_flat_array(j, "domain");
        iv_json_real(j, NULL, axis->from);
        iv_json_real(j, NULL, axis->to);
        iv_json_close(j);
    }
    iv_json_close(j);
}

static void matrix(iv_json *j, const iv_plot *p)
{
    const iv_column *value = iv_plot_column(p, IV_ROLE_VALUE);
    const iv_axis *axis = &p->chart.value_axis;

    begin_layer(j, "rect");
    begin_encoding(j);
    put_labels(j, "y", p, IV_ROLE_LABEL, false, true);
    put_labels(j, "x", p, IV_ROLE_AGAINST, false, true);
    iv_json_object(j, "color");
    if (iv_vega_levels(p) > 0)
        put_bands(j, p);
    else
        put_shades(j, p);
    iv_json_text(j, "title", axis->title != NULL ? axis->title : value->name);
    iv_json_close(j);
    iv_vega_tooltip(j, p);
    end_layer(j);
}

/* ------------------------------------------------- curves, points, densities -- */

static void put_x(iv_json *j, const iv_plot *p)
{
    const iv_column *x = iv_plot_column(p, IV_ROLE_X);

    iv_vega_numbers(j, "x", x, x, &p->chart.x_axis, false);
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
    iv_vega_numbers(j, "y", lower, iv_plot_column(p, IV_ROLE_VALUE), &p->chart.value_axis, zero);
    iv_vega_second(j, "y2", iv_plot_column(p, IV_ROLE_UPPER));
    iv_vega_groups(j, p, NULL);
    end_layer(j);
}

static void curves(iv_json *j, const iv_plot *p)
{
    const iv_column *value = iv_plot_column(p, IV_ROLE_VALUE);
    const size_t each = p->rows / (p->groups.count + !p->groups.count)
        / (p->pages.count + !p->pages.count) / (p->panels.count + !p->panels.count);

    put_spans(j, p, "area", 0.18, false);
    begin_layer(j, "line");
    iv_json_bool(j, "point", each <= FEW_POINTS && !p->chart.stepped);
    if (p->chart.stepped)
        iv_json_text(j, "interpolate", "step-before");
    iv_json_real(j, "strokeWidth", p->most_groups > IV_MOST_COLOURS ? 1.0 : 2.0);
    begin_encoding(j);
    put_x(j, p);
    iv_vega_numbers(j, "y", value, value, &p->chart.value_axis, false);
    iv_vega_groups(j, p, "strokeDash");
    iv_vega_tooltip(j, p);
    end_layer(j);
}

/* The names of a few points, beside them. */
static void put_names(iv_json *j, const iv_plot *p)
{
    const iv_column *value = iv_plot_column(p, IV_ROLE_VALUE);

    begin_layer(j, "text");
    iv_json_text(j, "align", "left");
    iv_json_int(j, "dx", 7);
    iv_json_int(j, "fontSize", 10);
    begin_encoding(j);
    put_x(j, p);
    iv_vega_numbers(j, "y", value, value, &p->chart.value_axis, false);
    iv_json_flat_object(j, "text");
    iv_vega_put_field(j, iv_plot_column(p, IV_ROLE_LABEL)->name);
    iv_json_text(j, "type", "nominal");
    iv_json_close(j);
    end_layer(j);
}

static void points(iv_json *j, const iv_plot *p)
{
    const iv_column *value = iv_plot_column(p, IV_ROLE_VALUE);

    put_spans(j, p, "rule", 0.6, false);
    begin_layer(j, "point");
    iv_json_bool(j, "filled", true);
    iv_json_real(j, "opacity", 0.9);
    iv_json_real(j, "size", p->rows > 500 ? 20.0 : 50.0);
    begin_encoding(j);
    put_x(j, p);
    iv_vega_numbers(j, "y", value, value, &p->chart.value_axis, false);
    iv_vega_groups(j, p, "shape");
    iv_vega_tooltip(j, p);
    end_layer(j);
    if (p->at[IV_ROLE_LABEL] != SIZE_MAX && p->lines <= FEW_NAMED)
        put_names(j, p);
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
        /* Many curves over each other must leave all their lines to see. */
        iv_json_real(j, "opacity", (inner ? 0.45 : 0.22)
                     / (p->most_groups > 4 ? 3.0 : p->most_groups > 2 ? 1.8 : 1.0));
        if (!inner) {
            iv_json_flat_object(j, "line");
            iv_json_int(j, "opacity", 1);
            iv_json_close(j);
        }
        iv_json_close(j); /* the mark */
        if (inner)
            put_inside(j, p);
        iv_json_object(j, "encoding");
        put_x(j, p);
        iv_vega_upright(j, value, &p->chart.value_axis);
        iv_vega_groups(j, p, NULL);
        if (!inner)
            iv_vega_tooltip(j, p);
        end_layer(j);
    }
}

/* ------------------------------------------------------------------- all -- */

void iv_vega_layers(iv_json *j, const iv_plot *p)
{
    static void (*const draw[])(iv_json *, const iv_plot *) = {
        [IV_CHART_FOREST] = forest, [IV_CHART_BARS] = bars, [IV_CHART_CURVES] = curves,
        [IV_CHART_POINTS] = points, [IV_CHART_DENSITY] = density,
        [IV_CHART_MATRIX] = matrix };
    const iv_chart *c = &p->chart;

    iv_json_array(j, "layer");
    if (c->diagonal)
        iv_vega_diagonal(j, &c->x_axis, &c->value_axis);
    draw[c->kind](j, p);
    for (size_t i = 0; i < IV_CHART_LINES && c->lines[i].text != NULL; i++)
        iv_vega_line(j, &c->lines[i], c->lines[i].upright || c->kind == IV_CHART_FOREST);
    iv_json_close(j);
}
