/* SPDX-License-Identifier: Apache-2.0 */
/* Charts as Vega-Lite, for notebooks and papers; and what the page shares. */
#include "report/report_private.h"
#include "base/charconv.h"

static const char *iv_vega_field(char out[IV_FIELD_SIZE], const char *name)
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

/* One of the texts that a column holds, which may stand for a number. */
static void iv_vega_word(iv_json *j, const char *key, const iv_column *column, iv_str word)
{
    if (column->kind == IV_TEXT) {
        iv_json_shown(j, key, word);
        return;
    }
    iv_json_key(j, key);
    fwrite(word.ptr, 1, word.len, j->out);
}

/* Writes the member "field". */
static void iv_vega_put_field(iv_json *j, const char *name)
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

/* What a reader is told who points at a mark: all columns of the chart. */
static void iv_vega_tooltip(iv_json *j, const iv_plot *p)
{
    char format[16];

    iv_json_array(j, "tooltip");
    for (iv_role r = IV_ROLE_LABEL; r < IV_ROLE_WHERE; r++) {
        const iv_column *column = iv_plot_column(p, r);
        if (column == NULL)
            continue;
        iv_json_put(j, NULL, "{");
        iv_vega_put_field(j, column->name);
        iv_json_put(j, NULL, "'type': %s, 'title': %s",
                    column->kind == IV_TEXT ? "nominal" : "quantitative", column->name);
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
    iv_json_put(j, "scale", axis->log ? "{'type': 'log'" : "{'zero': %b", zero);
    if (axis->to > axis->from)
        iv_json_put(j, "domain", "[%g, %g]", axis->from, axis->to);
    iv_json_bool(j, "nice", !(axis->to > axis->from));
    iv_json_close(j);
}

/* Whole numbers get whole ticks; of a logarithmic grid the powers of ten stand out. */
static void put_ticks(iv_json *j, const iv_column *column, const iv_axis *axis)
{
    const bool whole = column->kind == IV_INTEGER;

    if (!whole && !axis->log)
        return;
    iv_json_put(j, "axis", "{");
    if (whole)
        iv_json_put(j, NULL, "'format': ',d', 'tickMinStep': 1");
    if (axis->log)
        iv_json_put(j, "gridOpacity", "{'condition': {'test': 'abs(log(datum.value) / LN10 - "
                    "round(log(datum.value) / LN10)) < 1e-9', 'value': 1}, 'value': 0.3}");
    iv_json_close(j);
}

static void put_measured(iv_json *j, const iv_column *column, const iv_column *main,
                         const iv_axis *axis, bool zero)
{
    iv_vega_put_field(j, column->name);
    iv_json_put(j, NULL, "'type': 'quantitative', 'title': %s",
                axis->title != NULL ? axis->title : main->name);
    put_ticks(j, main, axis);
    put_scale(j, axis, zero);
}

/*
 * A channel of numbers; main is the column that gives the axis its title.
 * zero: the axis begins there, if it says nothing else.
 */
static void iv_vega_numbers(iv_json *j, const char *channel, const iv_column *column,
                            const iv_column *main, const iv_axis *axis, bool zero)
{
    iv_json_object(j, channel);
    put_measured(j, column, main, axis, zero);
    iv_json_close(j);
}

/* A height from 0, never put on top of another: bars and areas. */
static void iv_vega_upright(iv_json *j, const iv_column *column, const iv_axis *axis)
{
    iv_json_object(j, "y");
    put_measured(j, column, column, axis, true);
    iv_json_null(j, "stack");
    iv_json_close(j);
}

/* The other end of a span, on the axis of the first. */
static void iv_vega_second(iv_json *j, const char *channel, const iv_column *column)
{
    iv_json_put(j, channel, "{");
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
    iv_json_put(j, "legend", "{");
    if (p->chart.kind == IV_CHART_CURVES)
        iv_json_put(j, NULL, "'symbolType': 'stroke', 'symbolStrokeWidth': 2, 'symbolSize': 500");
    if (format_of(format, group, "~f") != NULL) {
        (void)snprintf(text, sizeof text, "format(datum.value, '%s')", format);
        iv_json_text(j, "labelExpr", text);
    }
    iv_json_close(j);
}

/* Groups by colour and, where that is possible, by another channel. */
static void iv_vega_groups(iv_json *j, const iv_plot *p, const char *also)
{
    const iv_column *group = iv_plot_column(p, IV_ROLE_GROUP);
    const bool few = p->most_groups <= IV_MOST_COLOURS;
    const bool shades = !few && group != NULL && group->kind != IV_TEXT;
    const char *const channels[] = { few || shades ? "color" : "detail",
                                     p->most_groups <= IV_MOST_SHAPES ? also : NULL };

    if (group == NULL)
        return;
    for (size_t i = 0; i < 2 && channels[i] != NULL; i++) {
        iv_json_put(j, channels[i], "{");
        iv_vega_put_field(j, group->name);
        iv_json_put(j, NULL, "'type': %s, 'sort': null, 'title': %s",
                    shades ? "ordinal" : "nominal", group->name);
        /* Dashes that differ at a glance; Vega-Lite's own get faint from the fourth. */
        if (i == 1 && strcmp(also, "strokeDash") == 0)
            iv_json_put(j, "scale", "{'range': [[1, 0], [7, 3], [2, 2], [9, 3, 2, 3], [14, 4], "
                        "[4, 2, 1, 2]]}");
        if (shades) /* many numbers in order: from dark to light, not to yellow */
            iv_json_put(j, "scale", "{'scheme': {'name': 'viridis', 'extent': [0, 0.9]}}");
        if (few || shades)
            put_legend(j, p, group);
        iv_json_close(j);
    }
}

/* ------------------------------------------------------------ vega lines -- */

/* Lines that a chart is compared with. */

/* Ends an encoding and its layer. */
static void end_layer(iv_json *j)
{
    iv_json_close(j);
    iv_json_close(j);
}

/* A layer with a line to compare with, and one with its name at its end, outside the frame. */
static void iv_vega_line(iv_json *j, const iv_chart_line *line, bool upright)
{
    for (int named = 0; named < 2; named++) {
        iv_json_object(j, NULL);
        iv_json_put(j, "data", "{'values': [{}]}");
        iv_json_put(j, "mark", !named ? "{'type': 'rule', 'color': '#D55E00', "
                    "'strokeDash': [5, 3]}" : upright ? "{'type': 'text', 'align': 'center', "
                    "'baseline': 'bottom', 'dy': -2}" : "{'type': 'text', 'align': 'left', "
                    "'baseline': 'middle', 'dx': 4}");
        iv_json_object(j, "encoding");
        iv_json_put(j, upright ? "x" : "y", "{'datum': %g, 'type': 'quantitative'}", line->at);
        if (named)
            iv_json_put(j, upright ? "y" : "x", upright ? "{'value': 0}" : "{'value': 'width'}");
        iv_json_put(j, named ? "text" : "tooltip", "{'value': %s}", line->text);
        end_layer(j);
    }
}

/* A layer with the line where x and value are equal, as far as both axes reach. */
static void iv_vega_diagonal(iv_json *j, const iv_axis *x, const iv_axis *y)
{
    const double from = x->from > y->from ? x->from : y->from;
    const double to = x->to < y->to ? x->to : y->to;

    if (!(to > from))
        return;
    iv_json_object(j, NULL);
    iv_json_object(j, "data");
    iv_json_put(j, "values", "[{'at': %g}, {'at': %g}]", from, to);
    iv_json_close(j);
    iv_json_put(j, "mark", "{'type': 'line', 'color': '#888888', 'strokeWidth': 1}");
    iv_json_object(j, "encoding");
    iv_json_put(j, NULL, "'x': {'field': 'at', 'type': 'quantitative'}, "
                "'y': {'field': 'at', 'type': 'quantitative'}");
    end_layer(j);
}

/* ----------------------------------------------------------- vega layers -- */

/* What each kind of chart draws, layer by layer. */

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
    iv_json_put(j, "mark", "{'type': %s", mark);
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
            iv_json_put(j, NULL, "{'filter': {");
            iv_vega_put_field(j, iv_plot_column(p, r)->name);
            iv_json_put(j, NULL, "'valid': true}}");
        }
        iv_json_close(j);
    }
    iv_json_object(j, "encoding");
}

/* ------------------------------------------------------ forest, bars, matrix -- */

/* In which order labels come. */
static void put_order(iv_json *j, const iv_plot *p, iv_role role, bool sorted)
{
    const iv_column *value = iv_plot_column(p, IV_ROLE_VALUE);
    const iv_ids *labels = role == IV_ROLE_LABEL ? &p->down : &p->across;

    if (sorted && value != NULL) {
        iv_json_put(j, "sort", "{");
        iv_vega_put_field(j, value->name);
        iv_json_put(j, NULL, "'op': 'max', 'order': 'descending'}");
    } else if (p->chart.kind == IV_CHART_MATRIX && labels->count <= MOST_ORDERED) {
        /* Said in full: with a value missing, the data would tell another. */
        iv_json_put(j, "sort", "[");
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
    iv_json_put(j, "axis", "{");
    if (matrix && channel[0] == 'y')
        iv_json_put(j, NULL, "'titleAngle': 0, 'titleAlign': 'right', 'titlePadding': 10");
    iv_json_put(j, NULL, "'ticks': false, 'domain': %b", bars);
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
        iv_json_put(j, NULL, "'filled': true, 'opacity': 1, 'size': %g",
                    p->lines > 250 ? 12.0 : many ? 35.0 : 70.0);
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
    iv_json_put(j, NULL, "'strokeWidth': %g, 'opacity': 0.75",
                p->lines > 250 ? 1.0 : many ? 1.5 : 2.5);
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
        iv_json_put(j, NULL, "'test': {'field': %s, 'lt': 0}, 'value': '#D55E00'",
                    iv_vega_field(field, value->name));
        iv_json_close(j);
        iv_json_text(j, "value", "#0072B2");
        iv_json_close(j);
    }
    iv_vega_tooltip(j, p);
    end_layer(j);
}

const char iv_vega_banded[] = "_band";

static size_t iv_vega_levels(const iv_plot *p)
{
    size_t count = 0;

    while (count < IV_CHART_LEVELS && p->chart.levels[count] != 0.0)
        count++;
    return count;
}

static const char *iv_vega_band(char out[IV_BAND_SIZE], const iv_plot *p, size_t i)
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
static void put_layer_bands(iv_json *j, const iv_plot *p)
{
    static const char *const colours[IV_CHART_LEVELS + 1] = { "#08306b", "#2f79b9", "#9ecae1",
                                                              "#eeeeee" };
    const size_t levels = iv_vega_levels(p);
    char name[IV_BAND_SIZE];

    iv_vega_put_field(j, iv_vega_banded);
    iv_json_put(j, NULL, "'type': 'nominal', 'scale': {'domain': [");
    for (size_t i = 0; i <= levels; i++)
        iv_json_text(j, NULL, iv_vega_band(name, p, i));
    iv_json_put(j, NULL, "], 'range': [");
    for (size_t i = 0; i <= levels; i++)
        iv_json_text(j, NULL, colours[i + IV_CHART_LEVELS - levels]);
    iv_json_put(j, NULL, "]}");
}

/* A range of colours without steps; two that part at 0 where there are signs. */
static void put_shades(iv_json *j, const iv_plot *p)
{
    const iv_axis *axis = &p->chart.value_axis;
    const bool both = p->below_zero && p->above_zero;

    iv_vega_put_field(j, iv_plot_column(p, IV_ROLE_VALUE)->name);
    iv_json_put(j, NULL, "'type': 'quantitative', 'scale': {");
    iv_json_put(j, NULL, both ? "'scheme': 'blueorange', 'domainMid': 0" : "'scheme': 'viridis'");
    if (axis->to > axis->from)
        iv_json_put(j, "domain", "[%g, %g]", axis->from, axis->to);
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
        put_layer_bands(j, p);
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
    iv_json_put(j, NULL, "'align': 'left', 'dx': 7, 'fontSize': 10");
    begin_encoding(j);
    put_x(j, p);
    iv_vega_numbers(j, "y", value, value, &p->chart.value_axis, false);
    iv_json_put(j, "text", "{");
    iv_vega_put_field(j, iv_plot_column(p, IV_ROLE_LABEL)->name);
    iv_json_put(j, NULL, "'type': 'nominal'}");
    end_layer(j);
}

static void points(iv_json *j, const iv_plot *p)
{
    const iv_column *value = iv_plot_column(p, IV_ROLE_VALUE);

    put_spans(j, p, "rule", 0.6, false);
    begin_layer(j, "point");
    iv_json_put(j, NULL, "'filled': true, 'opacity': 0.9, 'size': %g",
                p->rows > 500 ? 20.0 : 50.0);
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
    iv_json_put(j, NULL, "{'filter': %s}", test);
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
        if (!inner)
            iv_json_put(j, "line", "{'opacity': 1}");
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

/* Writes the member "layer": what is drawn, one over another. */
static void iv_vega_layers(iv_json *j, const iv_plot *p)
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
