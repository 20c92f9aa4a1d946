/* SPDX-License-Identifier: Apache-2.0 */
/* Table cells: a confusion matrix with intervals in its rows. */
#include "base/err.h"
#include "classify/confusion.h"
#include "stat/group_gaps.h"

#include <math.h>

enum { MOST_READ = 12, MOST_DRAWN = 30 };

typedef struct cell_row {
    const char *system, *gold, *predicted;
    size_t items;
    double rate, lower, upper;
} cell_row;

const iv_field iv_prf_cell_fields[] = {
    { "system", IV_AT(cell_row, system), .audience = IV_IF_VARIES, .about = "a system" },
    { "gold", IV_AT(cell_row, gold), .about = "class in the gold labels" },
    { "predicted", IV_AT(cell_row, predicted), .about = "class by the system" },
    { "items", IV_AT(cell_row, items), .about = "items of this gold class and prediction" },
    { "rate", IV_AT(cell_row, rate), .digits = 4,
      .about = "proportion of the gold class that got this prediction" },
    IV_LIMITS(cell_row, , 4),
    { NULL } };

static size_t cells_of(const iv_confusion *c)
{
    return c->system_count * c->class_count * c->class_count;
}

bool iv_confusion_is_short(const iv_confusion *c) { return cells_of(c) <= MOST_READ; }

int iv_confusion_put(iv_result *out, const iv_confusion *c, iv_err *err)
{
    const size_t k = c->class_count, n = c->system_count * k;
    cell_row *rows = iv_take(iv_result_own(out), n * k + 1, sizeof *rows);

    IV_TRY(iv_taken(iv_result_own(out), err));
    for (size_t i = 0; i < n; i++) {
        const int64_t *row = c->counts + i * k;
        int64_t all = 0;
        for (size_t p = 0; p < k; p++)
            all += row[p];
        for (size_t p = 0; p < k; p++) {
            iv_group_value g = iv_group_proportion(row[p], all);
            g.careful = c->careful;
            const iv_limits l = all > 0 ? g.limits(&g, 0.5 * (1.0 - c->confidence))
                                        : (iv_limits){ NAN, NAN };
            rows[i * k + p] = (cell_row){ .system = c->systems[i / k], .gold = c->classes[i % k],
                                          .predicted = c->classes[p], .items = (size_t)row[p],
                                          .rate = g.value, .lower = l.lower, .upper = l.upper };
        }
    }
    IV_TABLE(out, "cells", iv_prf_cell_fields, rows, n * k,
             .showing = iv_confusion_is_short(c) ? IV_SHOWN : IV_LONG);
    return IV_OK;
}

void iv_confusion_chart(iv_result *out, const iv_confusion *c, const char *opens)
{
    if (c->class_count <= MOST_DRAWN)
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_MATRIX, .table = "cells", .title = "Confusion",
            .caption = "A row is a class in the gold labels. A cell is the proportion of its items "
                       "that got this prediction, and its interval.", .label = "gold",
            .against = "predicted", .page = c->system_count > 1 ? "system" : NULL,
            .opens = opens, .value = "rate", .lower = "lower", .upper = "upper",
            .value_axis = { "rate", 0.0, 1.0, false } });
}
