/* SPDX-License-Identifier: Apache-2.0 */
/* What a page of prf draws: posteriors, metrics and differences. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_columns.h"
#include "answer/prf_parts.h"
#include "base/memory.h"
#include "base/order.h"

enum { POINTS = 120, MOST_SYSTEMS = 8, BINS = 1024 };

/* A point of a curve. */
typedef struct point {
    const char *system, *metric;
    double x, density, lower, upper;
} point;

const iv_field iv_prf_curve_fields[] = {
    { "system", IV_AT(point, system), .about = "a system" },
    { "metric", IV_AT(point, metric), .about = "precision, recall or F" },
    { "x", IV_AT(point, x), .digits = 4, .about = "a value of it" },
    { "density", IV_AT(point, density), .digits = 3, .about = "of the posterior there" },
    { "lower", IV_AT(point, lower), .digits = 4, .about = "end of the interval" },
    { "upper", IV_AT(point, upper), .digits = 4, .about = "end of the interval" },
    { NULL } };

typedef struct curves {
    point *at;
    size_t count, room;
} curves;

/* Is the posterior drawn?  Of a system as a whole, as its answer speaks of it. */
static bool is_drawn(const iv_prf_estimate *x, const iv_prf_evaluation *e)
{
    return x->system_at < MOST_SYSTEMS && x->kind.kind < IV_PRF_SPECIFICITY
        && (e->systems[x->system_at].count > 1 ? x->average == IV_PRF_MACRO
                                               : strchr(x->metric, '[') == NULL);
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

static bool add_curve(curves *c, const iv_prf_estimate *e)
{
    double x[POINTS + 3];
    size_t count = 0;
    smoothed s;

    if (e->posterior != NULL)
        s = (smoothed){ .from = iv_posterior_quantile(e->posterior, 0.0002),
                        .to = iv_posterior_quantile(e->posterior, 0.9998) };
    else
        smoothed_fill(&s, e->draws, e->drawn);
    if (!(s.to > s.from))
        return true;
    point *grown = iv_grow(c->at, &c->room, c->count + POINTS + 3, sizeof *grown);
    if (grown == NULL)
        return false;
    c->at = grown;
    for (int k = 0; k <= POINTS; k++)
        x[count++] = s.from + (s.to - s.from) * k / POINTS;
    /* The dark part is to end at the limits, so these are on the curve too. */
    x[count++] = fmin(fmax(e->lower, s.from), s.to);
    x[count++] = fmin(fmax(e->upper, s.from), s.to);
    qsort(x, count, sizeof *x, iv_rising);
    for (size_t k = 0; k < count; k++) {
        if (k > 0 && x[k] <= x[k - 1])
            continue;
        const double density = e->posterior != NULL
                                   ? exp(iv_posterior_log_density(e->posterior, x[k]))
                                   : smoothed_density(&s, x[k]);
        c->at[c->count++] = (point){ e->system, e->metric, x[k], density, e->lower, e->upper };
    }
    return true;
}

static int add_curves(iv_result *out, const iv_prf_evaluation *e, iv_err *err)
{
    curves c = { NULL, 0, 0 };
    bool ok = true;

    for (size_t i = 0; i < e->estimate_count && ok; i++)
        if (is_drawn(&e->estimates[i], e))
            ok = add_curve(&c, &e->estimates[i]);
    if (ok)
        (void)iv_result_rows(out, &(iv_rows){ .name = "curves", .fields = iv_prf_curve_fields, .at = c.at,
                                              .count = c.count, .size = sizeof *c.at,
                                              .showing = IV_FOLDED });
    free(c.at);
    return ok ? IV_OK : iv_fail(err, IV_ENOMEM, "out of memory");
}

static void draw(iv_result *out, const iv_prf_evaluation *e, const char *headline, bool curves_there)
{
    const bool many = e->system_count > 1, pages = e->system_count > 2;
    char caption[400];

    if (e->compared)
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_FOREST, .table = "comparison", .title = "The differences",
            .caption = "A point is the difference of two systems, first less second, the line "
                       "its interval. A line that crosses 0 leaves open which is better.",
            .label = pages ? "a" : "metric", .against = pages ? "b" : NULL,
            .page = pages ? "metric" : NULL, .opens = headline, .value = "difference",
            .lower = "lower", .upper = "upper", .lines = { { "no difference", 0.0, true } } });
    (void)snprintf(caption, sizeof caption,
        "The higher a curve, the more likely that value, given the counts. The dark part holds "
        "the truth with probability %g.%s", e->confidence,
        e->systems[0].count > 1 ? " Macro averages are means over the categories or classes; "
                                  "their curves are smoothed draws." : "");
    if (curves_there)
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_DENSITY, .table = "curves", .title = "The posteriors",
            .caption = caption, .panel = "metric", .group = many ? "system" : NULL,
            .x = "x", .value = "density", .lower = "lower", .upper = "upper",
            .x_axis = { .title = "value" } });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "metrics", .title = many ? "The systems" : "The metrics",
        .caption = "A point is the mean of the posterior, the line its interval.",
        .label = many ? "system" : "metric", .page = many ? "metric" : NULL, .opens = headline,
        .value = "mean", .lower = "lower", .upper = "upper" });
    iv_result_assumption(out, "The items are a random sample of those one wants to know about, "
                         "independent of each other, and their gold labels are right.");
}

int iv_prf_charts(iv_result *out, const iv_prf_evaluation *e, const char *headline, iv_err *err)
{
    const bool curves_there = iv_result_wants(out, "curves", IV_FOLDED);
    const int rc = curves_there ? add_curves(out, e, err) : IV_OK;

    if (rc == IV_OK && iv_result_wants_charts(out))
        draw(out, e, headline, curves_there);
    return rc;
}
