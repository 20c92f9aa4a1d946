/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intervals on a mean, from the sample and the means of its resamples.
 *
 * Refs: Efron (1987), Better bootstrap confidence intervals, JASA 82, 171-185;
 * Park (2011), Bootstrap confidence intervals for mean average precision, 4th
 * ASEARC conference.
 */
#include <math.h>

#include "base/checking.h"
#include "stat/interval/bootstrap.h"
#include "num/num_private.h"
#include "stat/interval_private.h"

const char *const *iv_interval_names(void)
{
#define NAME(id, name, ...) name,
    static const char *const names[] = { IV_INTERVAL_METHODS(NAME) NULL };

    return names;
}

const iv_interval_info *iv_interval_about(iv_interval_method method)
{
#define ROW(id, name, text, cite, values, r, d, c, least, f) \
    { name, text, cite, IV_VALUES_##values, r, d, c, least },
    static const iv_interval_info rows[] = { IV_INTERVAL_METHODS(ROW) };

    return &rows[method];
}

static iv_limits *limits_of(iv_interval_method method)
{
#define FUNCTION(id, name, text, cite, values, r, d, c, least, f) f,
    static iv_limits *const functions[] = { IV_INTERVAL_METHODS(FUNCTION) };

    return functions[method];
}

const char *iv_interval_gap_text(iv_interval_gap gap)
{
    switch (gap) {
    case IV_GAP_NONE:
        return "";
    case IV_GAP_NOT_ASKED:
        return "none was asked for";
    case IV_GAP_ONE_VALUE:
        return "there are too few values";
    case IV_GAP_RANGE:
        return "a value lies outside [0, 1]";
    case IV_GAP_CONSTANT:
        return "all values are equal, so their variance cannot be estimated";
    case IV_GAP_NOT_BINARY:
        return "a value is neither 0 nor 1";
    case IV_GAP_UNBOUNDED:
        return "there is no guaranteed interval for values without bounds";
    case IV_GAP_RESAMPLES:
        return "fewer than 2 resamples have a mean inside (0, 1)";
    case IV_GAP_OUTSIDE:
        return "more than 5 % of what the measure looks at is outside the sampled frame";
    case IV_GAP_RATIO:
        return "ratio estimates have low coverage for a fixed set of topics";
    }
    return "";
}

iv_resampling iv_resampling_of(const iv_resampling *options)
{
    iv_resampling o = options != NULL ? *options : (iv_resampling){ 0 };

    if (o.confidence == 0.0)
        o.confidence = 0.95;
    if (o.resamples == 0)
        o.resamples = 10000;
    return o;
}

/* Sum in the order of the values, as trec_eval has it. */
static double mean_of(const double *x, size_t n)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}

/* Where the values lie. */
static iv_interval_values values_of(const double *x, size_t n)
{
    bool binary = true;

    for (size_t i = 0; i < n; i++) {
        if (!(x[i] >= 0.0 && x[i] <= 1.0))
            return IV_VALUES_ANY;
        binary = binary && (x[i] == 0.0 || x[i] == 1.0);
    }
    return binary ? IV_VALUES_BINARY : IV_VALUES_UNIT;
}

/* Why a method has no interval of these values. */
static iv_interval_gap gap_of(const iv_interval_info *row, iv_interval_values values, size_t n,
                              bool constant)
{
    if (row->least == 0)
        return IV_GAP_NOT_ASKED;
    if (values < row->values)
        return row->values == IV_VALUES_BINARY ? IV_GAP_NOT_BINARY : IV_GAP_RANGE;
    if (n < row->least)
        return IV_GAP_ONE_VALUE;
    return constant && row->least > 1 ? IV_GAP_CONSTANT : IV_GAP_NONE;
}

bool iv_scores_unit(const double *all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (all[i] < 0.0 || all[i] > 1.0)
            return false;
    return true;
}

void iv_interval_begin(iv_mean_interval *out, iv_interval_method method,
                       const double *sample, size_t n)
{
    const double nan = (double)NAN;
    const iv_interval_values values = values_of(sample, n);
    bool constant = true;
    double squares = 0.0, cubes = 0.0;

    if (method == IV_INTERVAL_AUTO)
        method = values == IV_VALUES_BINARY && n > 1 ? IV_INTERVAL_WILSON
            : values != IV_VALUES_ANY ? IV_INTERVAL_LOGIT : IV_INTERVAL_T;
    *out = (iv_mean_interval){ .n = n, .method = method, .mean = mean_of(sample, n), .se = nan,
                               .lower = nan, .upper = nan, .logit_mean = nan,
                               .logit_sd = nan, .bias = nan, .acceleration = nan,
                               .lower_level = nan, .upper_level = nan, .skewness = nan };
    for (size_t i = 1; i < n && constant; i++)
        constant = sample[i] == sample[0];
    if (constant) /* n times x over n may differ from x in the last digit */
        out->mean = sample[0];
    for (size_t i = 0; i < n; i++) {
        const double d = sample[i] - out->mean;
        squares += d * d;
        cubes += d * d * d;
    }
    if (n > 1)
        out->se = sqrt(squares / (double)(n - 1) / (double)n);
    if (n > 2 && !constant)
        out->skewness = sqrt((double)n) * cubes / (squares * sqrt(squares));
    out->constant = constant && n > 1;
    out->gap = gap_of(iv_interval_about(method), values, n, constant);
}

/*
 * In one pass, since the logarithms are what takes the time: deviations from
 * the sample's own logit, which lies in the middle of them, lose no digits.
 */
void iv_logit_moments(iv_mean_interval *out, const double *means, size_t count)
{
    const double middle = log(out->mean / (1.0 - out->mean));
    double sum = 0.0, squares = 0.0;
    size_t kept = 0;

    for (size_t b = 0; b < count; b++) {
        if (!(means[b] > 0.0 && means[b] < 1.0))
            continue;
        const double d = log(means[b] / (1.0 - means[b])) - middle;
        sum += d;
        squares += d * d;
        kept++;
    }
    out->dropped = count - kept;
    if (kept < 2) {
        out->gap = IV_GAP_RESAMPLES;
        return;
    }
    const double shift = sum / (double)kept;
    out->logit_mean = middle + shift;
    out->logit_sd = sqrt(fmax(0.0, squares / (double)kept - shift * shift));
}

void iv_logit_limits(iv_mean_interval *out, double t)
{
    const double reach = t * out->logit_sd;

    out->lower = 1.0 / (1.0 + exp(reach - out->logit_mean));
    out->upper = 1.0 / (1.0 + exp(-reach - out->logit_mean));
}

/*
 * a = sum d^3 / (6 (sum d^2)^1.5), d the deviations of the jackknife means,
 * which are the sample's own deviations divided by n - 1.
 */
static double acceleration_of(const double *x, size_t n, double mean)
{
    double squares = 0.0, cubes = 0.0;

    for (size_t i = 0; i < n; i++) {
        const double d = (x[i] - mean) / (double)(n - 1);
        squares += d * d;
        cubes += d * d * d;
    }
    return squares > 0.0 ? cubes / (6.0 * squares * sqrt(squares)) : 0.0;
}

void iv_bca_moments(iv_mean_interval *out, const double *means, size_t count,
                    const double *sample)
{
    double size = fabs(out->mean);
    size_t below = 0;

    for (size_t i = 0; i < out->n; i++)
        size = fmax(size, fabs(sample[i]));
    /* Strictly below: a mean equal but for rounding is not. */
    const double limit = out->mean - 1e-12 * size;
    for (size_t b = 0; b < count; b++)
        below += means[b] < limit;
    out->clipped = below == 0 || below == count;
    const double half = 0.5 / (double)count;
    const double share = (double)below / (double)count;
    out->bias = iv_norm_quantile(fmin(fmax(share, half), 1.0 - half));
    out->acceleration = out->constant ? 0.0 : acceleration_of(sample, out->n, out->mean);
}

/* Phi(z0 + (z0 + z) / (1 - a (z0 + z))), to its limit beyond the pole. */
static double corrected(double z0, double a, double z)
{
    const double shifted = z0 + z, rest = 1.0 - a * shifted;

    if (!(rest > 0.0))
        return shifted > 0.0 ? 1.0 : 0.0;
    return iv_norm_cdf(z0 + shifted / rest);
}

void iv_bca_levels(iv_mean_interval *out, double confidence)
{
    const double z = iv_norm_isf(0.5 * (1.0 - confidence));

    out->lower_level = corrected(out->bias, out->acceleration, -z);
    out->upper_level = corrected(out->bias, out->acceleration, z);
}

int iv_interval_check(const double *sample, size_t n, double confidence, iv_err *err)
{
    if (n == 0)
        return iv_fail(err, IV_ENODATA, "an interval on the mean of no values");
    for (size_t i = 0; i < n; i++)
        if (!isfinite(sample[i]))
            return iv_fail(err, IV_EARG, "value %zu of a sample is not finite", i + 1);
    if (!(confidence > 0.0 && confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected 0 < confidence < 1",
                       confidence);
    return IV_OK;
}

int iv_limits_logit(iv_mean_interval *out, const iv_limits_from *from, iv_err *err)
{
    (void)err;
    iv_logit_moments(out, from->means, from->resamples);
    if (out->gap == IV_GAP_NONE)
        iv_logit_limits(out, iv_t_isf(0.5 * (1.0 - from->confidence), (double)(out->n - 1)));
    return IV_OK;
}

/* Quantiles at the levels that are set. */
static void take_quantiles(iv_mean_interval *out, const iv_limits_from *from)
{
    out->lower = iv_quantile(from->means, from->resamples, out->lower_level);
    out->upper = iv_quantile(from->means, from->resamples, out->upper_level);
}

int iv_limits_percentile(iv_mean_interval *out, const iv_limits_from *from, iv_err *err)
{
    (void)err;
    out->lower_level = 0.5 * (1.0 - from->confidence);
    out->upper_level = 1.0 - out->lower_level;
    take_quantiles(out, from);
    return IV_OK;
}

int iv_limits_bca(iv_mean_interval *out, const iv_limits_from *from, iv_err *err)
{
    (void)err;
    iv_bca_moments(out, from->means, from->resamples, from->sample);
    iv_bca_levels(out, from->confidence);
    take_quantiles(out, from);
    return IV_OK;
}

int iv_interval_from_means(iv_mean_interval *out, iv_interval_method method,
                           double *means, size_t resamples, const double *sample,
                           size_t n, double confidence, iv_err *err)
{
    IV_TRY(iv_check_choice(method, iv_interval_names(), "the interval", err));
    confidence = confidence == 0.0 ? 0.95 : confidence;
    IV_TRY(iv_interval_check(sample, n, confidence, err));
    iv_interval_begin(out, method, sample, n);
    if (out->gap != IV_GAP_NONE)
        return IV_OK;
    if (resamples == 0 && iv_interval_resamples(out->method))
        return iv_fail(err, IV_EARG, "a bootstrap without resamples");
    return limits_of(out->method)(out, &(iv_limits_from){ sample, means, resamples, confidence,
                                                          NULL }, err);
}

int iv_plain_limits(iv_mean_interval *out, const double *sample, const iv_resampling *options,
                    const iv_work *work, iv_err *err)
{
    const iv_resampling o = iv_resampling_of(options);

    return limits_of(out->method)(out, &(iv_limits_from){ sample, NULL, o.resamples, o.confidence,
                                                          work }, err);
}
