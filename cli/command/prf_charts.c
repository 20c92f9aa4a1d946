/* SPDX-License-Identifier: Apache-2.0 */
/* What a page of prf draws: posteriors, metrics and differences. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/prf_charts.h"

enum { POINTS = 120, MOST_SYSTEMS = 8, BINS = 1024 };

/* Is the posterior drawn?  Of a system as a whole, as its answer speaks of it. */
static bool is_drawn(const prf_row *r)
{
    const char *what = strchr(r->name, '[');

    return r->system < MOST_SYSTEMS && (what == NULL || strcmp(what, "[macro]") == 0)
        && (r->metric.kind == IV_PRF_PRECISION || r->metric.kind == IV_PRF_RECALL
            || r->metric.kind == IV_PRF_F);
}

/* Draws in narrow bins, to be smoothed by a normal kernel. */
typedef struct smoothed {
    double from, to, bandwidth;
    double share[BINS];
} smoothed;

static void smoothed_fill(smoothed *s, const double *draws, size_t n)
{
    double mean = 0.0, square = 0.0;

    *s = (smoothed){ .from = draws[0], .to = draws[0] };
    for (size_t i = 0; i < n; i++) {
        s->from = fmin(s->from, draws[i]);
        s->to = fmax(s->to, draws[i]);
        mean += draws[i] / (double)n;
    }
    if (!(s->to > s->from))
        return;
    for (size_t i = 0; i < n; i++) {
        const double at = (draws[i] - s->from) / (s->to - s->from) * BINS;
        square += (draws[i] - mean) * (draws[i] - mean) / (double)n;
        s->share[at < BINS ? (size_t)at : BINS - 1] += 1.0 / (double)n;
    }
    s->bandwidth = 1.3 * sqrt(square) * pow((double)n, -0.2);
}

/* What the kernel would spill beyond 0 and 1 is turned back. */
static double smoothed_density(const smoothed *s, double x)
{
    const double unit = sqrt(2.0) * s->bandwidth, height = 1.0 / (unit * sqrt(acos(-1.0)));
    double sum = 0.0;

    for (size_t i = 0; i < BINS; i++) {
        const double at = s->from + (s->to - s->from) * ((double)i + 0.5) / BINS;
        const double gaps[] = { x - at, x + at, 2.0 - x - at };
        for (size_t k = 0; k < 3; k++)
            sum += s->share[i] * height * exp(-(gaps[k] / unit) * (gaps[k] / unit));
    }
    return sum;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void put_curve(iv_table *t, const prf_row *r, const char *system, const prf_wish *w)
{
    double x[POINTS + 3];
    size_t count = 0;
    iv_credible i;
    smoothed s;

    if (prf_row_interval(&i, r, w, NULL) < 0)
        return;
    if (r->posterior != NULL)
        s = (smoothed){ .from = iv_posterior_quantile(r->posterior, 0.0002),
                        .to = iv_posterior_quantile(r->posterior, 0.9998) };
    else
        smoothed_fill(&s, r->draws, w->draws);
    if (!(s.to > s.from))
        return;
    for (int k = 0; k <= POINTS; k++)
        x[count++] = s.from + (s.to - s.from) * k / POINTS;
    /* The dark part is to end at the limits, so these are on the curve too. */
    x[count++] = fmin(fmax(i.lower, s.from), s.to);
    x[count++] = fmin(fmax(i.upper, s.from), s.to);
    qsort(x, count, sizeof *x, by_size);
    for (size_t k = 0; k < count; k++) {
        if (k > 0 && x[k] <= x[k - 1])
            continue;
        iv_put_text(t, iv_str_of(system));
        iv_put_text(t, iv_str_of(r->name));
        iv_put_real(t, x[k]);
        iv_put_real(t, r->posterior != NULL ? exp(iv_posterior_log_density(r->posterior, x[k]))
                                            : smoothed_density(&s, x[k]));
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
    char caption[400];

    iv_table_show(t, IV_FOLDED);
    for (size_t i = 0; i < rows->count; i++)
        if (is_drawn(&rows->at[i]))
            put_curve(t, &rows->at[i], in->systems[rows->at[i].system].name, w);
    (void)snprintf(caption, sizeof caption,
        "The higher a curve, the more likely that value, given the counts. The dark part holds "
        "the truth with probability %g.%s", w->confidence,
        in->systems[0].count > 1 ? " Macro averages are means over the categories or classes; "
                                   "their curves are smoothed draws." : "");
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
