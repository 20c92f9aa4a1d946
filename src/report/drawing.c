/* SPDX-License-Identifier: Apache-2.0 */
/*
 *     |----o---|                 an interval and its value
 *        o                       a value without an interval
 *   <--o--|                      reaches beyond the axis
 *
 * Where the axis crosses zero, a dotted line marks it: whether an interval
 * holds zero is what most readers look for.
 */
#include "report/report_parts.h"
#include "base/base_private.h"

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
