/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calibration of probabilities.
 *
 * In bins of equal numbers of items d_b is the share of positives less the mean
 * probability, v_b its variance, w_b the bin's share of items.  Q = sum w d^2 is too large
 * by sum w v, and near c times a noncentral chi-square with f degrees of freedom, c f and
 * c^2 f being sum w v and sum (w v)^2, whose noncentrality is the squared error over c:
 * its limits are those of the noncentrality.
 */
#include <math.h>

#include "base/parallel.h"
#include "intervale/num.h"
#include "intervale/stat/interval.h"
#include "num/num_parts.h"
#include "stat/scored/scored_order.h"

/* P(noncentral chi-square <= x): Poisson weights from the middle outwards. */
static double noncentral_cdf(double x, double df, double nc)
{
    const double half = 0.5 * nc, middle = floor(half);
    double sum = 0.0;

    for (int side = 0; side < 2; side++) {
        const double step = side == 0 ? 1.0 : -1.0;
        for (double j = middle + (side == 0 ? 0.0 : -1.0); j >= 0.0; j += step) {
            const double w = half == 0.0 ? (j == 0.0 ? 1.0 : 0.0)
                : exp(-iv_deviance(j, half, j - half) - iv_factorial_rest(j));
            sum += w * iv_gamma_cdf(0.5 * x, 0.5 * df + j);
            if (w < 1e-17 || (half == 0.0 && j == 0.0))
                break;
        }
    }
    return sum;
}

/* The noncentrality at which P(<= x) is p; 0 where that is too small for all. */
static double noncentrality(double x, double df, double p)
{
    double low = 0.0, high = 1.0;

    if (noncentral_cdf(x, df, 0.0) <= p)
        return 0.0;
    while (noncentral_cdf(x, df, high) > p && high < 1e9)
        high *= 2.0;
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high);
        if (noncentral_cdf(x, df, middle) > p)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static void bin_errors(iv_calibration *out, const iv_score_order *o, const iv_scored_items *items,
                       double confidence)
{
    const size_t n = o->count, bins = out->bins;
    double q = 0.0, chance = 0.0, squares = 0.0;

    for (size_t b = 0; b < bins; b++) {
        const size_t from = n * b / bins, to = n * (b + 1) / bins;
        const double size = (double)(to - from), w = size / (double)n;
        double sum = 0.0, square = 0.0;
        for (size_t i = from; i < to; i++)
            sum += (double)items->positive[o->item[i]] - items->scores[o->item[i]];
        const double d = sum / size;
        for (size_t i = from; i < to; i++) {
            const double x = (double)items->positive[o->item[i]] - items->scores[o->item[i]] - d;
            square += x * x;
        }
        const double wv = w * square / ((size - 1.0) * size);
        q += w * d * d;
        out->binned += w * fabs(d);
        chance += wv;
        squares += wv * wv;
    }
    const double c = chance > 0.0 ? squares / chance : 0.0, tail = 0.5 * (1.0 - confidence);
    out->error = (iv_scored_value){ sqrt(fmax(q - chance, 0.0)), NAN, NAN, NAN };
    if (c > 0.0) {
        const double df = chance / c;
        out->error.lower = sqrt(c * noncentrality(q / c, df, 1.0 - tail));
        out->error.upper = sqrt(c * noncentrality(q / c, df, tail));
    }
}

static int losses(iv_calibration *out, iv_arena *memory, const iv_scored_items *items,
                  const iv_resampling *how, const iv_work *work, iv_err *err)
{
    static const iv_interval_method logit = IV_INTERVAL_LOGIT;
    const size_t n = items->count;
    double *brier = iv_take(memory, n, sizeof *brier), *loss = iv_take(memory, n, sizeof *loss);
    const double *const sample = brier;
    iv_mean_interval x, y;
    iv_stage stage;

    IV_TRY(iv_taken(memory, err));
    for (size_t i = 0; i < n; i++) {
        const double p = items->positive[i] ? items->scores[i] : 1.0 - items->scores[i];
        if (!(items->scores[i] >= 0.0 && items->scores[i] <= 1.0))
            return iv_fail(err, IV_EARG, "the score %g of item %zu is no probability",
                           items->scores[i], i + 1);
        out->clipped += p < 1e-15;
        brier[i] = (1.0 - p) * (1.0 - p);
        loss[i] = -log(fmax(p, 1e-15));
    }
    IV_TRY(iv_mean_intervals(&x, &sample, &logit, 1, n, how, iv_work_part(&stage, work, 0.0, 0.5),
                             err));
    IV_TRY(iv_studentised_mean(&y, loss, n, how, iv_work_part(&stage, work, 0.5, 1.0), err));
    out->brier = (iv_scored_value){ x.mean, x.se, x.lower, x.upper };
    out->log_loss = (iv_scored_value){ y.mean, y.se, fmax(y.lower, 0.0), y.upper };
    return IV_OK;
}

int iv_calibrate(iv_calibration *out, const iv_scored_items *items, size_t bins,
                 double confidence, size_t resamples, const iv_work *work, iv_err *err)
{
    const iv_resampling how = { confidence, resamples };
    const size_t most = items->count / 10 > 1 ? items->count / 10 : 1, asked = bins == 0 ? 10 : bins;
    iv_calibration found = { .bins = asked < most ? asked : most };
    iv_arena memory = { 0 };
    iv_score_order o;
    int rc = iv_score_order_make(&o, &memory, items, confidence, err);

    if (rc == IV_OK)
        rc = losses(&found, &memory, items, &how, work, err);
    if (rc == IV_OK) {
        bin_errors(&found, &o, items, iv_resampling_of(&how).confidence);
        *out = found;
    }
    iv_arena_free(&memory);
    return rc;
}
