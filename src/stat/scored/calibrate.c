/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calibration of probabilities.
 *
 * In bins of equal numbers of items, as near as ties let them be (one probability is never in
 * two bins, or the order of rows would matter), d_b is the share of positives less the mean
 * probability, v_b its variance, w_b the bin's share of items.  Q = sum w d^2 is too large
 * by sum w v, and near c times a noncentral chi-square with f degrees of freedom, c f and
 * c^2 f being sum w v and sum (w v)^2, whose noncentrality is the squared error over c:
 * its limits are those of the noncentrality.  A bin of one class, or nearly so, shows next to no
 * variance, though its share may well be another: for the limits v is at least that of a share of
 * (positives + 1) / (items + 2), and Q as much larger as that makes sum w v.
 */
#include <math.h>

#include "base/parallel.h"
#include "intervale/num.h"
#include "intervale/stat/interval.h"
#include "num/num_parts.h"
#include "stat/scored/scored_order.h"

/*
 * The same where the sum below would have too many terms: a power that is near normal
 * (Sankaran's), less than 1e-7 off there.
 */
static double far_cdf(double x, double df, double nc)
{
    const double s = df + nc, t = df + 2.0 * nc, p = t / s / s;
    const double h = 1.0 - (s / t) * ((df + 3.0 * nc) / t) * 2.0 / 3.0;
    const double m = (h - 1.0) * (1.0 - 3.0 * h);
    const double mean = 1.0 + h * p * (h - 1.0 - 0.5 * (2.0 - h) * m * p);

    return iv_norm_cdf((pow(x / s, h) - mean) / (h * sqrt(2.0 * p) * (1.0 + 0.5 * m * p)));
}

/* P(noncentral chi-square <= x): Poisson weights from the middle outwards. */
static double noncentral_cdf(double x, double df, double nc)
{
    if (nc > 1e4)
        return far_cdf(x, df, nc);
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
    while (noncentral_cdf(x, df, high) > p && high < 1e100)
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

/* What is summed over bins. */
typedef struct bin_sums {
    double q, binned, chance; /* chance as it is seen, which is taken off */
    double spread, squares;   /* of what limits are made of */
} bin_sums;

/* Adds the bin of the groups [first, end): by groups, so that the order of ties is nothing. */
static void add_bin(bin_sums *sums, const iv_score_order *o, const iv_scored_items *items,
                    size_t first, size_t end)
{
    const size_t from = first > 0 ? o->end[first - 1] : 0;
    const double size = (double)(o->end[end - 1] - from), w = size / (double)o->count;
    double d = 0.0, square = 0.0, all = 0.0;

    for (int pass = 0; pass < 2; pass++) {
        size_t i = from;
        for (size_t g = first; g < end; g++) {
            const double p = items->scores[o->item[i]];
            double yes = 0.0, no = 0.0;
            for (; i < o->end[g]; i++)
                *(items->positive[o->item[i]] ? &yes : &no) += 1.0;
            if (pass == 0) {
                d += yes - (yes + no) * p;
                all += yes;
            } else {
                square += yes * (1.0 - p - d) * (1.0 - p - d) + no * (p + d) * (p + d);
            }
        }
        if (pass == 0)
            d /= size;
    }
    /* Items that are all as far off differ by rounding, which is no variance. */
    if (square < 1e-24 * size)
        square = 0.0;
    const double v = square / ((size - 1.0) * size), share = (all + 1.0) / (size + 2.0);
    const double wide = fmax(v, share * (1.0 - share) / size);
    sums->q += w * d * d;
    sums->binned += w * fabs(d);
    sums->chance += w * v;
    sums->spread += w * wide;
    sums->squares += w * w * wide * wide;
}

/*
 * Bins end at the end of a group that is nearest to the end of an equal share; none has
 * less than half of that share.
 */
static void bin_errors(iv_calibration *out, const iv_score_order *o, const iv_scored_items *items,
                       double confidence)
{
    const size_t n = o->count, asked = out->bins;
    size_t first = 0, from = 0, g = 0; /* of the bin; the group that holds the share's end */
    bin_sums sums = { 0 };

    out->bins = 0;
    for (size_t b = 1; b <= asked; b++) {
        const size_t share = n * b / asked;
        while (o->end[g] < share)
            g++;
        const size_t start = g > 0 ? o->end[g - 1] : 0;
        const size_t end = b < asked && share - start < o->end[g] - share ? g : g + 1;
        const size_t to = end > 0 ? o->end[end - 1] : 0;
        if (to < n ? to < from || 2 * asked * (to - from) < n || 2 * asked * (n - to) < n
                   : to == from)
            continue;
        add_bin(&sums, o, items, first, end);
        first = end;
        from = to;
        out->bins++;
    }
    const double tail = 0.5 * (1.0 - confidence), c = sums.squares / sums.spread;
    const double seen = (sums.q + sums.spread - sums.chance) / c, df = sums.spread / c;
    out->binned = sums.binned;
    out->error = (iv_scored_value){ sqrt(fmax(sums.q - sums.chance, 0.0)), NAN,
                                    sqrt(c * noncentrality(seen, df, 1.0 - tail)),
                                    sqrt(c * noncentrality(seen, df, tail)) };
    /* Shares so near that chance alone would put them further off prove no error of 0. */
    if (out->error.upper == 0.0)
        out->error.upper = iv_norm_quantile(1.0 - tail) * sqrt(c);
    out->error.upper = fmin(out->error.upper, 1.0); /* shares are no further apart */
}

/* Items that all have one loss, but for rounding, say nothing of how others vary. */
static iv_scored_value loss_of(const iv_mean_interval *m, const double *loss, size_t n)
{
    double least = INFINITY, most = -INFINITY;

    for (size_t i = 0; i < n; i++) {
        least = fmin(least, loss[i]);
        most = fmax(most, loss[i]);
    }
    if (most - least <= 1e-12 * most)
        return (iv_scored_value){ m->mean, 0.0, NAN, NAN };
    return (iv_scored_value){ m->mean, m->se, m->lower < 0.0 ? 0.0 : m->lower, m->upper };
}

/* Means of Brier losses, which are in [0, 1], and of logarithmic ones. */
static int loss_means(iv_scored_value *brier, iv_scored_value *log_loss, const double *of_brier,
                      const double *of_log, size_t n, const iv_resampling *how, const iv_work *work,
                      iv_err *err)
{
    static const iv_interval_method usual = IV_INTERVAL_AUTO; /* as of any mean in [0, 1] */
    iv_mean_interval x, y;
    iv_stage stage;

    IV_TRY(iv_mean_intervals(&x, &of_brier, &usual, 1, n, how, iv_work_part(&stage, work, 0.0, 0.5),
                             err));
    IV_TRY(iv_mean_intervals(&y, &of_log, &(iv_interval_method){ IV_INTERVAL_BOOTSTRAP_T }, 1, n, how,
                             iv_work_part(&stage, work, 0.5, 1.0), err));
    *brier = loss_of(&x, of_brier, n);
    *log_loss = loss_of(&y, of_log, n);
    return IV_OK;
}

static int losses(iv_calibration *out, iv_arena *memory, const iv_scored_items *items,
                  const iv_resampling *how, const iv_work *work, iv_err *err)
{
    const size_t n = items->count;
    double *brier = iv_take(memory, n, sizeof *brier), *loss = iv_take(memory, n, sizeof *loss);

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
    return loss_means(&out->brier, &out->log_loss, brier, loss, n, how, work, err);
}

static int class_losses(iv_class_losses *out, iv_arena *memory, const iv_class_items *items,
                        const iv_resampling *how, const iv_work *work, iv_err *err)
{
    const size_t n = items->count;
    double *brier = iv_take(memory, n, sizeof *brier), *loss = iv_take(memory, n, sizeof *loss);

    IV_TRY(iv_taken(memory, err));
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < items->classes; k++) {
            const double p = items->scores[k][i], off = p - (items->is[i] == k ? 1.0 : 0.0);
            if (!(p >= 0.0 && p <= 1.0))
                return iv_fail(err, IV_EARG, "the score %g of item %zu is no probability", p, i + 1);
            brier[i] += off * off;
        }
        /* Two at most, of probabilities that add up to 1 but for rounding. */
        brier[i] = fmin(0.5 * brier[i], 1.0);
        const double p = items->scores[items->is[i]][i];
        out->clipped += p < 1e-15;
        loss[i] = -log(fmax(p, 1e-15));
    }
    IV_TRY(loss_means(&out->brier, &out->log_loss, brier, loss, n, how, work, err));
    out->brier = (iv_scored_value){ 2.0 * out->brier.value, 2.0 * out->brier.se,
                                    2.0 * out->brier.lower, 2.0 * out->brier.upper };
    return IV_OK;
}

int iv_class_calibrate(iv_class_losses *out, const iv_class_items *items, double confidence,
                       size_t resamples, const iv_work *work, iv_err *err)
{
    const iv_resampling how = { confidence, resamples };
    iv_class_losses found = { 0 };
    iv_arena memory = { 0 };
    int rc = iv_check_classes(items, err);

    if (rc == IV_OK)
        rc = class_losses(&found, &memory, items, &how, work, err);
    if (rc == IV_OK)
        *out = found;
    iv_arena_free(&memory);
    return rc;
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
    if (rc == IV_OK)
        rc = iv_check_work(work, 1.0, err);
    if (rc == IV_OK) {
        bin_errors(&found, &o, items, iv_resampling_of(&how).confidence);
        *out = found;
    }
    iv_arena_free(&memory);
    return rc;
}
