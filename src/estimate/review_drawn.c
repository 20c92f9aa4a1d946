/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/review_state.h"

#include <math.h>
#include <stdlib.h>

/* --------------------------------------------------------------- bins -- */

enum { BINS = 64 };

/* Steps of 1, 2 or 5 that cut the bulk of the posterior into at most 24. */
static double nice_step(double range)
{
    static const double steps[] = { 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02 };

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (range / steps[i] <= 24.0)
            return steps[i];
    }
    return 0.05;
}

int iv_review_bins_of(iv_review_densities *out, iv_review_place of, const iv_recall_posterior *p,
                      iv_err *err)
{
    static const char bar[] = "########################################";
    const double least = iv_recall_quantile(p, IV_RECALL_RECALL, 1.0, 0.0005);
    const double most = iv_recall_quantile(p, IV_RECALL_RECALL, 1.0, 0.9995);
    const double step = nice_step(most - least);
    const double first = floor(least / step + 1e-9), last = ceil(most / step - 1e-9);
    double largest = 1e-300;
    size_t n = 0;

    if (isnan(least) || isnan(most))
        return IV_OK;
    out->bins = malloc(BINS * sizeof *out->bins);
    if (out->bins == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (double i = first; i < fmax(last, first + 1.0) && n < BINS; i += 1.0, n++) {
        const double to = fmin((i + 1.0) * step, 1.0);
        /* Each bin has its lower end; the last one of all has 1 as well. */
        const double mass = (to >= 1.0 ? 1.0 : iv_recall_below(p, IV_RECALL_RECALL, 1.0, to))
                            - iv_recall_below(p, IV_RECALL_RECALL, 1.0, i * step);
        largest = fmax(largest, mass);
        out->bins[n] = (iv_review_bin){ of, (first + (double)n) * step,
                                        fmin((first + (double)n + 1.0) * step, 1.0), mass, bar };
    }
    for (size_t i = 0; i < n; i++)
        out->bins[i].sketch = bar + 40
            - (size_t)rint(40.0 * fmax(out->bins[i].probability, 0.0) / largest);
    out->bin_count = n;
    return IV_OK;
}

/* ------------------------------------------------------------- curves -- */

enum { POINTS = 80, CURVES = 3, ROOM = CURVES * (POINTS + 2) };

/* The point of a limit on the line between two others: the dark part ends there. */
static void put_between(iv_review_densities *out, iv_review_point a, iv_review_point b, double x)
{
    if (x > a.x && x < b.x) {
        out->points[out->point_count] = b;
        out->points[out->point_count].x = x;
        out->points[out->point_count++].density =
            a.density + (b.density - a.density) * (x - a.x) / (b.x - a.x);
    }
}

/* A curve to draw: of what, and the step of its values. */
typedef struct shape {
    iv_recall_quantity quantity;
    double beta;
    double atom; /* values are multiples of it; 0: they are not */
} shape;

/*
 * The probability of each of many short stretches, over its length.  Where the
 * values are multiples of an atom, each stretch holds as many of them as any
 * other, so that the curve has no teeth.
 */
static void put_curve(iv_review_densities *out, const iv_recall_posterior *p, shape s,
                      iv_review_point next)
{
    const double from = iv_recall_quantile(p, s.quantity, s.beta, 0.0002);
    const double to = iv_recall_quantile(p, s.quantity, s.beta, 0.9998);
    double first = fmax(0.0, from - 0.02 * (to - from));
    double step = (fmin(1.0, to + 0.02 * (to - from)) - first) / POINTS;
    iv_review_point last = { .x = NAN };

    if (!(step > 0.0))
        return; /* all of it at one value */
    if (s.atom > 0.0) {
        step = s.atom * ceil(step / s.atom);
        first = s.atom * (floor(first / s.atom) - 0.5);
    }
    for (int i = 0; i < POINTS && first + i * step < fmin(1.0, to + 2.0 * step); i++) {
        const double at = first + i * step;
        const double mass =
            (at + step >= 1.0 ? 1.0 : iv_recall_below(p, s.quantity, s.beta, at + step))
            - (at <= 0.0 ? 0.0 : iv_recall_below(p, s.quantity, s.beta, at));
        next.x = at + step / 2.0;
        next.density = fmax(mass, 0.0) / step;
        put_between(out, last, next, next.lower);
        put_between(out, last, next, next.upper);
        out->points[out->point_count++] = next;
        last = next;
    }
}

int iv_review_curves_of(iv_review_densities *out, const iv_recall_posterior *p,
                        const iv_segments *s, const iv_recall_options *o, double beta,
                        iv_err *err)
{
    static const struct { iv_recall_quantity quantity; const char *name; } shown[CURVES] = {
        { IV_RECALL_RECALL, "recall" }, { IV_RECALL_PRECISION, "precision" },
        { IV_RECALL_F, "F" } };
    double retrieved = 0.0;

    out->points = malloc(ROOM * sizeof *out->points);
    if (out->points == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < s->retrieved_count; i++)
        retrieved += (double)s->retrieved[i].size;
    for (size_t i = 0; i < CURVES; i++) {
        const iv_recall_interval limits = iv_recall_limits(p, shown[i].quantity, beta,
                                                           o->confidence, o->one_sided);
        const bool steps = shown[i].quantity == IV_RECALL_PRECISION;
        put_curve(out, p, (shape){ shown[i].quantity, beta, steps ? 1.0 / retrieved : 0.0 },
                  (iv_review_point){ .quantity = shown[i].name, .lower = limits.lower,
                                     .upper = o->one_sided ? 1.0 : limits.upper });
    }
    return IV_OK;
}
