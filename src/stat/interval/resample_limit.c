/* SPDX-License-Identifier: Apache-2.0 */
#include "stat/interval/resample_limit.h"

#include <math.h>

#include "base/checking.h"
#include "num/num_private.h"
#include "stat/interval_private.h"

iv_mean_limit iv_mean_limit_at(const double *x, size_t n)
{
    const double N = (double)n;
    double sum = 0.0, squares = 0.0, cubes = 0.0, sizes = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += x[i];
    const double mean = sum / N;
    for (size_t i = 0; i < n; i++) {
        const double d = x[i] - mean, dd = d * d;
        squares += dd;
        cubes += dd * d;
        sizes += dd * fabs(d);
    }
    const double sd = sqrt(squares / N);
    if (!(sd > 0.0)) /* all equal: resamples are, too */
        return (iv_mean_limit){ mean, 0.0, 0.0, 0.0 };
    const double skew = cubes / N / (sd * sd * sd) / sqrt(N);
    const double error = 0.4748 * sizes / N / (sd * sd * sd) / sqrt(N) + 0.0665 * fabs(skew);
    return (iv_mean_limit){ mean, sd / sqrt(N), skew, error };
}

bool iv_mean_limit_of(iv_mean_limit *out, const double *x, size_t n)
{
    if (n < IV_LIMIT_VALUES)
        return false;
    *out = iv_mean_limit_at(x, n);
    return out->error <= IV_LIMIT_ERROR;
}

/* z of the normal as z of the resamples' mean. */
static double skewed(const iv_mean_limit *m, double z)
{
    return z + m->skew * (z * z - 1.0) / 6.0;
}

double iv_limit_quantile(const iv_mean_limit *m, double p)
{
    return m->mean + m->sd * skewed(m, iv_norm_quantile(p));
}

/* Mean and deviation of the logits, by the trapezoidal rule: of a normal density its error
 * is far below rounding. */
static void limit_logits(iv_mean_interval *out, const iv_mean_limit *m)
{
    const double middle = log(m->mean / (1.0 - m->mean)), step = 0.25;
    double all = 0.0, sum = 0.0, squares = 0.0;

    for (int k = -32; k <= 32; k++) {
        const double z = step * k, at = m->mean + m->sd * skewed(m, z), w = exp(-0.5 * z * z);
        if (!(at > 0.0 && at < 1.0))
            continue;
        const double d = log(at / (1.0 - at)) - middle;
        all += w;
        sum += w * d;
        squares += w * d * d;
    }
    const double shift = sum / all;
    out->logit_mean = middle + shift;
    out->logit_sd = sqrt(fmax(0.0, squares / all - shift * shift));
}

bool iv_interval_by_limit(iv_mean_interval *out, const double *sample, double confidence)
{
    const double tail = 0.5 * (1.0 - confidence);
    iv_mean_limit m;

    if (out->gap != IV_GAP_NONE || !iv_interval_resamples(out->method)
        || !iv_mean_limit_of(&m, sample, out->n))
        return false;
    out->limit_error = m.error;
    m.mean = out->mean; /* the same but for rounding */
    if (out->method == IV_INTERVAL_LOGIT) {
        limit_logits(out, &m);
        iv_logit_limits(out, iv_t_isf(tail, (double)(out->n - 1)));
        return true;
    }
    out->lower_level = tail;
    out->upper_level = 1.0 - tail;
    if (out->method == IV_INTERVAL_BCA) {
        out->bias = iv_norm_quantile(0.5 + m.skew * 0.39894228040143267794 / 6.0);
        out->acceleration = m.skew / 6.0; /* that of the jackknife, for the mean */
        iv_bca_levels(out, confidence);
    }
    out->lower = iv_limit_quantile(&m, out->lower_level);
    out->upper = iv_limit_quantile(&m, out->upper_level);
    return true;
}

int iv_interval_resampled(iv_mean_interval *out, iv_interval_method method, double *means,
                          size_t resamples, const double *sample, size_t n,
                          double confidence, iv_err *err)
{
    if (n >= IV_LIMIT_VALUES) {
        IV_TRY(iv_interval_check(sample, n, confidence, err));
        iv_interval_begin(out, method, sample, n);
        if (iv_interval_by_limit(out, sample, confidence))
            return IV_OK;
    }
    return iv_interval_from_means(out, method, means, resamples, sample, n, confidence, err);
}
