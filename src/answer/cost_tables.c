/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "answer/answer_parts.h"

typedef struct coefficient_row {
    const char *name;
    double estimate, se, se_scaled;
} coefficient_row;

const iv_field iv_cost_coefficient_fields[] = {
    { "coefficient", IV_AT(coefficient_row, name), .about = "coefficient of the model" },
    { "estimate", IV_AT(coefficient_row, estimate), .digits = 4, .about = "estimate" },
    { "se", IV_AT(coefficient_row, se), .digits = 4,
      .about = "standard error if counts are Poisson" },
    { "se_scaled", IV_AT(coefficient_row, se_scaled), .digits = 4,
      .about = "standard error scaled by the dispersion" },
    { NULL } };

void iv_put_cost_model(iv_result *out, const iv_cost_model *m)
{
    static const char *const names[] = { "constant", "log certainty", "log topics" };
    coefficient_row rows[3];

    for (size_t k = 0; k < 3; k++) {
        const double se = m->rows > 0 ? sqrt(m->covariance[k][k]) : (double)NAN;
        rows[k] = (coefficient_row){ names[k], m->g[k], se, se * sqrt(fmax(1.0, m->dispersion)) };
    }
    IV_TABLE(out, "model", iv_cost_coefficient_fields, rows, 3);
}

const iv_field iv_cost_curve_fields[] = {
    { "certainty", IV_AT(iv_cost_choice, certainty), .digits = 2,
      .about = "probability that the better run of a topic is known" },
    { "topics", IV_AT(iv_cost_choice, topics), .digits = 1, .about = "topics for the same power" },
    { "judgments", IV_AT(iv_cost_choice, judgments), .digits = 1, .about = "judgments needed" },
    { "cost", IV_AT(iv_cost_choice, cost), .digits = 1, .about = "cost of topics and judgments" },
    { NULL } };

void iv_put_cost_curve(iv_result *out, const iv_cost_model *m, double n,
                       const iv_prices *prices, double chosen, iv_showing showing)
{
    enum { FROM = 55, TO = 100 }; /* hundredths */
    const int step = iv_result_wants(out, "curve", IV_ASIDE) ? 1 : 5;
    iv_cost_choice rows[TO - FROM + 1];
    size_t count = 0;

    for (int percent = FROM; percent <= TO; percent += step)
        rows[count++] = iv_cost_at(m, n, percent / 100.0, prices);
    IV_TABLE(out, "curve", iv_cost_curve_fields, rows, count, .showing = showing);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "curve", .title = "What certainty costs",
        .caption = "The cost of an experiment of the same power, over the certainty to which "
                   "each topic is judged: less certainty takes more topics and fewer judgments. "
                   "The cheapest plan is at the lowest point.",
        .x = "certainty", .value = "cost", .lines = { { "the plan", chosen, true } } });
}

void iv_tell_cost(iv_result *out, const iv_cost_model *m, const iv_cost_choice *choice,
                  double least)
{
    if (m->g[2] <= 0.0)
        iv_result_note(out, "In the fitted model more topics need no more judgments, which is "
                            "impossible: do not rely on it.");
    if (m->g[1] <= 0.0)
        iv_result_note(out, "In the fitted model certainty needs no judgments, which is "
                            "impossible: do not rely on it.");
    if (choice->certainty <= least)
        iv_result_note(out, "The cost falls down to certainty %g, the lowest that was tried.",
                            least);
    if (m->rows > 0 && m->dispersion > 2.0)
        iv_result_note(out, "Counts vary %.1f times as much as a Poisson model says: use "
                            "se_scaled, not se.",
                       m->dispersion);
}
