/* SPDX-License-Identifier: Apache-2.0 */
#include "command/study_power_answer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const iv_table *table_named(const iv_result *r, const char *name)
{
    for (size_t i = 0; i < iv_result_tables(r); i++)
        if (strcmp(iv_table_name(iv_result_table_at(r, i)), name) == 0)
            return iv_result_table_at(r, i);
    return NULL;
}

static size_t column_named(const iv_table *t, const char *name)
{
    const iv_column *columns;
    const size_t count = iv_table_columns(&columns, t);

    for (size_t c = 0; c < count; c++)
        if (strcmp(columns[c].name, name) == 0)
            return c;
    return 0;
}

/* The row with the largest value, less that of another column if there is one. */
static double most(size_t *row, const iv_table *t, const char *value, const char *less)
{
    const size_t at = column_named(t, value), from = less == NULL ? 0 : column_named(t, less);
    double found = -1.0;

    for (size_t i = 0; i < iv_table_rows(t); i++) {
        const iv_cell v = iv_table_cell(t, i, at), w = iv_table_cell(t, i, from);
        if (v.missing || (less != NULL && w.missing))
            continue;
        const double x = less == NULL ? v.real : fabs(v.real - w.real);
        if (x > found) {
            found = x;
            *row = i;
        }
    }
    return found;
}

void study_power_answer(iv_result *r)
{
    const iv_table *sign = table_named(r, "sign"), *error = table_named(r, "error");
    char text[200] = "";
    size_t row = 0;

    if (sign != NULL) {
        const double off = most(&row, sign, "observed", "predicted");
        if (off >= 0.0)
            (void)snprintf(text, sizeof text, "The power predicted for the sign test is off by "
                           "%.3f at most", off);
    }
    if (error != NULL) {
        const double worst = most(&row, error, "error", NULL);
        if (worst >= 0.0) {
            const iv_str test = iv_table_cell(error, row, column_named(error, "test")).text;
            const size_t used = strlen(text);
            (void)snprintf(text + used, sizeof text - used, "%s the largest share of false "
                           "alarms is %.3f (%.*s), where %g is promised",
                           used > 0 ? ";" : "Of the tests", worst, (int)test.len, test.ptr,
                           iv_table_cell(error, row, column_named(error, "alpha")).real);
        }
    }
    if (text[0] != '\0')
        iv_result_answer(r, "%s.", text);
}
