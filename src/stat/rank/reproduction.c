/* SPDX-License-Identifier: Apache-2.0 */
#include "intervale/stat/reproduction.h"

#include <math.h>

#include "base/checking.h"
#include "base/equal_means.h"
#include "base/memory.h"
#include "intervale/num.h"
#include "intervale/stat/interval.h"

/*
 * Squares within [0, 1] of which so many are 0 that resamples do not tell how often another is:
 * Student's t on the logit scale, its degrees of freedom those of the squares that are not, within
 * the limits that hold for any distribution.  If all are 0, from the chance to see nothing else.
 */
static int few_differ(iv_mean_interval *m, const double *x, size_t n, const iv_resampling *how,
                      const iv_work *work, iv_err *err)
{
    const double *const samples[] = { x, x };
    const iv_interval_method methods[] = { IV_INTERVAL_LOGIT_T, IV_INTERVAL_BOUNDED };
    iv_mean_interval both[2];
    size_t differ = 0;

    IV_TRY(iv_mean_intervals(both, samples, methods, 2, n, how, work, err));
    *m = both[0];
    for (size_t i = 0; i < n; i++)
        differ += x[i] > 0.0;
    if (differ == 0)
        *m = both[1];
    if (isnan(m->lower) || differ == 0 || m->constant)
        return IV_OK;
    const double c = iv_resampling_of(how).confidence, at = log(m->mean / (1.0 - m->mean));
    const double reach = iv_t_isf(0.5 * (1.0 - c), fmax((double)differ - 1.0, 1.0)) * m->se
        / (m->mean * (1.0 - m->mean));
    m->lower = fmax(1.0 / (1.0 + exp(reach - at)), both[1].lower);
    m->upper = fmin(1.0 / (1.0 + exp(-reach - at)), both[1].upper);
    return IV_OK;
}

/* As where an interval of a mean goes over from resamples to t. */
static bool seldom_differ(const double *x, size_t n)
{
    double same = 0.0;

    for (size_t i = 0; i < n; i++)
        same += x[i] == 0.0;
    return pow(same / (double)n, (double)n) > 1e-4;
}

int iv_reproduced_rmse(iv_reproduced *out, const double *original, const double *again,
                       size_t n, double confidence, size_t resamples, const iv_work *work,
                       iv_err *err)
{
    IV_TRY(iv_check_list(original, n, "value", err));
    IV_TRY(iv_check_list(again, n, "value", err));
    if (confidence != 0.0 && !(confidence > 0.0 && confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected between 0 and 1", confidence);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(original[i]) || !isfinite(again[i]))
            return iv_fail(err, IV_EARG, "a score is not finite, expected all to be");
    const iv_resampling how = { confidence, resamples };
    iv_arena memory = { 0 };
    double *x = iv_take(&memory, n, sizeof *x);
    iv_mean_interval m;
    int rc = iv_taken(&memory, err);
    bool unit = true;

    for (size_t i = 0; i < n && rc == IV_OK; i++) {
        x[i] = (original[i] - again[i]) * (original[i] - again[i]);
        unit = unit && fmin(original[i], again[i]) >= 0.0 && fmax(original[i], again[i]) <= 1.0;
    }
    if (rc == IV_OK)
        rc = unit && n > 1 && seldom_differ(x, n) ? few_differ(&m, x, n, &how, work, err)
            : iv_mean_intervals(&m, &(const double *){ x },
                                &(iv_interval_method){ IV_INTERVAL_BOOTSTRAP_T }, 1, n, &how, work,
                                err);
    if (rc == IV_OK) {
        const double most = unit ? 1.0 : (double)INFINITY;
        *out = (iv_reproduced){ sqrt(m.mean), isnan(m.lower) ? NAN : sqrt(fmax(m.lower, 0.0)),
                                isnan(m.upper) ? NAN : sqrt(fmin(fmax(m.upper, 0.0), most)) };
    }
    iv_arena_free(&memory);
    return rc;
}

void iv_reproduced_effect(iv_reproduced *ratio, iv_reproduced *change, const double *baseline,
                          const double *advanced, const double *baseline_again,
                          const double *advanced_again, size_t n, double confidence)
{
    const double c = confidence == 0.0 ? 0.95 : confidence, N = (double)n;
    const double t = n > 1 ? iv_t_isf(0.5 * (1.0 - c), N - 1.0) : NAN;
    double b = 0.0, a = 0.0, b2 = 0.0, a2 = 0.0, xx = 0.0, xy = 0.0, yy = 0.0, square = 0.0;

    for (size_t i = 0; i < n; i++) {
        b += baseline[i] / N;
        a += advanced[i] / N;
        b2 += baseline_again[i] / N;
        a2 += advanced_again[i] / N;
    }
    const double x = iv_true_difference(a - b, fmax(iv_slack_of(baseline, n),
                                                    iv_slack_of(advanced, n)));
    const double y = iv_true_difference(a2 - b2, fmax(iv_slack_of(baseline_again, n),
                                                      iv_slack_of(advanced_again, n)));
    for (size_t i = 0; i < n; i++) {
        const double dx = advanced[i] - baseline[i] - x;
        const double dy = advanced_again[i] - baseline_again[i] - y;
        /* What the topic moves the difference of the two ratios of means. */
        const double moves = (advanced[i] - a / b * baseline[i]) / b
            - (advanced_again[i] - a2 / b2 * baseline_again[i]) / b2;
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
        square += moves * moves;
    }
    const double scale = t * t / (N * (N - 1.0));
    /* Fieller: the ratios r for which y - r x is not significant. */
    const double p = x * x - scale * xx, q = x * y - scale * xy, r = y * y - scale * yy;
    const double root = sqrt(fmax(q * q - p * r, 0.0));
    *ratio = p > 0.0 ? (iv_reproduced){ y / x, (q - root) / p, (q + root) / p }
                     : (iv_reproduced){ x != 0.0 ? y / x : NAN, NAN, NAN };
    const double change_now = a / b - a2 / b2, half = sqrt(scale * square);
    *change = (iv_reproduced){ change_now, change_now - half, change_now + half };
}
