/* SPDX-License-Identifier: Apache-2.0 */
/* More items or more repeats? */
#include <math.h>

#include "answer/answer_columns.h"
#include "answer/scored_tables.h"

typedef struct design_row {
    double items, repeats, scores, se, g;
} design_row;

const iv_field iv_scored_design_fields[] = {
    { "items", IV_AT(design_row, items), .digits = 0, .about = "each scored for every system" },
    { "repeats", IV_AT(design_row, repeats), .digits = 0, .about = "of each system on each item" },
    { "scores", IV_AT(design_row, scores), .digits = 0, .about = "to be made for each system" },
    { "se", IV_AT(design_row, se), .digits = 5,
      .about = "standard error of the difference of two systems" },
    { "generalisability", IV_AT(design_row, g), .digits = 3,
      .about = "how far the order of the systems would hold" },
    { NULL } };

int iv_tell_design(const iv_scorecard *card, double confidence, iv_result *out, iv_err *err)
{
    static const double by_items[] = { 0.5, 1.0, 2.0, 4.0 }, by_repeats[] = { 1.0, 2.0, 3.0, 5.0, 10.0 };
    design_row rows[20];
    iv_variance_parts p;
    iv_err why;
    const int rc = iv_scorecard_parts(&p, card, 0, confidence, NULL, &why);

    if (rc == IV_ENODATA)
        return IV_OK; /* nothing that all systems have */
    if (rc != IV_OK)
        return iv_fail_as(err, &why);
    if (p.repeats < 2)
        return IV_OK;
    if (iv_scorecard_units(card)) {
        iv_result_note(out, "no table of more items and more repeats: these are of %ss that vary as "
                       "wholes", iv_scorecard_unit(card));
        return IV_OK;
    }
    for (size_t k = 0; k < 20; k++) {
        const double items = ceil(by_items[k / 5] * (double)p.items), r = by_repeats[k % 5];
        rows[k] = (design_row){ items, r, items * r, iv_variance_se(&p, items, r),
                                iv_variance_g(&p, items, r) };
    }
    (void)iv_result_rows(out, &(iv_rows){ "design", iv_scored_design_fields, rows, 20, sizeof *rows,
                                          .showing = IV_SHOWN });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "design", .title = "More items or more repeats?",
        .caption = "The standard error of a difference of two systems over how many scores each "
                   "needs; a curve a number of repeats.",
        .x = "scores", .value = "se", .group = "repeats",
        .x_axis = { .title = "scores of each system", .log = true } });
    const double I = (double)p.items, R = (double)p.repeats;
    const double now = iv_variance_se(&p, I, R), wide = iv_variance_se(&p, 2.0 * I, R);
    const double deep = iv_variance_se(&p, I, 2.0 * R);
    iv_result_note(out, "twice the items bring the standard error of a difference from %.5f to "
                   "%.5f, twice the repeats to %.5f: %s", now, wide, deep,
                   deep - wide > 0.02 * now ? "more items buy more"
                   : wide - deep > 0.02 * now ? "more repeats buy more" : "either buys the same");
    return IV_OK;
}
