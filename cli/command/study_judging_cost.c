/* SPDX-License-Identifier: Apache-2.0 */
#include "command/study_judging_cost.h"

#include <math.h>

void plan_cost_model_table(iv_result *out, const iv_cost_model *m)
{
    static const iv_column columns[] = {
        { "coefficient", IV_TEXT, 0 }, { "estimate", IV_REAL, 4 }, { "se", IV_REAL, 4 },
        { "se_scaled", IV_REAL, 4 } };
    static const char *const names[] = { "constant", "log certainty", "log topics" };
    iv_table *t = iv_result_table(out, "model", columns, 4);

    for (size_t k = 0; k < 3; k++) {
        const double se = m->rows > 0 ? sqrt(m->covariance[k][k]) : (double)NAN;
        iv_put_text(t, iv_str_of(names[k]));
        iv_put_real(t, m->g[k]);
        iv_put_real(t, se);
        iv_put_real(t, se * sqrt(fmax(1.0, m->dispersion)));
    }
}

void plan_cost_fit_table(iv_result *out, const iv_cost_model *m)
{
    static const iv_column columns[] = {
        { "rows", IV_INTEGER, 0 }, { "deviance", IV_REAL, 2 },
        { "null_deviance", IV_REAL, 2 }, { "r2", IV_REAL, 4 },
        { "dispersion", IV_REAL, 2 } };
    iv_table *t = iv_result_table(out, "fit", columns, 5);

    if (m->rows == 0)
        return;
    iv_put_int(t, (int64_t)m->rows);
    iv_put_real(t, m->deviance);
    iv_put_real(t, m->null_deviance);
    iv_put_real(t, m->r2);
    iv_put_real(t, m->dispersion);
}

void plan_cost_curve_table(iv_result *out, const iv_cost_model *m, double n,
                           const iv_prices *prices, int step, double chosen)
{
    static const iv_column columns[] = {
        { "certainty", IV_REAL, 2 }, { "topics", IV_REAL, 1 }, { "judgments", IV_REAL, 1 },
        { "cost", IV_REAL, 1 } };
    iv_table *t = iv_result_table(out, "curve", columns, 4);

    for (int percent = 55; percent <= 100; percent += step) {
        const iv_cost_choice c = iv_cost_at(m, n, percent / 100.0, prices);
        iv_put_real(t, c.certainty);
        iv_put_real(t, c.topics);
        iv_put_real(t, c.judgments);
        iv_put_real(t, c.cost);
    }
    iv_table_show(t, IV_FOLDED);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "curve", .title = "What certainty costs",
        .caption = "The cost of an experiment of the same power, over the certainty to which "
                   "each topic is judged: less certainty takes more topics and fewer judgments. "
                   "The cheapest plan is at the lowest point.",
        .x = "certainty", .value = "cost", .lines = { { "the plan", chosen, true } } });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "curve", .title = "Topics against certainty",
        .caption = "How many topics it takes at each certainty, for the same power.",
        .x = "certainty", .value = "topics", .lines = { { "the plan", chosen, true } } });
}

void plan_cost_tell(iv_result *out, const iv_cost_model *m, const iv_cost_choice *choice,
                    double least)
{
    if (m->g[2] <= 0.0)
        iv_result_note(out, "in the fitted model more topics take no more judgments in all, "
                       "which cannot be; do not rely on it");
    if (m->g[1] <= 0.0)
        iv_result_note(out, "in the fitted model certainty takes no judgments, which cannot be; "
                       "do not rely on it");
    if (choice->certainty <= least)
        iv_result_note(out, "the cost falls down to certainty %g, the lowest looked at", least);
    if (m->rows > 0 && m->dispersion > 2.0)
        iv_result_note(out, "counts vary %.1f times as much as Poisson's: use se_scaled, not se",
                       m->dispersion);
}
