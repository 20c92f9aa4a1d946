/* SPDX-License-Identifier: Apache-2.0 */
/* Calibration of probabilities: bins, ECE with an interval, Cox's regression, parts of Brier. */
#include "base/err.h"
#include "intervale/num.h"
#include "num/dist.h"
#include "stat/group_gaps.h"
#include "stat/scored/calibration.h"

#include <math.h>

/* -------------------------------------------------------------------- bins -- */

/* Sums over the items of a bin. */
typedef struct bin_sums {
    double p, gap, squares, model; /* model: p (1 - p) */
    size_t items, positives;
} bin_sums;

static size_t bin_of(double p, size_t bins)
{
    const double at = ceil(p * (double)bins) - 1.0;

    return at <= 0.0 ? 0 : at >= (double)bins ? bins - 1 : (size_t)at;
}

/* The variance of the mean difference of a bin: that between its items, or of a calibrated system
 * if that is larger, as where all labels are equal. */
static double variance_of(const bin_sums *b)
{
    const double n = (double)b->items, mean = b->gap / n;
    const double found = n > 1.0 ? (b->squares - n * mean * mean) / (n - 1.0) : 0.0;

    return fmax(found, b->model / n) / n;
}

static void fill_bins(iv_reliability *out, const bin_sums *sums, size_t bins, double n,
                      double confidence)
{
    const double tail = 0.5 * (1.0 - confidence);
    double ece = 0.0, variance = 0.0, base = 0.0;

    for (size_t k = 0; k < bins; k++)
        base += (double)sums[k].positives / n;
    for (size_t k = 0; k < bins; k++) {
        const bin_sums *b = &sums[k];
        const double items = (double)b->items, part = items / n;
        if (b->items == 0)
            continue;
        iv_reliability_bin *r = &out->bins[out->bin_count++];
        const iv_group_value g = iv_group_proportion((int64_t)b->positives, (int64_t)b->items);
        const iv_limits l = g.limits(&g, tail);
        *r = (iv_reliability_bin){ (double)k / (double)bins, (double)(k + 1) / (double)bins,
                                   b->p / items, g.value, l.lower, l.upper, b->items,
                                   b->positives };
        ece += part * fabs(r->share - r->mean);
        variance += part * part * variance_of(b);
        out->calibrated += part * sqrt(2.0 * b->model / (items * items) / acos(-1.0));
        out->reliability += part * (r->share - r->mean) * (r->share - r->mean);
        out->resolution += part * (r->share - base) * (r->share - base);
    }
    const double se = sqrt(variance);
    out->uncertainty = base * (1.0 - base);
    out->ece = (iv_interval){
        ece, se, fmax(0.0, ece - sqrt(iv_chisq_isf(tail, (double)out->bin_count)) * se),
        fmin(1.0, ece + iv_norm_isf(tail) * se), INFINITY };
}

/* --------------------------------------------------------------------- Cox -- */

/* Newton's method for intercept and slope, from the labels' log odds and a slope of 0 (from 1 it
 * may swing between two points for ever); false: no maximum was found. */
static bool fit_logistic(double at[2], double var[2], const double *x, const bool *y, size_t n)
{
    size_t positive = 0;

    for (size_t k = 0; k < n; k++)
        positive += y[k];
    if (positive == 0 || positive == n)
        return false;
    at[0] = log((double)positive / (double)(n - positive));
    at[1] = 0.0;
    for (int i = 0; i < 100; i++) {
        double g[2] = { 0.0, 0.0 }, h[3] = { 0.0, 0.0, 0.0 };
        for (size_t k = 0; k < n; k++) {
            const double p = 1.0 / (1.0 + exp(-at[0] - at[1] * x[k])), w = p * (1.0 - p);
            const double off = (y[k] ? 1.0 : 0.0) - p;
            g[0] += off;
            g[1] += off * x[k];
            h[0] += w;
            h[1] += w * x[k];
            h[2] += w * x[k] * x[k];
        }
        const double d = h[0] * h[2] - h[1] * h[1];
        if (!(d > 1e-12 * h[0] * h[2]))
            return false;
        const double step[2] = { (h[2] * g[0] - h[1] * g[1]) / d, (h[0] * g[1] - h[1] * g[0]) / d };
        const double most = fmax(fabs(step[0]), fabs(step[1])), by = most > 2.0 ? 2.0 / most : 1.0;
        at[0] += by * step[0];
        at[1] += by * step[1];
        var[0] = h[2] / d;
        var[1] = h[0] / d;
        if (most < 1e-10)
            return true;
        if (!(fabs(at[1]) < 100.0))
            return false; /* labels are separated */
    }
    return false;
}

static int fit_cox(iv_reliability *out, const iv_scored_items *items, double confidence,
                   iv_arena *own, iv_err *err)
{
    double *x = iv_take(own, items->count, sizeof *x), at[2], var[2];
    bool *y = iv_take(own, items->count, sizeof *y);
    const double z = iv_norm_isf(0.5 * (1.0 - confidence));
    size_t n = 0;

    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < items->count; i++) {
        const double p = items->scores[i];
        if (!(p > 0.0 && p < 1.0))
            continue;
        x[n] = log(p / (1.0 - p));
        y[n++] = items->positive[i];
    }
    out->certain = items->count - n;
    const bool found = n > 2 && fit_logistic(at, var, x, y, n);
    iv_interval *to[] = { &out->intercept, &out->slope };
    for (size_t k = 0; k < 2; k++) {
        const double se = found ? sqrt(var[k]) : (double)NAN, v = found ? at[k] : (double)NAN;
        *to[k] = (iv_interval){ v, se, v - z * se, v + z * se, INFINITY };
    }
    return IV_OK;
}

int iv_reliability_of(iv_reliability *out, const iv_scored_items *items, size_t bins,
                      double confidence, iv_arena *own, iv_err *err)
{
    const size_t B = bins == 0 ? 10 : bins;
    const double n = (double)items->count, c = confidence == 0.0 ? 0.95 : confidence;
    bin_sums *sums = iv_take(own, B, sizeof *sums);
    double brier = 0.0;

    *out = (iv_reliability){ .bins = iv_take(own, B, sizeof *out->bins) };
    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < items->count; i++) {
        const double p = items->scores[i], gap = (items->positive[i] ? 1.0 : 0.0) - p;
        bin_sums *b = &sums[bin_of(p, B)];
        if (!(p >= 0.0 && p <= 1.0))
            return iv_fail(err, IV_EARG, "the score %g, expected a probability", p);
        b->p += p;
        b->gap += gap;
        b->squares += gap * gap;
        b->model += p * (1.0 - p);
        b->items++;
        b->positives += items->positive[i];
        brier += gap * gap / n;
    }
    fill_bins(out, sums, B, n, c);
    out->within = brier - out->reliability + out->resolution - out->uncertainty;
    return fit_cox(out, items, c, own, err);
}
