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
#include "base/names.h"
#include "stat/interval/bootstrap.h"

IV_NAMES(iv_interval_names, "auto", "none", "logit", "percentile", "bca", "t", "logit-t", "log-t",
         "binomial", "exact", "bounded")

const char *iv_interval_gap_text(iv_interval_gap gap)
{
    switch (gap) {
    case IV_GAP_NONE:
        return "";
    case IV_GAP_NOT_ASKED:
        return "none was asked for";
    case IV_GAP_ONE_VALUE:
        return "there is only one value";
    case IV_GAP_ALL_ENDS:
        return "all values are 0, or all are 1";
    case IV_GAP_RANGE:
        return "a value lies outside [0, 1]";
    case IV_GAP_NEGATIVE:
        return "a value is below 0";
    case IV_GAP_CONSTANT:
        return "all values are equal, and nothing bounds those of other topics";
    case IV_GAP_NOT_BINARY:
        return "a value is neither 0 nor 1";
    case IV_GAP_UNBOUNDED:
        return "nothing can be guaranteed of values without a bound";
    case IV_GAP_RESAMPLES:
        return "fewer than 2 resamples have a mean inside (0, 1)";
    case IV_GAP_OUTSIDE:
        return "more than 5 % of what the measure looks at is outside the sampled frame";
    case IV_GAP_RATIO:
        return "ratio estimates have low coverage for a fixed set of topics";
    case IV_GAP_FEW:
        return "the sample found fewer than 1.5 relevant documents a topic, too few for an interval "
               "that holds";
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

/* What logit, t and their kin cannot do with these values. */
static iv_interval_gap gap_of(iv_interval_method method, const double *x, size_t n,
                              bool constant)
{
    const bool share = method == IV_INTERVAL_BINOMIAL || method == IV_INTERVAL_EXACT;
    const bool unit = method == IV_INTERVAL_LOGIT || method == IV_INTERVAL_LOGIT_T
        || method == IV_INTERVAL_BOUNDED;

    if (method == IV_INTERVAL_NONE)
        return IV_GAP_NOT_ASKED;
    for (size_t i = 0; i < n; i++) {
        if (share && x[i] != 0.0 && x[i] != 1.0)
            return IV_GAP_NOT_BINARY;
        if (unit && (x[i] < 0.0 || x[i] > 1.0))
            return IV_GAP_RANGE;
        if (method == IV_INTERVAL_LOG_T && x[i] < 0.0)
            return IV_GAP_NEGATIVE;
    }
    if (share || method == IV_INTERVAL_BOUNDED)
        return IV_GAP_NONE; /* they need no spread */
    if (n == 1)
        return IV_GAP_ONE_VALUE;
    if (constant && method == IV_INTERVAL_LOG_T)
        return IV_GAP_CONSTANT;
    if (constant && method != IV_INTERVAL_LOGIT_T && (x[0] == 0.0 || x[0] == 1.0))
        return IV_GAP_ALL_ENDS;
    return IV_GAP_NONE;
}

/*
 * What resamples of nothing but values near an end (a tenth of the mean's distance or less) add to the variance
 * on the logit scale: their share, times the square of how far away their logit lies.
 */
static double near_end(const double *x, size_t n, double mean, bool upper)
{
    const double all = upper ? 1.0 - mean : mean;
    double sum = 0.0;
    size_t near = 0;

    for (size_t i = 0; i < n; i++) {
        const double y = upper ? 1.0 - x[i] : x[i];
        if (y <= 0.1 * all) {
            sum += y;
            near++;
        }
    }
    if (near == 0 || !(sum > 0.0))
        return 0.0; /* zeros have no logit: they are counted by themselves */
    const double away = log(all * (double)near / sum);
    return pow((double)near / (double)n, (double)n) * away * away;
}

/* Is that more than a quarter of what the values' own spread makes of it? */
static bool is_nearly_sparse(const double *x, size_t n)
{
    const double mean = mean_of(x, n);
    double squares = 0.0;

    for (size_t i = 0; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    const double slope = mean * (1.0 - mean), spread = squares / ((double)n * ((double)n - 1.0)) / (slope * slope);
    return n > 1 && slope > 0.0 && near_end(x, n, mean, false) + near_end(x, n, mean, true) > 0.25 * spread;
}

/*
 * What AUTO stands for.  A resample of nothing but zeros (or ones) has no logit, and
 * without these the others say too little; one in 10,000 is what is borne.  Of nothing but values near them it
 * has one far away, and the limits are then wider than any distribution asks for.
 */
static iv_interval_method method_for(iv_interval_method method, const double *x, size_t n)
{
    size_t zeros = 0, ones = 0;
    bool constant = true;

    if (method != IV_INTERVAL_AUTO)
        return method;
    for (size_t i = 0; i < n; i++) {
        if (!(x[i] >= 0.0 && x[i] <= 1.0))
            return IV_INTERVAL_T;
        zeros += x[i] == 0.0;
        ones += x[i] == 1.0;
        constant = constant && x[i] == x[0];
    }
    const double lost = pow((double)zeros / (double)n, (double)n)
        + pow((double)ones / (double)n, (double)n);
    return constant || lost > 1e-4 || is_nearly_sparse(x, n) ? IV_INTERVAL_LOGIT_T : IV_INTERVAL_LOGIT;
}

iv_score_scale iv_score_scale_of(const double *all, size_t count)
{
    iv_score_scale s = { .unit = true };

    for (size_t i = 0; i < count; i++) {
        s.negative = s.negative || all[i] < 0.0;
        s.unit = s.unit && !(all[i] < 0.0) && !(all[i] > 1.0);
    }
    return s;
}

iv_interval_method iv_interval_of_scores(const double *x, size_t n, iv_score_scale scale)
{
    bool varied = false;

    for (size_t i = 0; i < n; i++)
        varied = varied || x[i] != x[0];
    return scale.unit ? IV_INTERVAL_AUTO
        : scale.negative || !varied ? IV_INTERVAL_T : IV_INTERVAL_LOG_T;
}

void iv_interval_begin(iv_mean_interval *out, iv_interval_method method,
                       const double *sample, size_t n)
{
    const double nan = (double)NAN;
    bool constant = true;
    double squares = 0.0;

    *out = (iv_mean_interval){ .n = n, .method = method_for(method, sample, n),
                               .mean = mean_of(sample, n), .se = nan,
                               .lower = nan, .upper = nan, .logit_mean = nan,
                               .logit_sd = nan, .bias = nan, .acceleration = nan,
                               .lower_level = nan, .upper_level = nan };
    for (size_t i = 1; i < n && constant; i++)
        constant = sample[i] == sample[0];
    if (constant) /* n times x over n may differ from x in the last digit */
        out->mean = sample[0];
    for (size_t i = 0; i < n; i++)
        squares += (sample[i] - out->mean) * (sample[i] - out->mean);
    if (n > 1)
        out->se = sqrt(squares / (double)(n - 1) / (double)n);
    out->constant = constant && n > 1;
    out->gap = gap_of(out->method, sample, n, constant);
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

int iv_interval_from_means(iv_mean_interval *out, iv_interval_method method,
                           double *means, size_t resamples, const double *sample,
                           size_t n, double confidence, iv_err *err)
{
    IV_TRY(iv_check_choice(method, iv_interval_names(), "the interval", err));
    confidence = confidence == 0.0 ? 0.95 : confidence;
    const int rc = iv_interval_check(sample, n, confidence, err);
    const double tail = 0.5 * (1.0 - confidence);

    if (rc < 0)
        return rc;
    iv_interval_begin(out, method, sample, n);
    method = out->method;
    if (out->gap != IV_GAP_NONE)
        return IV_OK;
    if (resamples == 0 && iv_interval_resamples(method))
        return iv_fail(err, IV_EARG, "a bootstrap without resamples");
    if (!iv_interval_resamples(method)) {
        iv_plain_limits(out, confidence);
    } else if (method == IV_INTERVAL_LOGIT) {
        iv_logit_moments(out, means, resamples);
        if (out->gap == IV_GAP_NONE)
            iv_logit_limits(out, iv_t_isf(tail, (double)(n - 1)));
    } else {
        out->lower_level = tail;
        out->upper_level = 1.0 - tail;
        if (method == IV_INTERVAL_BCA) {
            iv_bca_moments(out, means, resamples, sample);
            iv_bca_levels(out, confidence);
        }
        out->lower = iv_quantile(means, resamples, out->lower_level);
        out->upper = iv_quantile(means, resamples, out->upper_level);
    }
    if (out->constant && iv_interval_resamples(method)) /* without rounding's dust */
        out->lower = out->upper = out->mean;
    return IV_OK;
}
