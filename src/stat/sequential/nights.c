/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of a series of nights against a baseline, with one error rate for all nights.
 *
 * Refs: Dunnett (1955), JASA 50, 1096-1121: comparisons with a common control; Lai (1995), JRSS B
 * 57, 613-658: tests of the last nights in windows; Laney (2002), Quality Engineering 14, 531-537:
 * variance between nights from moving ranges.
 */
#include "stat/sequential/nights.h"

#include "base/err.h"
#include "base/memory.h"
#include "base/names.h"
#include "num/dist.h"
#include "stat/evidence.h"
#include "stat/interval/limits.h"
#include "stat/pair_tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

IV_NAMES(iv_promise_names, "year", "average")

/* ------------------------------------------------------------------ levels -- */

enum { NODES = 301, HALVINGS = 28 };
#define NODES_TO 6.0   /* common errors from -6 to 6 standard deviations */
#define LARGEST_C 9.0  /* of a critical value */

/* The mean over the common error of min(1, horizon x sum over tests of P(Z < -c | common error)),
 * where a test's Z has this part (squared) in common with the other nights. */
static double any_alarm(const double *c, const double *part, size_t tests, double horizon)
{
    double sum = 0.0, weights = 0.0;

    for (size_t i = 0; i < NODES; i++) {
        const double a = NODES_TO * (2.0 * (double)i / (NODES - 1) - 1.0);
        const double weight = exp(-0.5 * a * a);
        double expected = 0.0;
        for (size_t k = 0; k < tests; k++)
            expected += horizon
                * iv_norm_cdf((-c[k] - sqrt(part[k]) * a) / sqrt(1.0 - part[k]));
        sum += weight * fmin(1.0, expected);
        weights += weight;
    }
    return sum / weights;
}

/* The critical value with which one test alarms in the horizon with probability `alpha`. */
static double critical(double part, double horizon, double alpha)
{
    double low = 0.0, high = LARGEST_C;

    for (size_t i = 0; i < HALVINGS; i++) {
        const double c = 0.5 * (low + high);
        *(any_alarm(&c, &part, 1, horizon) > alpha ? &low : &high) = c;
    }
    return high;
}

static void find_levels(double *level, double r, const iv_night_levels *of)
{
    enum { STEPS = 16 };
    const double horizon = (double)of->horizon;
    const double part[IV_NIGHT_TESTS] = { r, r / (r + (1.0 - r) / IV_NIGHTS_TOGETHER) };
    double low = 0.5 * of->alpha, high = of->alpha, c[IV_NIGHT_TESTS];

    for (size_t k = 0; k < IV_NIGHT_TESTS; k++)
        level[k] = of->promise == IV_PROMISE_AVERAGE ? 1.0 / IV_NIGHT_TESTS / horizon
            : iv_norm_sf(critical(part[k], horizon, low));
    /* Their alarms overlap, so each may have more than half. */
    for (size_t i = 0; i < STEPS && of->promise == IV_PROMISE_YEAR; i++) {
        const double each = 0.5 * (low + high);
        for (size_t k = 0; k < IV_NIGHT_TESTS; k++)
            c[k] = critical(part[k], horizon, each);
        const bool fits = any_alarm(c, part, IV_NIGHT_TESTS, horizon) <= of->alpha;
        *(fits ? &low : &high) = each;
        for (size_t k = 0; fits && k < IV_NIGHT_TESTS; k++)
            level[k] = iv_norm_sf(c[k]);
    }
}

void iv_night_levels_begin(iv_night_levels *out, double alpha, size_t horizon, iv_promise promise)
{
    *out = (iv_night_levels){ .alpha = alpha, .horizon = horizon, .promise = promise };
    for (size_t i = 0; i < IV_NIGHT_STEPS; i++)
        out->level[i][0] = (double)NAN;
}

const double *iv_night_levels_of(iv_night_levels *levels, double correlation)
{
    const double at = floor(fmax(0.0, correlation) * IV_NIGHT_STEPS);
    const size_t i = (size_t)fmin(IV_NIGHT_STEPS - 1, at);

    if (isnan(levels->level[i][0]))
        find_levels(levels->level[i], (double)i / IV_NIGHT_STEPS, levels);
    return levels->level[i];
}

/* ------------------------------------------------------------------- means -- */

typedef struct series {
    const iv_nights *asked;
    iv_arena own;
    double *sum, *count;  /* by item: over nights */
    double *at;           /* by item: of a test */
    double *ranges;       /* of successive nights, squared and standardised, rising */
    size_t range_count;
    double range_sum, range_most, range_se2; /* se2: summed, not standardised */
    double first_se2;     /* of single nights, summed */
} series;

/* The mean of s->at over items, whose distribution is unknown but for independence of units. */
static int mean_of(iv_mean_summary *out, size_t *items, series *s, iv_err *err)
{
    const iv_nights *q = s->asked;
    size_t n = 0;

    for (size_t t = 0; t < q->items; t++)
        n += isnan(s->at[t]) ? 0 : 1;
    *items = n;
    if (n == 0)
        return iv_fail(err, IV_ENODATA, "a night shares no item with the baseline");
    if (q->structure != NULL) {
        iv_structured m;
        IV_TRY(iv_structured_mean(&m, s->at, q->items, q->structure, 0, err));
        const double units = (double)m.items;
        *out = (iv_mean_summary){ m.mean, m.se * sqrt(units), units, m.df, (double)NAN };
        return IV_OK;
    }
    n = 0;
    for (size_t t = 0; t < q->items; t++)
        if (!isnan(s->at[t]))
            s->at[n++] = s->at[t];
    const iv_differences d = iv_describe_differences(s->at, n);
    *out = (iv_mean_summary){ d.mean, d.sd, (double)n, (double)n - 1.0, d.skewness };
    return IV_OK;
}

static double se2_of(const iv_mean_summary *m) { return m->sd * m->sd / m->n; }

/* Items' means over nights first ... last, less the baseline. */
static void between_nights(series *s, size_t first, size_t last)
{
    const iv_nights *q = s->asked;

    for (size_t t = 0; t < q->items; t++) {
        double sum = 0.0, n = 0.0;
        for (size_t k = first; k <= last; k++) {
            const double x = q->x[k * q->items + t];
            sum += isnan(x) ? 0.0 : x;
            n += isnan(x) ? 0.0 : 1.0;
        }
        s->at[t] = n > 0.0 ? sum / n : (double)NAN;
    }
}

/* ------------------------------------------------------------------ shifts -- */

/* The difference of two successive nights, in standard errors of its items. */
static int add_range(series *s, size_t night, iv_err *err)
{
    const iv_nights *q = s->asked;
    iv_mean_summary m;
    size_t items = 0, at;

    for (size_t t = 0; t < q->items; t++) {
        s->at[t] = q->x[night * q->items + t] - q->x[(night - 1) * q->items + t];
        items += isnan(s->at[t]) ? 0 : 1;
    }
    if (items < 2)
        return IV_OK;
    IV_TRY(mean_of(&m, &items, s, err));
    const double se2 = se2_of(&m);
    if (!(se2 > 0.0) || !(m.df > 4.0))
        return IV_OK;
    const double z2 = m.mean * m.mean / se2 * (m.df - 2.0) / m.df; /* of t, which varies more */
    for (at = s->range_count++; at > 0 && s->ranges[at - 1] > z2; at--)
        s->ranges[at] = s->ranges[at - 1];
    s->ranges[at] = z2;
    s->range_sum += z2;
    s->range_most = fmax(s->range_most, z2);
    s->range_se2 += se2;
    return IV_OK;
}

/*
 * Do nights differ by more than their items explain?  Without shifts the squares of successive
 * differences, which have a correlation of -1/2, are together 3/2 of a chi-squared variable with
 * 2/3 of their number as degrees of freedom.  The largest is omitted: one change is no shift.  The
 * variance is from the median, which one change does not move.
 */
static void find_shift(iv_night *night, const series *s)
{
    const double n = (double)s->range_count;

    night->shift_p = (double)NAN;
    if (s->range_count < 3)
        return;
    night->shift_p = iv_gamma_sf((s->range_sum - s->range_most) / 3.0, (n - 1.0) / 3.0);
    if (!(night->shift_p < IV_SHIFT_P))
        return;
    const size_t h = s->range_count / 2;
    const double median = s->range_count % 2 == 1 ? s->ranges[h]
        : 0.5 * (s->ranges[h - 1] + s->ranges[h]);
    const double ratio = median / iv_chisq_isf(0.5, 1.0);
    night->shift = sqrt(fmax(0.0, ratio - 1.0) * s->range_se2 / n / 2.0);
}

/* Adds the variance of shifts, known with a quarter of the nights' number as degrees of freedom
 * (the median's efficiency is 0.37, and successive differences overlap): Satterthwaite's rule. */
static void add_shift(iv_mean_summary *m, double variance, size_t nights)
{
    const double se2 = se2_of(m), df = fmax(1.0, 0.25 * (double)nights);

    if (!(variance > 0.0))
        return;
    m->df = (se2 + variance) * (se2 + variance)
        / (se2 * se2 / m->df + variance * variance / df);
    m->sd = sqrt((se2 + variance) * m->n);
    m->skewness = (double)NAN;
}

/* The variance of a mean of so many nights that shifts bring, those of the baseline, too. */
static double shift_variance(const iv_nights *q, double sd, size_t window)
{
    return sd * sd * (1.0 / (double)window
                      + (q->baselines > 0 ? 1.0 / (double)q->baselines : 0.0));
}

/* ------------------------------------------------------------------- tests -- */

static void decide(iv_night_test *out, const iv_mean_summary *m, const iv_nights *q, double level)
{
    iv_evidence e = { .p_above = NAN, .p_below = NAN, .lower = NAN, .upper = NAN };

    if (!q->p_only) {
        e = iv_mean_evidence(m, -q->margin, level);
    } else if (m->sd > 0.0) {
        e.p_below = iv_larger_p_beyond(m->mean + q->margin, m->sd, m->n, m->df, m->skewness,
                                       IV_LESS);
    }
    if (m->sd == 0.0 && q->high > q->low) {
        const double root = pow(level, 1.0 / m->n);
        e.p_below = iv_equal_evidence(m->mean, m->n, q->low, q->high, -q->margin, IV_LESS);
        e.p_above = iv_equal_evidence(m->mean, m->n, q->low, q->high, -q->margin, IV_GREATER);
        e.lower = q->low + (m->mean - q->low) * root;
        e.upper = q->high - (q->high - m->mean) * root;
    }
    out->mean = m->mean;
    out->se = sqrt(se2_of(m));
    out->df = m->df;
    out->p = e.p_below;
    out->p_above = e.p_above;
    out->lower = e.lower;
    out->upper = e.upper;
    out->level = level;
}

/* Adds the two items of iv_nights.unit to a summary. */
static void add_units(iv_mean_summary *m, const iv_nights *q, size_t window)
{
    const double unit = q->unit / (q->baselines > 0 ? 1.0 : (double)window), n = m->n + 2.0;
    const double cubes = m->skewness * m->sd * m->sd * m->sd * m->n;

    if (!(unit > 0.0) || !(m->sd > 0.0))
        return;
    const double squares = m->sd * m->sd * m->n + 2.0 * unit * unit;
    m->mean *= m->n / n;
    m->sd = sqrt(squares / n);
    m->skewness = cubes / (n * m->sd * m->sd * m->sd);
    m->df += 2.0;
    m->n = n;
}

/* How much two nights have in common: from the variance of the mean of all nights so far, which is
 * that of what is common plus that of what is not, divided by their number. */
static int find_correlation(iv_night *night, series *s, size_t t, iv_err *err)
{
    const iv_nights *q = s->asked;
    const double nights = (double)(t + 1), single = s->first_se2 / nights;
    iv_mean_summary m;
    size_t items;

    for (size_t i = 0; i < q->items; i++)
        s->at[i] = s->count[i] > 0.0 ? s->sum[i] / s->count[i] : (double)NAN;
    IV_TRY(mean_of(&m, &items, s, err));
    const double common = t == 0 ? 0.0 : fmax(0.0, (nights * se2_of(&m) - single) / (nights - 1.0));
    const double shift = shift_variance(q, night->shift, 1);
    const double shared = shift - night->shift * night->shift;
    night->correlation = single + shift > 0.0 ? fmin(1.0, (common + shared) / (single + shift))
                                              : t > 0 ? 1.0 : 0.0;
    return IV_OK;
}

static int test_night(iv_night *out, series *s, size_t t, iv_night_levels *levels, iv_err *err)
{
    const iv_nights *q = s->asked;
    iv_mean_summary m[IV_NIGHT_TESTS];
    size_t items;

    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < q->items; i++) {
        const double x = s->at[i] = q->x[t * q->items + i];
        s->sum[i] += isnan(x) ? 0.0 : x;
        s->count[i] += isnan(x) ? 0.0 : 1.0;
    }
    IV_TRY(mean_of(&m[0], &out->items, s, err));
    s->first_se2 += isnan(m[0].sd) ? 0.0 : se2_of(&m[0]);
    if (t > 0)
        IV_TRY(add_range(s, t, err));
    find_shift(out, s);
    IV_TRY(find_correlation(out, s, t, err));
    const double *level = iv_night_levels_of(levels, out->correlation);
    for (size_t k = 0; k < IV_NIGHT_TESTS; k++) {
        const size_t window = k == 0 ? 1 : IV_NIGHTS_TOGETHER;
        iv_night_test *test = &out->of[k];
        if (window > t + 1)
            continue;
        if (k > 0) {
            between_nights(s, t + 1 - window, t);
            IV_TRY(mean_of(&m[k], &items, s, err));
        }
        const double mean = m[k].mean;
        add_units(&m[k], q, window);
        add_shift(&m[k], shift_variance(q, out->shift, window), s->range_count);
        test->window = window;
        decide(test, &m[k], q, level[k]);
        test->mean = mean;
        out->alarm = out->alarm || test->p < test->level;
        const iv_night_test *best = &out->of[out->decisive];
        const bool lower = q->p_only || isnan(best->upper) || isnan(test->upper)
            ? test->p / test->level < (isnan(best->p) ? INFINITY : best->p / best->level)
            : test->upper < best->upper;
        if (k > 0 && lower)
            out->decisive = k;
    }
    return IV_OK;
}

static int begin(series *s, const iv_nights *asked, iv_err *err)
{
    *s = (series){ .asked = asked };
    s->sum = iv_take(&s->own, asked->items + 1, sizeof *s->sum);
    s->count = iv_take(&s->own, asked->items + 1, sizeof *s->count);
    s->at = iv_take(&s->own, asked->items + 1, sizeof *s->at);
    s->ranges = iv_take(&s->own, asked->nights + 1, sizeof *s->ranges);
    return iv_taken(&s->own, err);
}

int iv_nights_test(iv_night *out, const iv_nights *asked, iv_night_levels *levels, iv_err *err)
{
    series s;
    int rc = begin(&s, asked, err);

    for (size_t t = 0; rc == IV_OK && t < asked->nights; t++)
        rc = test_night(&out[t], &s, t, levels, err);
    iv_arena_free(&s.own);
    return rc;
}

int iv_nights_since(size_t *first, const iv_nights *asked, size_t last, double shift, iv_err *err)
{
    series s;
    double best = INFINITY;
    int rc = begin(&s, asked, err);
    double *after = iv_take(&s.own, asked->items + 1, sizeof *after);
    double *nights = iv_take(&s.own, asked->items + 1, sizeof *nights);

    rc = rc == IV_OK ? iv_taken(&s.own, err) : rc;
    *first = last;
    for (size_t t = 0; rc == IV_OK && t <= last; t++) /* all nights: sums; then less later ones */
        for (size_t i = 0; i < asked->items; i++) {
            const double x = asked->x[t * asked->items + i];
            s.sum[i] += isnan(x) ? 0.0 : x;
            s.count[i] += isnan(x) ? 0.0 : 1.0;
        }
    for (size_t t = last + 1; rc == IV_OK && t-- > 0;) {
        iv_mean_summary m;
        size_t items;
        for (size_t i = 0; i < asked->items; i++) {
            const double x = asked->x[t * asked->items + i], base = (double)asked->baselines;
            after[i] += isnan(x) ? 0.0 : x;
            nights[i] += isnan(x) ? 0.0 : 1.0;
            const double before = s.count[i] - nights[i] + base;
            s.at[i] = nights[i] == 0.0 ? (double)NAN : after[i] / nights[i]
                - (base > 0.0 ? (s.sum[i] - after[i]) / before : 0.0);
        }
        rc = mean_of(&m, &items, &s, err);
        if (rc != IV_OK || !(m.sd > 0.0))
            continue;
        const double se = sqrt(se2_of(&m) + shift_variance(asked, shift, last + 1 - t));
        if (m.mean / se < best) {
            best = m.mean / se;
            *first = t;
        }
    }
    iv_arena_free(&s.own);
    return rc;
}
