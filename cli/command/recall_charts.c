/* SPDX-License-Identifier: Apache-2.0 */
#include "command/recall_charts.h"

#include <math.h>

enum { POINTS = 80, MOST_CURVES = 40 };

iv_table *recall_curves(iv_result *out)
{
    static const iv_column columns[] = {
        { "case", IV_TEXT, 0 }, { "quantity", IV_TEXT, 0 }, { "x", IV_REAL, 4 },
        { "density", IV_REAL, 3 }, { "lower", IV_REAL, 4 }, { "upper", IV_REAL, 4 } };
    iv_table *t = iv_result_table(out, "curves", columns, 6);

    iv_table_show(t, IV_FOLDED);
    return t;
}

typedef struct curve_point {
    double x, density;
} curve_point;

static void put_point(iv_table *t, const char *const names[2], curve_point p,
                      iv_recall_interval limits)
{
    iv_put_text(t, iv_str_of(names[0]));
    iv_put_text(t, iv_str_of(names[1]));
    iv_put_real(t, p.x);
    iv_put_real(t, p.density);
    iv_put_real(t, limits.lower);
    iv_put_real(t, limits.upper);
}

/* The point of a limit on the line between two others: the dark part ends there. */
static void put_between(iv_table *t, const char *const names[2], curve_point a, curve_point b,
                        double x, iv_recall_interval limits)
{
    if (x > a.x && x < b.x)
        put_point(t, names, (curve_point){ x, a.density + (b.density - a.density)
                                                  * (x - a.x) / (b.x - a.x) }, limits);
}

/*
 * The probability of each of many short stretches, over its length.  Where the
 * values are multiples of an atom, each stretch holds as many of them as any
 * other, so that the curve has no teeth; 0: they are not.
 */
static void put_curve(iv_table *t, const char *const names[2], const iv_recall_posterior *w,
                      iv_recall_quantity quantity, double beta, iv_recall_interval limits, double atom)
{
    const double from = iv_recall_quantile(w, quantity, beta, 0.0002);
    const double to = iv_recall_quantile(w, quantity, beta, 0.9998);
    double first = fmax(0.0, from - 0.02 * (to - from));
    double step = (fmin(1.0, to + 0.02 * (to - from)) - first) / POINTS;

    if (!(step > 0.0))
        return; /* all of it at one value */
    if (atom > 0.0) {
        step = atom * ceil(step / atom);
        first = atom * (floor(first / atom) - 0.5);
    }
    curve_point last = { NAN, NAN };
    for (int i = 0; i < POINTS && first + i * step < fmin(1.0, to + 2.0 * step); i++) {
        const double at = first + i * step;
        const double mass = (at + step >= 1.0 ? 1.0 : iv_recall_below(w, quantity, beta, at + step))
            - (at <= 0.0 ? 0.0 : iv_recall_below(w, quantity, beta, at));
        const curve_point next = { at + step / 2.0, fmax(mass, 0.0) / step };
        put_between(t, names, last, next, limits.lower, limits);
        put_between(t, names, last, next, limits.upper, limits);
        put_point(t, names, next, limits);
        last = next;
    }
}

void recall_put_curves(iv_table *t, const cmd_context *c, const recall_case *k,
                       const char *method, iv_recall_posterior *w)
{
    static const struct { iv_recall_quantity quantity; const char *name; } shown[] = {
        { IV_RECALL_RECALL, "recall" }, { IV_RECALL_PRECISION, "precision" },
        { IV_RECALL_F, "F" } };
    const recall_args *a = c->args;
    char name[400];
    double retrieved = 0.0;

    if (iv_table_rows(t) >= MOST_CURVES * 3 * POINTS)
        return;
    if (k->cutoff > 0)
        (void)snprintf(name, sizeof name, "%.150s at %lld, %s", k->topic, (long long)k->cutoff,
                       method);
    else
        (void)snprintf(name, sizeof name, "%.150s, %s", k->run, method);
    for (size_t i = 0; i < k->retrieved; i++)
        retrieved += (double)k->strata[i].size;
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        iv_recall_interval limits = iv_recall_limits(w, shown[i].quantity, a->beta,
                                                     c->shared->confidence, a->one_sided);
        if (a->one_sided)
            limits.upper = 1.0;
        put_curve(t, (const char *const[]){ name, shown[i].name }, w, shown[i].quantity, a->beta, limits,
                  shown[i].quantity == IV_RECALL_PRECISION ? 1.0 / retrieved : 0.0);
    }
}

static void draw_curves(iv_result *out, const cmd_context *c)
{
    const recall_args *a = c->args;
    char caption[400];
    iv_chart chart = {
        .kind = IV_CHART_DENSITY, .table = "curves", .title = "Recall", .caption = caption,
        .page = "case", .where = "quantity", .is = "recall", .x = "x", .value = "density",
        .lower = "lower", .upper = "upper", .x_axis = { .title = "recall" } };

    (void)snprintf(caption, sizeof caption,
        "The higher the curve, the more likely that recall, given the samples. The dark part "
        "is the %g %% %s.%s", 100.0 * c->shared->confidence,
        a->one_sided ? "above the lower limit" : "interval",
        isnan(a->target) ? "" : " What lies right of the dashed line is the probability that "
        "the target is met.");
    if (!isnan(a->target))
        chart.lines[0] = (iv_chart_line){ "target", a->target, true };
    iv_result_chart(out, &chart);
    chart.title = "Precision and F";
    chart.panel = "quantity";
    chart.is = NULL;
    chart.is_not = "recall";
    chart.caption = "Precision and F from the same posterior; the dark part is the interval.";
    chart.x_axis.title = "value";
    chart.lines[0].text = NULL;
    iv_result_chart(out, &chart);
}

void recall_charts(iv_result *out, const cmd_context *c, const recall_cases *cases)
{
    const recall_args *a = c->args;
    const bool many = a->method == IV_RECALL_ALL;
    iv_chart chart = {
        .kind = IV_CHART_FOREST, .table = "recall", .title = "Recall and its intervals",
        .caption = "A point is the plain estimate of recall, the line its interval.",
        .value = "recall", .lower = "lower", .upper = "upper",
        .value_axis = { .title = "recall", .from = 0.0, .to = 1.0 } };

    draw_curves(out, c);
    if (cases->ranked) {
        chart.label = "cutoff";
        chart.against = many ? "method" : NULL;
        chart.page = "topic";
    } else {
        chart.label = many ? "method" : "run";
        chart.page = many ? "run" : NULL;
    }
    if (!isnan(a->target))
        chart.lines[0] = (iv_chart_line){ "target", a->target, true };
    iv_result_chart(out, &chart);
}
