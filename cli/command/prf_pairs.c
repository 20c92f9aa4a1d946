/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of comparisons. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/prf_compare.h"

static const iv_column pair_columns[] = {
    { "a", IV_TEXT, 0 },           { "b", IV_TEXT, 0 },       { "metric", IV_TEXT, 0 },
    { "probability", IV_REAL, 4 }, { "difference", IV_REAL, 4 },
    { "lower", IV_REAL, 4 },       { "upper", IV_REAL, 4 } };

/* P(row > column) by one metric; missing where there is no such pair. */
static double probability(const prf_comparison *c, const char *metric, size_t row,
                          size_t column)
{
    for (size_t i = 0; i < c->pairs.count; i++) {
        const prf_pair *p = &c->pairs.at[i];
        if (strcmp(p->metric, metric) != 0)
            continue;
        if (p->a == row && p->b == column)
            return p->probability;
        if (p->a == column && p->b == row)
            return 1.0 - p->probability;
    }
    return NAN;
}

static void tell_matrix(const prf_comparison *c, const prf_input *in, iv_result *result)
{
    iv_column *columns = calloc(in->count + 2, sizeof *columns);
    iv_table *t;

    if (columns == NULL)
        return; /* the result's own allocations will tell */
    columns[0] = (iv_column){ "metric", IV_TEXT, 0 };
    columns[1] = (iv_column){ "system", IV_TEXT, 0 };
    for (size_t s = 0; s < in->count; s++)
        columns[s + 2] = (iv_column){ in->systems[s].name, IV_REAL, 4 };
    t = iv_result_table(result, "matrix", columns, in->count + 2);
    free(columns);
    for (size_t m = 0; m < c->best_count; m++) {
        for (size_t row = 0; row < in->count; row++) {
            iv_put_text(t, iv_str_of(c->best[m].metric));
            iv_put_text(t, iv_str_of(in->systems[row].name));
            for (size_t column = 0; column < in->count; column++)
                iv_put_real(t, probability(c, c->best[m].metric, row, column));
        }
    }
}

static void tell_best(const prf_comparison *c, const prf_input *in, const prf_wish *wish,
                      iv_result *result)
{
    static const iv_column columns[] = { { "metric", IV_TEXT, 0 }, { "system", IV_TEXT, 0 },
                                         { "probability", IV_REAL, 4 },
                                         { "error", IV_REAL, 5 } };
    iv_table *t = iv_result_table(result, "best", columns, 4);

    for (size_t m = 0; m < c->best_count; m++) {
        for (size_t s = 0; s < in->count; s++) {
            const double p = c->best[m].probability[s];
            iv_put_text(t, iv_str_of(c->best[m].metric));
            iv_put_text(t, iv_str_of(in->systems[s].name));
            iv_put_real(t, p);
            iv_put_real(t, c->best[m].drawn ? sqrt(p * (1.0 - p) / (double)wish->draws) : NAN);
        }
    }
}

void prf_comparison_tell(const prf_comparison *c, const prf_input *in, const prf_wish *wish,
                         iv_result *result)
{
    iv_table *t = iv_result_table(result, "comparison", pair_columns, 7);

    iv_table_draw(t, (iv_drawn){ "difference", "lower", "upper", 0.0, 0.0 });
    for (size_t i = 0; i < c->pairs.count; i++) {
        const prf_pair *p = &c->pairs.at[i];
        iv_put_text(t, iv_str_of(in->systems[p->a].name));
        iv_put_text(t, iv_str_of(in->systems[p->b].name));
        iv_put_text(t, iv_str_of(p->metric));
        iv_put_real(t, p->probability);
        iv_put_real(t, p->difference);
        iv_put_real(t, p->lower);
        iv_put_real(t, p->upper);
    }
    if (c->best_count == 0)
        return;
    tell_matrix(c, in, result);
    tell_best(c, in, wish, result);
}

void prf_comparison_errors(const prf_comparison *c, const prf_input *in, const prf_wish *wish,
                           iv_result *result)
{
    static const iv_column columns[] = {
        { "a", IV_TEXT, 0 },         { "b", IV_TEXT, 0 },
        { "metric", IV_TEXT, 0 },    { "draws", IV_INTEGER, 0 },
        { "probability_error", IV_REAL, 6 }, { "difference_error", IV_REAL, 6 },
        { "lower_error", IV_REAL, 6 }, { "upper_error", IV_REAL, 6 } };
    iv_table *t = NULL;
    double largest = 0.0;

    for (size_t i = 0; i < c->pairs.count; i++) {
        const prf_pair *p = &c->pairs.at[i];
        if (!p->drawn)
            continue;
        if (t == NULL)
            t = iv_result_table(result, "comparison_monte_carlo", columns, 8);
        iv_put_text(t, iv_str_of(in->systems[p->a].name));
        iv_put_text(t, iv_str_of(in->systems[p->b].name));
        iv_put_text(t, iv_str_of(p->metric));
        iv_put_int(t, (int64_t)wish->draws);
        iv_put_real(t, p->probability_error);
        iv_put_real(t, p->difference_error);
        iv_put_real(t, p->lower_error);
        iv_put_real(t, p->upper_error);
        largest = fmax(largest, p->probability_error);
    }
    if (t != NULL)
        iv_result_note(result, "comparisons listed in table comparison_monte_carlo come from "
                       "%zu draws; the Monte Carlo standard error of a probability is at most "
                       "%.1g", wish->draws, largest);
}
