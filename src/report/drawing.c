/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intervals drawn in characters, and the columns that charts show.
 *
 *     |----o---|                 an interval and its value
 *        o                       a value without an interval
 *   <--o--|                      reaches beyond the axis
 *
 * Where the axis crosses zero, a dotted line marks it: whether an interval
 * holds zero is what most readers look for.
 */
#include "base/err.h"
#include "base/ids.h"
#include "base/memory.h"
#include "report/cells.h"
#include "report/drawing.h"
#include "report/plot.h"
#include "result/result_state.h"

#include <math.h>
#include <string.h>

enum { LEFT, LINE, RIGHT, POINT, LESS, MORE, ZERO, TICK, MARKS };

/* In ASCII, and in Unicode. */
static const char *const marks[2][MARKS] = { { "|", "-", "|", "o", "<", ">", ":", "+" },
                                             { "├", "─", "┤", "●", "←", "→", "┊", "┴" } };

/* NAN where there is no such column or no value in it; a count is on no scale with shares. */
static double number_at(const iv_table *t, size_t row, size_t column)
{
    if (column == SIZE_MAX)
        return NAN;
    const iv_cell cell = iv_table_cell(t, row, column);
    return cell.missing || cell.count ? NAN : cell.real;
}

/* 1, 2 or 5 times a power of ten, not below x > 0. */
static double round_step(double x)
{
    const double power = pow(10.0, floor(log10(x)));
    const double lead = x / power;

    return power * (lead <= 1.0 ? 1.0 : lead <= 2.0 ? 2.0 : lead <= 5.0 ? 5.0 : 10.0);
}

/* An axis with round ends that holds all of the table's data. */
static bool axis_from_data(iv_drawing *d, const iv_table *t)
{
    double low = INFINITY, high = -INFINITY;

    for (size_t row = 0; row < iv_table_rows(t); row++) {
        const double x[] = { number_at(t, row, d->lower), number_at(t, row, d->value),
                             number_at(t, row, d->upper) };
        for (size_t i = 0; i < 3; i++) {
            low = fmin(low, x[i]); /* fmin and fmax pass over NAN */
            high = fmax(high, x[i]);
        }
    }
    if (!(low <= high))
        return false;
    /* Ends that differ in a far digit need no axis that tells them apart. */
    const double largest = fmax(fabs(low), fabs(high));
    const double spread = high > low ? fmax(high - low, 1e-4 * largest) : fmax(largest, 1.0);
    const double step = round_step(spread / 10.0);
    if (!isfinite(spread) || !(step > 0.0))
        return false;
    d->from = step * floor(low / step);
    d->to = step * ceil(high / step);
    if (!(d->to > d->from))
        d->to = d->from + step;
    d->digits = (int)fmax(0.0, -floor(log10(step) + 1e-9));
    return isfinite(d->from) && isfinite(d->to);
}

bool iv_drawing_fit(iv_drawing *out, const iv_table *t, size_t room, bool utf8)
{
    const iv_drawn *drawn = iv_table_drawn(t);
    iv_drawing d = { .digits = -1, .utf8 = utf8 };

    if (drawn == NULL || room < IV_DRAWING_LEAST || iv_table_rows(t) == 0)
        return false;
    d.columns = room > IV_DRAWING_MOST ? IV_DRAWING_MOST : (int)room;
    d.value = iv_table_find(t, drawn->value);
    d.lower = iv_table_find(t, drawn->lower);
    d.upper = iv_table_find(t, drawn->upper);
    d.from = drawn->from;
    d.to = drawn->to;
    if (!(d.to > d.from) && !axis_from_data(&d, t))
        return false;
    *out = d;
    return true;
}

/* The column of x, or -1 and d->columns when it lies beyond the axis. */
static int place(const iv_drawing *d, double x)
{
    /* What differs from the end by rounding alone is not beyond it. */
    const double slack = 1e-9 * (d->to - d->from);

    if (x < d->from - slack)
        return -1;
    if (x > d->to + slack)
        return d->columns;
    return (int)lround((x - d->from) / (d->to - d->from) * (d->columns - 1));
}

/* The column where zero is marked, or -1. */
static int zero_place(const iv_drawing *d)
{
    const int at = d->from < 0.0 && d->to > 0.0 ? place(d, 0.0) : -1;

    return at > 0 && at < d->columns - 1 ? at : -1;
}

static void draw_span(const char **cells, const iv_drawing *d, double lower, double upper)
{
    const char *const *m = marks[d->utf8];
    const int last = d->columns - 1;
    /* An end that is missing lies beyond the axis: a one-sided interval. */
    const int left = isnan(lower) ? -1 : place(d, lower);
    const int right = isnan(upper) ? d->columns : place(d, upper);

    for (int i = left < 0 ? 0 : left; i <= right && i <= last; i++)
        cells[i] = m[LINE];
    if (left >= 0 && left <= last)
        cells[left] = m[LEFT];
    if (right >= 0 && right <= last)
        cells[right] = m[RIGHT];
    if (left < 0)
        cells[0] = m[LESS];
    if (right > last)
        cells[last] = m[MORE];
}

void iv_drawing_row(FILE *out, const iv_drawing *d, const iv_table *t, size_t row,
                    const char *before, const char *after)
{
    const char *const *m = marks[d->utf8];
    const double lower = number_at(t, row, d->lower);
    const double upper = number_at(t, row, d->upper);
    const double value = number_at(t, row, d->value);
    const char *cells[IV_DRAWING_MOST];
    int end = d->columns;

    for (int i = 0; i < d->columns; i++)
        cells[i] = " ";
    if (zero_place(d) >= 0)
        cells[zero_place(d)] = m[ZERO];
    if (!isnan(lower) || !isnan(upper))
        draw_span(cells, d, lower, upper);
    if (!isnan(value)) {
        const int at = place(d, value);
        if (at < 0)
            cells[0] = m[LESS];
        else if (at >= d->columns)
            cells[d->columns - 1] = m[MORE];
        else
            cells[at] = m[POINT];
    }
    while (end > 0 && cells[end - 1][0] == ' ')
        end--;
    if (end == 0)
        return;
    fputs(before, out);
    for (int i = 0; i < end; i++)
        fputs(cells[i], out);
    fputs(after, out);
}

static const char *label(char out[IV_CELL_SIZE], const iv_drawing *d, double x)
{
    const iv_column column = { "", IV_REAL, d->digits };

    if (fabs(x) < 1e-9 * (d->to - d->from))
        x = 0.0; /* step times floor() may miss it by a hair */
    return iv_cell_rounded(out, &column, (iv_cell){ .real = x });
}

void iv_drawing_axis(FILE *out, const iv_drawing *d)
{
    const char *const *m = marks[d->utf8];
    char from[IV_CELL_SIZE], to[IV_CELL_SIZE];
    const int first = (int)strlen(label(from, d, d->from)) + 1;
    const int last = d->columns - (int)strlen(label(to, d, d->to)) - 1;

    fprintf(out, "%s ", from);
    for (int i = first; i < last; i++)
        fputs(i == zero_place(d) ? m[TICK] : m[LINE], out);
    fprintf(out, " %s", to);
}

size_t iv_plot_pictures(const iv_plot *p)
{
    enum { MOST_STILL = 12 };
    const size_t most = p->at[IV_ROLE_PANEL] != iv_table_find(p->table, p->chart.panel)
        ? MOST_STILL : SIZE_MAX;

    return p->panels.count < 2 ? 1 : p->panels.count < most ? p->panels.count : most;
}

const iv_column *iv_plot_column(const iv_plot *p, iv_role role)
{
    return p->at[role] == SIZE_MAX ? NULL : &p->table->columns[p->at[role]];
}

/* What the row has in a role; false: nothing. */
static bool cell_in(iv_cell *out, const iv_plot *p, size_t row, iv_role role)
{
    if (p->at[role] == SIZE_MAX)
        return false;
    *out = iv_table_cell(p->table, row, p->at[role]);
    return !out->missing;
}

/* Is the row one of those the chart is about? */
static bool is_meant(const iv_plot *p, size_t row)
{
    const char *is = p->chart.is, *is_not = p->chart.is_not;
    iv_cell cell;

    if (!cell_in(&cell, p, row, IV_ROLE_WHERE))
        return is == NULL || p->at[IV_ROLE_WHERE] == SIZE_MAX;
    return is != NULL ? iv_str_cmp(cell.text, iv_str_of(is)) == 0
        : is_not == NULL || iv_str_cmp(cell.text, iv_str_of(is_not)) != 0;
}

bool iv_plot_takes(const iv_plot *p, size_t row)
{
    iv_cell cell;

    return cell_in(&cell, p, row,
                   p->at[IV_ROLE_VALUE] != SIZE_MAX ? IV_ROLE_VALUE : IV_ROLE_LOWER)
        && is_meant(p, row) && (p->chart.kind != IV_CHART_FOREST || !cell.count);
}

/* The row's text in a role; of a number its digits.  False: it has none. */
static bool text_in(iv_str *out, char digits[IV_CELL_SIZE], const iv_plot *p, size_t row,
                    iv_role role)
{
    const iv_column *column = iv_plot_column(p, role);
    iv_cell cell;

    if (!cell_in(&cell, p, row, role))
        return false;
    *out = column->kind == IV_TEXT ? cell.text : iv_str_of(iv_cell_exact(digits, column, cell));
    return true;
}

/* Adds it to those seen. */
static void see(iv_ids *seen, iv_plot *p, size_t row, iv_role role)
{
    char digits[IV_CELL_SIZE];
    iv_str text;

    if (!text_in(&text, digits, p, row, role) || iv_ids_find(seen, text) != IV_NO_ID)
        return;
    if (text.ptr == digits)
        text.ptr = iv_arena_copy(p->own, text);
    if (text.ptr == NULL || iv_ids_add(seen, text) == IV_NO_ID)
        p->own->failed = true;
}

/* Counts what there is to see. */
static void survey(iv_plot *p)
{
    const bool all = p->chart.kind == IV_CHART_MATRIX || p->chart.kind == IV_CHART_BARS;
    iv_ids labels = { 0 };
    iv_cell cell;
    size_t ends = 0;

    for (size_t row = 0; row < iv_table_rows(p->table); row++) {
        if (all && is_meant(p, row)) {
            see(&p->down, p, row, IV_ROLE_LABEL);
            see(&p->across, p, row, IV_ROLE_AGAINST);
        }
        if (!iv_plot_takes(p, row))
            continue;
        p->rows++;
        if (cell_in(&cell, p, row, IV_ROLE_VALUE)) {
            const double value = iv_plot_column(p, IV_ROLE_VALUE)->kind == IV_INTEGER
                ? (double)cell.integer : cell.real;
            p->below_zero = p->below_zero || value < 0.0;
            p->above_zero = p->above_zero || value > 0.0;
            p->farthest = fmax(p->farthest, fabs(value));
        }
        const size_t both = (size_t)cell_in(&cell, p, row, IV_ROLE_LOWER)
            + cell_in(&cell, p, row, IV_ROLE_UPPER);
        p->gaps = p->gaps || both < 2;
        ends += both;
        see(&labels, p, row, IV_ROLE_LABEL);
        see(&p->groups, p, row, IV_ROLE_GROUP);
        see(&p->panels, p, row, IV_ROLE_PANEL);
        see(&p->pages, p, row, IV_ROLE_PAGE);
    }
    p->lines = labels.count;
    if (p->chart.kind == IV_CHART_FOREST && p->at[IV_ROLE_AGAINST] != SIZE_MAX)
        p->lines = p->rows / ((p->pages.count + !p->pages.count)
                              * (p->panels.count + !p->panels.count));
    if (ends == 0 && p->at[IV_ROLE_VALUE] != SIZE_MAX) /* values alone are drawn */
        p->at[IV_ROLE_LOWER] = p->at[IV_ROLE_UPPER] = SIZE_MAX;
    iv_ids_free(&labels);
}

/* Which of the texts seen a row has in a role; 0 for a role without column. */
static size_t place_of(const iv_ids *seen, const iv_plot *p, size_t row, iv_role role)
{
    char digits[IV_CELL_SIZE];
    iv_str text;
    const uint32_t id = text_in(&text, digits, p, row, role) ? iv_ids_find(seen, text) : IV_NO_ID;

    return id == IV_NO_ID ? 0 : id;
}

/* Counts the groups of each picture. */
static void count_groups(iv_plot *p)
{
    enum { MOST = 1000000 };
    const size_t pages = p->pages.count + !p->pages.count, groups = p->groups.count;
    const size_t pictures = pages * (p->panels.count + !p->panels.count);

    p->most_groups = groups;
    if (groups < 2 || pictures < 2 || pictures > MOST / groups)
        return;
    bool *has = iv_take(p->own, pictures * groups, sizeof *has);
    if (has == NULL)
        return;
    for (size_t row = 0; row < iv_table_rows(p->table); row++)
        if (iv_plot_takes(p, row))
            has[(place_of(&p->panels, p, row, IV_ROLE_PANEL) * pages
                 + place_of(&p->pages, p, row, IV_ROLE_PAGE)) * groups
                + place_of(&p->groups, p, row, IV_ROLE_GROUP)] = true;
    p->most_groups = 0;
    for (size_t i = 0; i < pictures; i++) {
        size_t count = 0;
        for (size_t k = 0; k < groups; k++)
            count += has[i * groups + k];
        p->most_groups = count > p->most_groups ? count : p->most_groups;
    }
}

static void forget(void *plot)
{
    iv_plot *p = plot;

    iv_ids_free(&p->groups);
    iv_ids_free(&p->panels);
    iv_ids_free(&p->pages);
    iv_ids_free(&p->down);
    iv_ids_free(&p->across);
}

/* A chart of a table in view; one without a row is left out. */
static void add(iv_report_view *view, const iv_chart *chart, size_t number)
{
    iv_plot *p = iv_own(&view->memory, iv_take(&view->memory, 1, sizeof *p), forget);
    const bool spread = view->options->still && chart->panel == NULL;
    const char *const names[IV_ROLES] = {
        chart->label, chart->against, chart->x, chart->value, chart->lower, chart->upper,
        chart->group, spread ? chart->page : chart->panel, spread ? NULL : chart->page,
        chart->where };

    if (p == NULL)
        return;
    *p = (iv_plot){ .chart = *chart, .table = &view->tables[number], .number = number,
                    .own = &view->memory };
    for (iv_role r = IV_ROLE_LABEL; r < IV_ROLES; r++)
        p->at[r] = iv_table_find(p->table, names[r]);
    survey(p);
    count_groups(p);
    if (p->rows > 0)
        view->plots[view->plot_count++] = p;
}

/* A forest of the intervals that text output draws; false: there are none. */
static bool forest_of(iv_chart *out, const iv_table *t)
{
    const iv_drawn *drawn = iv_table_drawn(t);
    const char *texts[3] = { NULL, NULL, NULL }, *first = NULL;
    size_t found = 0;

    if (drawn == NULL)
        return false;
    for (size_t c = 0; c < t->column_count; c++) {
        if (t->columns[c].kind != IV_TEXT)
            continue;
        first = first == NULL ? t->columns[c].name : first;
        if (found < 3 && iv_table_varies(t, c))
            texts[found++] = t->columns[c].name;
    }
    *out = (iv_chart){
        .kind = IV_CHART_FOREST, .title = t->name, .table = t->name,
        .caption = "A point is a value. The line is its interval.",
        .label = found > 0 ? texts[0] : first, .against = found > 2 ? texts[1] : NULL,
        .page = found > 2 ? texts[2] : texts[1], .value = drawn->value,
        .lower = drawn->lower, .upper = drawn->upper,
        .value_axis = { .from = drawn->from, .to = drawn->to } };
    return first != NULL;
}

int iv_view_plots(iv_report_view *view, iv_err *err)
{
    const iv_result *r = view->result;
    iv_chart made;

    view->plots = iv_take(&view->memory, r->chart_count + view->count + 1, sizeof *view->plots);
    IV_TRY(iv_taken(&view->memory, err));
    for (size_t i = 0; i < r->chart_count; i++)
        for (size_t k = 0; k < view->count; k++)
            if (strcmp(view->tables[k].name, r->charts[i].table) == 0)
                add(view, &r->charts[i], k);
    for (size_t k = 0; r->chart_count == 0 && k < view->count; k++)
        if (forest_of(&made, &view->tables[k]))
            add(view, &made, k);
    return iv_taken(&view->memory, err);
}
