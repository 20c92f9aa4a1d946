/* SPDX-License-Identifier: Apache-2.0 */
/* Charts as Vega-Lite, for notebooks and papers; and what the page shares. */
#include "base/ids.h"
#include "report/vega.h"
#include "result/result_state.h"

#include <math.h>
#include <string.h>

/* One of the texts that a column holds, which may stand for a number. */
static void put_word(iv_json *j, const char *key, const iv_column *column, iv_str word)
{
    if (column->kind == IV_TEXT) {
        iv_json_put(j, key, "%S", word);
        return;
    }
    iv_json_key(j, key);
    fwrite(word.ptr, 1, word.len, j->out);
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
static void put_tooltip(iv_json *j, const iv_plot *p)
{
    char format[16];

    iv_json_array(j, "tooltip");
    for (iv_role r = IV_ROLE_LABEL; r < IV_ROLE_WHERE; r++) {
        const iv_column *column = iv_plot_column(p, r);
        if (column == NULL)
            continue;
        iv_json_put(j, NULL, "{'field': %f, 'type': %s, 'title': %s", column->name,
                    column->kind == IV_TEXT ? "nominal" : "quantitative", column->name);
        if (format_of(format, column, "f") != NULL)
            iv_json_text(j, "format", format);
        iv_json_close(j);
    }
    iv_json_close(j);
}

/* ----------------------------------------------------------------- numbers -- */

/* Whole numbers get whole ticks; of a logarithmic grid the powers of ten stand out. */
static void put_ticks(iv_json *j, const iv_column *column, const iv_axis *axis)
{
    const bool whole = column->kind == IV_INTEGER;

    if (!whole && !axis->log)
        return;
    iv_json_put(j, "axis", whole ? "{'format': ',d', 'tickMinStep': 1" : "{");
    if (axis->log)
        iv_json_put(j, "gridOpacity", "{'condition': {'test': 'abs(log(datum.value) / LN10 - "
                    "round(log(datum.value) / LN10)) < 1e-9', 'value': 1}, 'value': 0.3}");
    iv_json_close(j);
}

/*
 * A channel of numbers; main is the column that gives the axis its title.  Its scale begins where
 * the axis says, or where the data do; upright: at 0, and nothing is put on top of another.
 */
static void put_numbers(iv_json *j, const char *channel, const iv_column *column,
                        const iv_column *main, const iv_axis *axis, bool upright)
{
    const bool limits = axis->to > axis->from;

    iv_json_put(j, channel, "{\n'field': %f, 'type': 'quantitative', 'title': %s", column->name,
                axis->title != NULL ? axis->title : main->name);
    put_ticks(j, main, axis);
    iv_json_put(j, "scale", axis->log ? "{'type': 'log'" : "{'zero': %b", upright);
    if (limits)
        iv_json_put(j, "domain", "[%g, %g]", axis->from, axis->to);
    iv_json_put(j, "nice", "%b}", !limits);
    if (upright)
        iv_json_text(j, "stack", NULL);
    iv_json_close(j);
}

/* ------------------------------------------------------------------ groups -- */

/* No legend for one group; numbers rounded; lines shown as lines. */
static void put_legend(iv_json *j, const iv_plot *p, const iv_column *group)
{
    char format[16], text[64];

    if (p->most_groups < 2) {
        iv_json_text(j, "legend", NULL);
        return;
    }
    iv_json_put(j, "legend", p->chart.kind == IV_CHART_CURVES
                ? "{'symbolType': 'stroke', 'symbolStrokeWidth': 2, 'symbolSize': 500" : "{");
    if (format_of(format, group, "~f") != NULL) {
        (void)snprintf(text, sizeof text, "format(datum.value, '%s')", format);
        iv_json_text(j, "labelExpr", text);
    }
    iv_json_close(j);
}

/* The scale of groups.  Two channels with the same list have one legend. */
static void put_group_scale(iv_json *j, const iv_plot *p, bool dashes)
{
    const bool all = p->groups.count == p->most_groups;

    if (!all && !dashes)
        return;
    iv_json_object(j, "scale");
    /* Dashes that differ at a glance; Vega-Lite's own get faint from the fourth. */
    if (dashes)
        iv_json_put(j, "range", "[[1, 0], [7, 3], [2, 2], [9, 3, 2, 3], [14, 4], [4, 2, 1, 2]]");
    if (all) {
        iv_json_array(j, "domain");
        for (size_t k = 0; k < p->groups.count; k++)
            put_word(j, NULL, iv_plot_column(p, IV_ROLE_GROUP), p->groups.names[k]);
        iv_json_close(j);
    }
    iv_json_close(j);
}

/* Groups by colour and, where that is possible, by another channel; bars without groups by sign. */
static void put_groups(iv_json *j, const iv_plot *p, const char *also)
{
    const iv_column *group = iv_plot_column(p, IV_ROLE_GROUP);
    const bool few = p->most_groups <= IV_MOST_COLOURS;
    const bool shades = !few && group != NULL && group->kind != IV_TEXT;
    const char *const channels[] = { few || shades ? "color" : "detail",
                                     p->most_groups <= IV_MOST_SHAPES ? also : NULL };

    if (group == NULL && p->chart.kind == IV_CHART_BARS && p->below_zero && p->above_zero)
        iv_json_put(j, "color", "{\n'condition': {\n'test': {'field': %f, 'lt': 0}, "
                    "'value': '#D55E00'}, 'value': '#0072B2'}",
                    iv_plot_column(p, IV_ROLE_VALUE)->name);
    for (size_t i = 0; group != NULL && i < 2 && channels[i] != NULL; i++) {
        iv_json_put(j, channels[i], "{'field': %f, 'type': %s, 'sort': null, 'title': %s",
                    group->name, shades ? "ordinal" : "nominal", group->name);
        if (shades) /* many numbers in order: from dark to light, not to yellow */
            iv_json_put(j, "scale", "{'scheme': {'name': 'viridis', 'extent': [0, 0.9]}}");
        else
            put_group_scale(j, p, i == 1 && strcmp(also, "strokeDash") == 0);
        if (few || shades)
            put_legend(j, p, group);
        iv_json_close(j);
    }
}

/* ------------------------------------------------------------ vega lines -- */

/* A layer with a line to compare with, and one with its name at its end, outside the frame. */
static void put_line(iv_json *j, const iv_chart_line *line, bool upright)
{
    for (int named = 0; named < 2; named++) {
        iv_json_put(j, NULL, "{\n'data': {'values': [{}]}");
        iv_json_put(j, "mark", !named ? "{'type': 'rule', 'color': '#D55E00', "
                    "'strokeDash': [5, 3]}" : upright ? "{'type': 'text', 'align': 'center', "
                    "'baseline': 'bottom', 'dy': -2}" : "{'type': 'text', 'align': 'left', "
                    "'baseline': 'middle', 'dx': 4}");
        iv_json_object(j, "encoding");
        iv_json_put(j, upright ? "x" : "y", "{'datum': %g, 'type': 'quantitative'}", line->at);
        if (named)
            iv_json_put(j, upright ? "y" : "x", upright ? "{'value': 0}" : "{'value': 'width'}");
        iv_json_put(j, named ? "text" : "tooltip", "{'value': %s}}}", line->text);
    }
}

/* A layer with the line where x and value are equal, as far as both axes reach. */
static void put_diagonal(iv_json *j, const iv_axis *x, const iv_axis *y)
{
    const double from = x->from > y->from ? x->from : y->from;
    const double to = x->to < y->to ? x->to : y->to;

    if (to > from)
        iv_json_put(j, NULL, "{\n'data': {\n'values': [{'at': %g}, {'at': %g}]}, "
                    "'mark': {'type': 'line', 'color': '#888888', 'strokeWidth': 1}, "
                    "'encoding': {\n'x': {'field': 'at', 'type': 'quantitative'}, "
                    "'y': {'field': 'at', 'type': 'quantitative'}}}", from, to);
}

/* ----------------------------------------------------------- vega layers -- */

enum {
    FEW_LABELS = 40,   /* bars with room for their names */
    MOST_ORDERED = 2000, /* labels of a matrix, listed in their order */
    FEW_NAMED = 20,    /* points with room for their names */
    FEW_POINTS = 60    /* points of a curve that are worth a dot each */
};

/* The field that holds both texts of a forest's label. */
static const char both_field[] = "_label";

/* In which order labels come. */
static void put_order(iv_json *j, const iv_plot *p, iv_role role, bool sorted)
{
    const iv_column *value = iv_plot_column(p, IV_ROLE_VALUE);
    const iv_ids *labels = role == IV_ROLE_LABEL ? &p->down : &p->across;

    if (sorted && value != NULL) {
        iv_json_put(j, "sort", "{'field': %f, 'op': 'max', 'order': 'descending'}", value->name);
    } else if (p->chart.kind == IV_CHART_MATRIX && labels->count <= MOST_ORDERED) {
        /* Said in full: with a value missing, the data would tell another. */
        iv_json_put(j, "sort", "[");
        for (size_t i = 0; i < labels->count; i++)
            put_word(j, NULL, iv_plot_column(p, role), labels->names[i]);
        iv_json_close(j);
    } else {
        iv_json_text(j, "sort", NULL);
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

/* Are the groups of a label in a forest drawn one below the other? */
static bool stands_apart(const iv_plot *p)
{
    return p->chart.kind == IV_CHART_FOREST && p->at[IV_ROLE_GROUP] != SIZE_MAX
        && p->most_groups >= 2 && p->most_groups <= IV_MOST_SHAPES;
}

/* The channel of labels; sorted by the value, or as in the table. */
static void put_labels(iv_json *j, const char *channel, const iv_plot *p, iv_role role,
                       bool sorted, bool shown)
{
    const bool both = p->chart.kind == IV_CHART_FOREST && p->at[IV_ROLE_AGAINST] != SIZE_MAX;
    const bool matrix = p->chart.kind == IV_CHART_MATRIX, across = channel[0] == 'x';
    const char *name = iv_plot_column(p, role)->name;

    iv_json_put(j, channel, "{\n'field': %f, 'type': 'nominal'", both ? both_field : name);
    put_order(j, p, role, sorted);
    /* Beside long labels there is no room for a title, and no need but in a matrix. */
    iv_json_put(j, NULL, "'title': %s, 'axis': {", across || matrix ? name : NULL);
    if (matrix && !across)
        iv_json_put(j, NULL, "'titleAngle': 0, 'titleAlign': 'right', 'titlePadding': 10");
    iv_json_put(j, NULL, "'ticks': false, 'domain': %b", p->chart.kind == IV_CHART_BARS);
    if (!across && !matrix)
        iv_json_int(j, "labelPadding", 8); /* a point may lie on the edge */
    iv_json_put(j, "labels", "%b", shown);
    if (across && shown)
        iv_json_int(j, "labelAngle", fits_level(matrix ? &p->across : &p->down) ? 0 : -90);
    iv_json_put(j, "labelOverlap", "%b}}", !shown || matrix || p->lines > 150);
}

static void put_x(iv_json *j, const iv_plot *p)
{
    const iv_column *x = iv_plot_column(p, IV_ROLE_X);

    put_numbers(j, "x", x, x, &p->chart.x_axis, false);
}

/*
 * The end of a layer, from what is behind its mark: where marks are, how groups differ, and what
 * is told of them.  span: from lower to upper, of rows that have both, since a missing end would
 * be drawn as 0.
 */
static void end_layer(iv_json *j, const iv_plot *p, bool span, const char *also, bool with_tooltip)
{
    const iv_chart_kind kind = p->chart.kind;
    const iv_column *value = iv_plot_column(p, IV_ROLE_VALUE);
    const iv_column *lower = iv_plot_column(p, IV_ROLE_LOWER);
    const iv_column *upper = iv_plot_column(p, IV_ROLE_UPPER);

    if (span && p->gaps)
        iv_json_put(j, "transform", "[\n{'filter': {'field': %f, 'valid': true}}, "
                    "{'filter': {'field': %f, 'valid': true}}]", lower->name, upper->name);
    iv_json_object(j, "encoding");
    if (kind == IV_CHART_FOREST)
        put_labels(j, "y", p, IV_ROLE_LABEL, p->chart.sorted, p->lines <= 400);
    else if (kind == IV_CHART_BARS)
        put_labels(j, "x", p, IV_ROLE_LABEL, true, p->lines <= FEW_LABELS);
    else
        put_x(j, p);
    put_numbers(j, kind == IV_CHART_FOREST ? "x" : "y", span ? lower : value,
                value != NULL ? value : lower, &p->chart.value_axis,
                kind == IV_CHART_BARS || kind == IV_CHART_DENSITY);
    if (span)
        iv_json_put(j, kind == IV_CHART_FOREST ? "x2" : "y2", "{'field': %f}", upper->name);
    put_groups(j, p, also);
    if (kind == IV_CHART_FOREST && stands_apart(p))
        iv_json_put(j, "yOffset", "{'field': %f, 'type': 'nominal', 'sort': null}",
                    iv_plot_column(p, IV_ROLE_GROUP)->name);
    if (with_tooltip)
        put_tooltip(j, p);
    iv_json_put(j, NULL, "}}");
}

static void put_forest(iv_json *j, const iv_plot *p)
{
    const bool many = p->lines > FEW_LABELS, most = p->lines > 250;

    /* The points first: they are never missing, and tell the order of labels. */
    if (p->at[IV_ROLE_VALUE] != SIZE_MAX) {
        iv_json_put(j, NULL, "{\n'mark': {'type': 'point', 'filled': true, 'opacity': 1, "
                    "'size': %g}", most ? 12.0 : many ? 35.0 : 70.0);
        end_layer(j, p, false, "shape", true);
    }
    if (p->at[IV_ROLE_LOWER] != SIZE_MAX) {
        iv_json_put(j, NULL, "{\n'mark': {'type': 'rule', 'strokeWidth': %g, 'opacity': 0.75}",
                    most ? 1.0 : many ? 1.5 : 2.5);
        end_layer(j, p, true, NULL, true);
    }
}

/* The names of the three highest and the three lowest bars, on the other side of 0. */
static void put_extremes(iv_json *j, const iv_plot *p)
{
    const char *value = iv_plot_column(p, IV_ROLE_VALUE)->name;
    char field[IV_FIELD_SIZE], test[IV_FIELD_SIZE + 40];

    for (int low = 0; low < 2; low++) {
        (void)snprintf(test, sizeof test, "datum._place <= 3 && datum['%s'] %c 0",
                       iv_json_field(field, value), low ? '<' : '>');
        iv_json_put(j, NULL, "{\n'transform': [\n"
                    "{'window': [{'op': 'row_number', 'as': '_place'}], "
                    "'sort': [{'field': %f, 'order': %s}]}, {'filter': %s}], "
                    "'mark': {'type': 'text', 'angle': 270, 'align': %s, 'baseline': 'middle', "
                    "'dx': %g, 'fontSize': 10}, 'encoding': {\n", value,
                    low ? "ascending" : "descending", test, low ? "left" : "right",
                    low ? 3.0 : -3.0);
        put_labels(j, "x", p, IV_ROLE_LABEL, true, false);
        iv_json_put(j, "y", "{'datum': 0, 'type': 'quantitative'}");
        iv_json_put(j, "text", "{'field': %f, 'type': 'nominal'}}}",
                    iv_plot_column(p, IV_ROLE_LABEL)->name);
    }
}

static void put_bars(iv_json *j, const iv_plot *p)
{
    iv_json_put(j, NULL, "{\n'mark': {'type': 'bar'}");
    end_layer(j, p, false, NULL, true);
    if (p->lines > FEW_LABELS)
        put_extremes(j, p);
}

/* The field of the band between two levels in which a value of a matrix is. */
static const char band_field[] = "_band";
enum { BAND_SIZE = 96 };

static size_t count_levels(const iv_plot *p)
{
    size_t count = 0;

    while (count < IV_CHART_LEVELS && p->chart.levels[count] != 0.0)
        count++;
    return count;
}

static const char *band_name(char out[BAND_SIZE], const iv_plot *p, size_t i)
{
    char from[IV_REAL_SIZE] = "", to[IV_REAL_SIZE] = "";

    if (i > 0)
        (void)iv_format_real(from, p->chart.levels[i - 1]);
    if (i < count_levels(p))
        (void)iv_format_real(to, p->chart.levels[i]);
    (void)snprintf(out, BAND_SIZE, "%s%s%s", i == 0 ? "below " : from,
                   i == 0 ? to : i == count_levels(p) ? " and above" : " to ",
                   i == 0 ? "" : to);
    return out;
}

/* A colour for each band between levels, the dark ones first. */
static void put_band_colours(iv_json *j, const iv_plot *p)
{
    static const char *const colours[IV_CHART_LEVELS + 1] = { "#08306b", "#2f79b9", "#9ecae1",
                                                              "#eeeeee" };
    const size_t levels = count_levels(p);
    char name[BAND_SIZE];

    iv_json_put(j, NULL, "'field': %f, 'type': 'nominal', 'scale': {'domain': [", band_field);
    for (size_t i = 0; i <= levels; i++)
        iv_json_text(j, NULL, band_name(name, p, i));
    iv_json_put(j, NULL, "], 'range': [");
    for (size_t i = 0; i <= levels; i++)
        iv_json_text(j, NULL, colours[i + IV_CHART_LEVELS - levels]);
    iv_json_put(j, NULL, "]}");
}

/* A range of colours without steps; two that part at 0 where there are signs, equally dark
 * equally far from it. */
static void put_shades(iv_json *j, const iv_plot *p)
{
    const iv_axis *axis = &p->chart.value_axis;

    iv_json_put(j, NULL, p->below_zero && p->above_zero
                ? "'field': %f, 'type': 'quantitative', 'scale': {'scheme': 'blueorange', "
                  "'domainMid': 0" : "'field': %f, 'type': 'quantitative', 'scale': {'scheme': "
                  "'viridis'", iv_plot_column(p, IV_ROLE_VALUE)->name);
    if (p->below_zero && p->above_zero)
        iv_json_put(j, "domain", "[%g, %g]", -p->farthest, p->farthest);
    else if (axis->to > axis->from)
        iv_json_put(j, "domain", "[%g, %g]", axis->from, axis->to);
    iv_json_close(j);
}

/* Has each field of a matrix room for its number and its interval, also on a phone? */
static bool has_numbers(const iv_plot *p)
{
    return p->chart.kind == IV_CHART_MATRIX && p->down.count <= 8 && p->across.count <= 3
        && p->at[IV_ROLE_LOWER] != SIZE_MAX && p->chart.value_axis.to > p->chart.value_axis.from;
}

/* A layer of numbers, in black on light fields and in white on dark ones. */
static void put_matrix_numbers(iv_json *j, const iv_plot *p)
{
    static const iv_role roles[] = { IV_ROLE_VALUE, IV_ROLE_LOWER, IV_ROLE_UPPER };
    const iv_axis *axis = &p->chart.value_axis;
    char at[3][IV_FIELD_SIZE], text[5 * IV_FIELD_SIZE];

    for (size_t i = 0; i < 3; i++)
        (void)iv_json_field(at[i], iv_plot_column(p, roles[i])->name);
    (void)snprintf(text, sizeof text, "[format(datum['%s'], '.2f'), format(datum['%s'], '.2f') + "
                   "' to ' + format(datum['%s'], '.2f')]", at[0], at[1], at[2]);
    iv_json_put(j, NULL, "{\n'transform': [\n{'calculate': %s, 'as': '_numbers'}], "
                "'mark': {'type': 'text', 'dy': -7, 'lineHeight': 15}, 'encoding': {\n", text);
    put_labels(j, "y", p, IV_ROLE_LABEL, false, true);
    put_labels(j, "x", p, IV_ROLE_AGAINST, false, true);
    iv_json_put(j, "text", "{'field': '_numbers', 'type': 'nominal'}");
    iv_json_put(j, "color", "{\n'condition': {\n'test': {'field': %f, 'gt': %g}, "
                "'value': '#000000'}, 'value': '#ffffff'}}}",
                iv_plot_column(p, IV_ROLE_VALUE)->name,
                axis->from + 0.55 * (axis->to - axis->from));
}

static void put_matrix(iv_json *j, const iv_plot *p)
{
    const iv_axis *axis = &p->chart.value_axis;

    iv_json_put(j, NULL, "{\n'mark': {'type': 'rect'}, 'encoding': {\n");
    put_labels(j, "y", p, IV_ROLE_LABEL, false, true);
    put_labels(j, "x", p, IV_ROLE_AGAINST, false, true);
    iv_json_object(j, "color");
    if (count_levels(p) > 0)
        put_band_colours(j, p);
    else
        put_shades(j, p);
    iv_json_put(j, "title", "%s}", axis->title != NULL ? axis->title
                : iv_plot_column(p, IV_ROLE_VALUE)->name);
    put_tooltip(j, p);
    iv_json_put(j, NULL, "}}");
    if (has_numbers(p))
        put_matrix_numbers(j, p);
}

static void put_curves(iv_json *j, const iv_plot *p)
{
    const size_t each = p->rows / (p->groups.count + !p->groups.count)
        / (p->pages.count + !p->pages.count) / (p->panels.count + !p->panels.count);

    if (p->at[IV_ROLE_LOWER] != SIZE_MAX) {
        iv_json_put(j, NULL, "{\n'mark': {'type': 'area', 'opacity': 0.18}");
        end_layer(j, p, true, NULL, false);
    }
    iv_json_put(j, NULL, "{\n'mark': {'type': 'line', 'point': %b",
                each <= FEW_POINTS && !p->chart.stepped);
    if (p->chart.stepped)
        iv_json_text(j, "interpolate", "step-before");
    iv_json_put(j, "strokeWidth", "%g}", p->most_groups > IV_MOST_COLOURS ? 1.0 : 2.0);
    end_layer(j, p, false, "strokeDash", true);
}

static void put_points(iv_json *j, const iv_plot *p)
{
    const iv_column *value = iv_plot_column(p, IV_ROLE_VALUE);
    const iv_column *label = iv_plot_column(p, IV_ROLE_LABEL);

    if (p->at[IV_ROLE_LOWER] != SIZE_MAX) {
        iv_json_put(j, NULL, "{\n'mark': {'type': 'rule', 'opacity': 0.6}");
        end_layer(j, p, true, NULL, false);
    }
    iv_json_put(j, NULL, "{\n'mark': {'type': 'point', 'filled': true, 'opacity': 0.9, "
                "'size': %g}", p->rows > 500 ? 20.0 : 50.0);
    end_layer(j, p, false, "shape", true);
    if (label == NULL || p->lines > FEW_NAMED)
        return;
    iv_json_put(j, NULL, "{\n'mark': {'type': 'text', 'align': 'left', 'dx': 7, 'fontSize': 10}, "
                "'encoding': {\n");
    put_x(j, p);
    put_numbers(j, "y", value, value, &p->chart.value_axis, false);
    iv_json_put(j, "text", "{'field': %f, 'type': 'nominal'}}}", label->name);
}

/* Keeps the points of a density whose x is in its interval. */
static void put_inside(iv_json *j, const iv_plot *p)
{
    static const iv_role roles[] = { IV_ROLE_X, IV_ROLE_LOWER, IV_ROLE_UPPER };
    char at[3][IV_FIELD_SIZE], test[5 * IV_FIELD_SIZE];

    for (size_t i = 0; i < 3; i++)
        (void)iv_json_field(at[i], iv_plot_column(p, roles[i])->name);
    (void)snprintf(test, sizeof test,
                   "datum['%s'] >= datum['%s'] && datum['%s'] <= datum['%s']", at[0], at[1],
                   at[0], at[2]);
    iv_json_put(j, "transform", "[\n{'filter': %s}]", test);
}

static void put_density(iv_json *j, const iv_plot *p)
{
    const bool span = p->at[IV_ROLE_LOWER] != SIZE_MAX;

    for (int inner = 0; inner <= span; inner++) {
        /* Many curves over each other must leave all their lines to see. */
        iv_json_put(j, NULL, inner ? "{\n'mark': {'type': 'area', 'opacity': %g}"
                    : "{\n'mark': {'type': 'area', 'opacity': %g, 'line': {'opacity': 1}}",
                    (inner ? 0.45 : 0.22)
                    / (p->most_groups > 4 ? 3.0 : p->most_groups > 2 ? 1.8 : 1.0));
        if (inner)
            put_inside(j, p);
        end_layer(j, p, false, NULL, !inner);
    }
}

/* ------------------------------------------------------------------- all -- */

/* Writes the member "layer": what is drawn, one over another. */
static void put_layers(iv_json *j, const iv_plot *p)
{
    static void (*const draw[])(iv_json *, const iv_plot *) = {
        [IV_CHART_FOREST] = put_forest, [IV_CHART_BARS] = put_bars, [IV_CHART_CURVES] = put_curves,
        [IV_CHART_POINTS] = put_points, [IV_CHART_DENSITY] = put_density,
        [IV_CHART_MATRIX] = put_matrix };
    const iv_chart *c = &p->chart;

    iv_json_array(j, "layer");
    if (c->diagonal)
        put_diagonal(j, &c->x_axis, &c->value_axis);
    draw[c->kind](j, p);
    for (size_t i = 0; i < IV_CHART_LINES && c->lines[i].text != NULL; i++)
        put_line(j, &c->lines[i], c->lines[i].upright || c->kind == IV_CHART_FOREST);
    iv_json_close(j);
}

/* Joins both texts of a forest's label. */
static void put_both(iv_json *j, const iv_plot *p)
{
    char a[IV_FIELD_SIZE], b[IV_FIELD_SIZE], text[3 * IV_FIELD_SIZE];

    (void)iv_json_field(a, iv_plot_column(p, IV_ROLE_LABEL)->name);
    (void)iv_json_field(b, iv_plot_column(p, IV_ROLE_AGAINST)->name);
    (void)snprintf(text, sizeof text, "datum['%s'] + ' · ' + datum['%s']", a, b);
    iv_json_put(j, NULL, "{'calculate': %s, 'as': %s}", text, both_field);
}

/* Between which levels a matrix's value lies, in words, for a legend of them. */
static void put_bands(iv_json *j, const iv_plot *p)
{
    const size_t levels = count_levels(p);
    const char *value = iv_plot_column(p, IV_ROLE_VALUE)->name;
    char field[IV_FIELD_SIZE], name[BAND_SIZE], level[IV_REAL_SIZE];
    char text[IV_CHART_LEVELS * (IV_FIELD_SIZE + BAND_SIZE + IV_REAL_SIZE) + 100] = "";
    size_t used = 0;

    (void)iv_json_field(field, value);
    for (size_t i = 0; i < levels && used < sizeof text; i++) {
        (void)iv_format_real(level, p->chart.levels[i]);
        used += (size_t)snprintf(text + used, sizeof text - used, "datum['%s'] < %s ? '%s' : ",
                                 field, level, band_name(name, p, i));
    }
    if (used < sizeof text)
        (void)snprintf(text + used, sizeof text - used, "'%s'", band_name(name, p, levels));
    iv_json_put(j, NULL, "{'filter': {'field': %f, 'valid': true}}, {'calculate': %s, 'as': %s}",
                value, text, band_field);
}

static void put_transforms(iv_json *j, const iv_plot *p, size_t panel, size_t number)
{
    const iv_column *column = iv_plot_column(p, IV_ROLE_PANEL);
    char name[32];

    iv_json_array(j, "transform");
    if (p->panels.count > 1) {
        iv_json_put(j, NULL, "{'filter': {'field': %f", column->name);
        put_word(j, "equal", column, p->panels.names[panel]);
        iv_json_put(j, NULL, "}}");
    }
    if (p->pages.count > 1) {
        (void)snprintf(name, sizeof name, "page_%zu", number);
        iv_json_put(j, NULL, "{'filter': {'field': %f, 'equal': {'expr': %s}}}",
                    iv_plot_column(p, IV_ROLE_PAGE)->name, name);
    }
    if (p->chart.kind == IV_CHART_FOREST && p->at[IV_ROLE_AGAINST] != SIZE_MAX)
        put_both(j, p);
    if (p->chart.kind == IV_CHART_MATRIX && count_levels(p) > 0)
        put_bands(j, p);
    iv_json_close(j);
}

/* So many pixels that labels can be read, and more of them are drawn closer. */
static size_t height_of(const iv_plot *p)
{
    const bool forest = p->chart.kind == IV_CHART_FOREST;
    const size_t step = forest ? (p->lines > 100 ? 13 : p->lines > 30 ? 15 : 22)
            + (stands_apart(p) ? 9 * (p->most_groups - 1) : 0)
        : has_numbers(p) ? 48 : p->lines > 100 ? 5 : p->lines > 40 ? 9 : p->lines > 8 ? 18 : 26;

    return !forest && p->chart.kind != IV_CHART_MATRIX ? 260
        : p->lines > 400 ? 1600 : step * p->lines;
}

/* Which of its pages is seen first. */
static size_t first_page(const iv_plot *p)
{
    size_t first = 0;

    for (size_t k = 0; p->chart.opens != NULL && k < p->pages.count; k++)
        first = iv_str_cmp(p->pages.names[k], iv_str_of(p->chart.opens)) == 0 ? k : first;
    return first;
}

void iv_vega_choice(iv_json *j, const iv_report_view *view, size_t first, size_t count)
{
    char name[32], label[96];
    bool any = false;

    for (size_t i = first; i < first + count; i++) {
        const iv_plot *p = view->plots[i];
        const iv_column *page = iv_plot_column(p, IV_ROLE_PAGE);
        if (p->pages.count < 2)
            continue;
        if (!any)
            iv_json_array(j, "params");
        any = true;
        (void)snprintf(name, sizeof name, "page_%zu", i);
        (void)snprintf(label, sizeof label, "%.80s ", page->name);
        iv_json_put(j, NULL, "{\n'name': %s", name);
        put_word(j, "value", page, p->pages.names[first_page(p)]);
        iv_json_put(j, "bind", "{\n'input': 'select', 'name': %s, 'options': [", label);
        for (size_t k = 0; k < p->pages.count; k++)
            put_word(j, NULL, page, p->pages.names[k]);
        iv_json_put(j, NULL, "]}}");
    }
    if (any)
        iv_json_close(j);
}

void iv_vega_picture(iv_json *j, const iv_plot *p, size_t panel, size_t number)
{
    iv_json_text(j, "description", p->chart.caption);
    put_transforms(j, p, panel, number);
    iv_json_int(j, "height", (int64_t)height_of(p));
    put_layers(j, p);
}

/* The range of categories has Okabe and Ito's colours, which all readers can tell apart, the
 * clearest on white first and the yellow last. */
void iv_vega_config(iv_json *j)
{
#define FONTS "'labelColor': '#333333', 'titleColor': '#333333', 'titleFontWeight': 'normal', " \
    "'labelFontSize': 12, 'titleFontSize': 12, "
    iv_json_put(j, "config", "{\n'background': 'white', 'font': %s, 'view': {'stroke': null}, "
                "'axis': {" FONTS "'gridColor': '#e4e4e4', 'domainColor': '#888888', "
                "'tickColor': '#888888'}, 'axisQuantitative': {'tickCount': 8}, "
                "'legend': {" FONTS "'orient': 'top', 'symbolLimit': 24, 'symbolOpacity': 1, "
                "'columns': 5}, "
                "'title': {'anchor': 'start', 'color': '#111111', 'fontSize': 14, 'offset': 8}, "
                "'mark': {'color': '#0072B2'}, 'rule': {'color': '#0072B2'}, "
                "'text': {'color': '#333333'}, 'range': {\n'category': ['#0072B2', '#D55E00', "
                "'#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#666666', '#B8A800']}}",
                "system-ui, 'Liberation Sans', 'DejaVu Sans', sans-serif");
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
    iv_json_put(j, "data", "{\n'values': [\n");
    for (size_t row = 0; row < iv_table_rows(p->table); row++) {
        if (!iv_plot_takes(p, row) || !in_panel(p, row, panel))
            continue;
        iv_json_put(j, NULL, "{");
        for (iv_role r = IV_ROLE_LABEL; r < IV_ROLE_WHERE; r++) {
            const size_t c = p->at[r];
            bool repeated = c == SIZE_MAX;
            for (iv_role before = IV_ROLE_LABEL; before < r; before++)
                repeated = repeated || p->at[before] == c;
            if (!repeated)
                iv_json_cell(j, p->table, row, c, IV_JSON_SHOWN);
        }
        iv_json_close(j);
    }
    iv_json_put(j, NULL, "]}");
}

/* A picture, whose title has its panel, or its only page. */
static void put_picture(iv_json *j, const iv_plot *p, size_t i, size_t panel)
{
    const iv_ids *named = p->panels.count > 0 ? &p->panels : &p->pages;

    char more[64];

    (void)snprintf(more, sizeof more, "(%zu of %zu)", panel + 1, p->panels.count);
    if (p->panels.count > iv_plot_pictures(p))
        iv_json_put(j, "title", "{\n'text': %s, 'subtitle': [%S, %s]}", p->chart.title,
                    named->names[panel], more);
    else if (named->count == 1 || p->panels.count > 1)
        iv_json_put(j, "title", "{\n'text': %s, 'subtitle': %S}", p->chart.title,
                    named->names[panel]);
    else
        iv_json_text(j, "title", p->chart.title);
    iv_json_int(j, "width", 600);
    put_values(j, p, panel);
    iv_vega_picture(j, p, panel, i);
}

void iv_render_vega(FILE *out, iv_report_view *view)
{
    iv_json j = { .out = out };
    size_t pictures = 0;

    for (size_t i = 0; i < view->plot_count; i++)
        pictures += iv_plot_pictures(view->plots[i]);
    iv_json_put(&j, NULL, "{\n'$schema': %s", IV_VEGA_SCHEMA);
    iv_vega_choice(&j, view, 0, view->plot_count);
    if (pictures > 1)
        iv_json_array(&j, "vconcat");
    for (size_t i = 0; i < view->plot_count; i++)
        for (size_t k = 0; k < iv_plot_pictures(view->plots[i]); k++) {
            if (pictures > 1)
                iv_json_object(&j, NULL);
            put_picture(&j, view->plots[i], i, k);
            if (pictures > 1)
                iv_json_close(&j);
        }
    if (pictures > 1)
        iv_json_put(&j, NULL, "], 'resolve': {'scale': {'color': 'independent', "
                    "'shape': 'independent', 'strokeDash': 'independent'}}");
    iv_vega_config(&j);
    iv_json_close(&j);
    putc('\n', out);
}
