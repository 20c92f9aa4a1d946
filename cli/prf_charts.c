/* SPDX-License-Identifier: Apache-2.0 */
/* What a page of prf draws: posteriors, metrics and differences. */
#include <math.h>
#include <string.h>

#include "prf_charts.h"

enum { POINTS = 120, MOST_SYSTEMS = 8 };

/* Is the posterior drawn?  Of a system as a whole, not of each category. */
static bool is_drawn(const prf_row *r)
{
    const char *what = strchr(r->name, '[');

    return r->posterior != NULL && r->system < MOST_SYSTEMS
        && (what == NULL || strcmp(what, "[micro]") == 0)
        && (r->metric.kind == IV_PRF_PRECISION || r->metric.kind == IV_PRF_RECALL
            || r->metric.kind == IV_PRF_F);
}

static void put_curve(iv_table *t, const prf_row *r, const char *system, const prf_wish *w)
{
    const double from = iv_posterior_quantile(r->posterior, 0.0002);
    const double to = iv_posterior_quantile(r->posterior, 0.9998);
    iv_credible i;

    if (!(to > from)
        || iv_posterior_interval(&i, r->posterior, w->confidence, w->interval, NULL) < 0)
        return;
    for (int k = 0; k <= POINTS; k++) {
        const double x = from + (to - from) * k / POINTS;
        iv_put_text(t, iv_str_of(system));
        iv_put_text(t, iv_str_of(r->name));
        iv_put_real(t, x);
        iv_put_real(t, exp(iv_posterior_log_density(r->posterior, x)));
        iv_put_real(t, i.lower);
        iv_put_real(t, i.upper);
    }
}

static void draw_curves(const prf_rows *rows, const prf_input *in, const prf_wish *w,
                        iv_result *out)
{
    static const iv_column columns[] = {
        { "system", IV_TEXT, 0 }, { "metric", IV_TEXT, 0 }, { "x", IV_REAL, 4 },
        { "density", IV_REAL, 3 }, { "lower", IV_REAL, 4 }, { "upper", IV_REAL, 4 } };
    iv_table *t = iv_result_table(out, "curves", columns, 6);
    char caption[300];

    iv_table_fold(t);
    for (size_t i = 0; i < rows->count; i++)
        if (is_drawn(&rows->at[i]))
            put_curve(t, &rows->at[i], in->systems[rows->at[i].system].name, w);
    (void)snprintf(caption, sizeof caption,
        "The higher a curve, the more likely that value, given the counts. The dark part holds "
        "the truth with probability %g.", w->confidence);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_DENSITY, .table = "curves", .title = "The posteriors",
        .caption = caption, .panel = "metric", .group = in->count > 1 ? "system" : NULL,
        .x = "x", .value = "density", .lower = "lower", .upper = "upper",
        .x_axis = { .title = "value" } });
}

void prf_charts(const prf_rows *rows, const prf_input *in, const prf_wish *w, bool compared,
                iv_result *out)
{
    if (compared)
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_FOREST, .table = "comparison", .title = "The differences",
            .caption = "A point is the difference of two systems, first less second, the line "
                       "its interval. A line that crosses 0 leaves open which is better.",
            .label = in->count > 2 ? "a" : "metric", .against = in->count > 2 ? "b" : NULL,
            .page = in->count > 2 ? "metric" : NULL, .value = "difference",
            .lower = "lower", .upper = "upper", .lines = { { "no difference", 0.0, true } } });
    draw_curves(rows, in, w, out);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "metrics",
        .title = in->count > 1 ? "The systems" : "The metrics",
        .caption = "A point is the mean of the posterior, the line its interval.",
        .label = in->count > 1 ? "system" : "metric",
        .page = in->count > 1 ? "metric" : NULL, .value = "mean", .lower = "lower",
        .upper = "upper" });
    iv_result_assumption(out, "The items are a random sample of those one wants to know about, "
                         "independent of each other, and their gold labels are right.");
}
