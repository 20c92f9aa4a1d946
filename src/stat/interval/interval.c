/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intervals of a mean: the rows of the methods, resampling, limits, and sample quantiles.
 *
 * Ref of quantiles: Hyndman and Fan (1996), Sample quantiles in statistical packages, The
 * American Statistician 50, 361-365; type 7.
 */
#include "base/arguments.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "num/dist.h"
#include "num/draw.h"
#include "num/linear.h"
#include "num/logit.h"
#include "num/solve.h"
#include "stat/interval/limits.h"
#include "stat/interval_methods.h"

#include <math.h>

/*
 * Puts the k-th smallest at values[k], nothing larger before it and nothing
 * smaller behind (Hoare).  Equal values stop both scans, so that many of them
 * cost no more than different ones.
 */
static void select_kth(double *values, size_t count, size_t k)
{
    size_t low = 0, high = count - 1;

    while (low < high) {
        const double a = values[low], b = values[low + (high - low) / 2], c = values[high];
        const double pivot = fmax(fmin(a, b), fmin(fmax(a, b), c)); /* their median */
        size_t i = low, j = high;
        for (;;) {
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i >= j)
                break;
            const double held = values[i];
            values[i++] = values[j];
            values[j--] = held;
        }
        /* values[low..i-1] <= pivot <= values[i..high] */
        if (i == low)
            i++; /* the pivot is the smallest and stands at low */
        if (k < i)
            high = i - 1;
        else
            low = i;
    }
}

double iv_quantile(double *values, size_t count, double p)
{
    const double at = ((double)count - 1.0) * p, weight = at - floor(at);

    if (count == 0 || !(p >= 0.0 && p <= 1.0))
        return (double)NAN;
    const size_t k = (size_t)at; /* the smaller of the two order statistics */
    select_kth(values, count, k);
    if (!(weight > 0.0))
        return values[k];
    double next = values[k + 1];
    for (size_t i = k + 2; i < count; i++)
        next = values[i] < next ? values[i] : next;
    return values[k] + weight * (next - values[k]);
}

/* What the function of a method is given. */
typedef struct limits_from {
    const double *sample;
    double *means;    /* of resamples, of a method that needs them; it may reorder them */
    size_t resamples; /* of them; of other methods the number to draw */
    double confidence;
    const iv_work *work;
} limits_from;

/* The function of a method: fills the limits of what iv_interval_begin() began without a gap. */
typedef int limits_function(iv_mean_interval *out, const limits_from *from, iv_err *err);

/* ----------------------------------------------------------------- plain -- */

/*
 * Intervals on a mean that need no resamples.
 *
 * Refs: Student (1908), Biometrika 6, 1-25; Dean and Pagano (2015), Journal of Survey
 * Statistics and Methodology 3, 484-503 (logits); Wilson (1927), JASA 22, 209-212; Clopper and
 * Pearson (1934), Biometrika 26, 404-413; Hoeffding (1963), JASA 58, 13-30; Bentkus (2004),
 * Annals of Probability 32, 1650-1673.
 */

/* Half the width of Student's interval. */
static double half_width(const iv_mean_interval *x, const limits_from *from)
{
    return iv_t_isf(0.5 * (1.0 - from->confidence), (double)(x->n - 1)) * x->se;
}

static int limits_t(iv_mean_interval *out, const limits_from *from, iv_err *err)
{
    const double half = half_width(out, from);

    (void)err;
    out->lower = out->mean - half;
    out->upper = out->mean + half;
    return IV_OK;
}

iv_interval iv_logit_interval(double value, double se, double df, double reach)
{
    iv_interval out = { value, se, (double)NAN, (double)NAN, df };

    if (se > 0.0 && value > 0.0 && value < 1.0 && df >= 1.0)
        iv_logit_wald(&out.lower, &out.upper, value, reach * se);
    return out;
}

static int limits_logit_t(iv_mean_interval *out, const limits_from *from, iv_err *err)
{
    (void)err;
    iv_logit_wald(&out->lower, &out->upper, out->mean, half_width(out, from));
    return IV_OK;
}

void iv_wilson_limits(double *lower, double *upper, double p, double n, double z)
{
    const double zz = z * z / n, middle = p + 0.5 * zz;
    const double half = z * sqrt(fmax(0.0, p * (1.0 - p)) / n + 0.25 * zz / n);

    *lower = p <= 0.0 ? 0.0 : (middle - half) / (1.0 + zz);
    *upper = p >= 1.0 ? 1.0 : (middle + half) / (1.0 + zz);
}

static int limits_wilson(iv_mean_interval *out, const limits_from *from, iv_err *err)
{
    (void)err;
    iv_wilson_limits(&out->lower, &out->upper, out->mean, (double)out->n,
              iv_norm_isf(0.5 * (1.0 - from->confidence)));
    return IV_OK;
}

/* ---------------------------------------------------------------- of a share -- */

/* The lower limit of a share: where P(S >= sum), or a bound of it, passes the tail. */
typedef struct share {
    bool bound; /* of values anywhere in [0, 1] */
    double sum, n, tail;
} share;

/* log of Chernoff's bound of P(S >= sum), S of n values in [0, 1] with mean p. */
static double chernoff(const share *s, double p)
{
    const double a = s->sum / s->n, b = 1.0 - a;

    return -s->n * (a * log(a / p) + (b > 0.0 ? b * log(b / (1.0 - p)) : 0.0));
}

static double above_tail(double p, void *user)
{
    const share *s = user;
    const int64_t k = (int64_t)floor(s->sum + 1e-9), n = (int64_t)s->n;
    const double reached = iv_binom_sf(k - 1, n, p);

    return (s->bound ? fmin(exp(1.0) * reached, exp(chernoff(s, p))) : reached) - s->tail;
}

/* 0 where the sum is; the bounds rise with p up to the mean, which is the limit where they do
 * not pass the tail: of a confidence next to nothing. */
static double lower_share(share *s)
{
    const double mean = s->sum / s->n;
    double limit;

    if (!(s->sum > 0.0))
        return 0.0;
    return iv_find_root(&limit, above_tail, s, 0.0, mean, NULL) == IV_OK ? limit : mean;
}

static int share_limits(iv_mean_interval *out, double confidence, bool bound)
{
    const double n = (double)out->n, sum = out->mean * n;
    share from_below = { bound, bound ? sum : nearbyint(sum), n, 0.5 * (1.0 - confidence) };
    share from_above = from_below;

    from_above.sum = n - from_below.sum;
    out->lower = lower_share(&from_below);
    out->upper = 1.0 - lower_share(&from_above);
    return IV_OK;
}

static int limits_exact(iv_mean_interval *out, const limits_from *from, iv_err *err)
{
    (void)err;
    return share_limits(out, from->confidence, false);
}

/* Those of the one-sided tests of a mean. */
static int limits_larger_t(iv_mean_interval *out, const limits_from *from, iv_err *err)
{
    const double n = (double)out->n;

    (void)err;
    iv_larger_p_limits(&out->lower, &out->upper, out->mean, out->se * sqrt(n), n, n - 1.0,
                   out->skewness, 0.5 * (1.0 - from->confidence));
    return IV_OK;
}

static int limits_bounded(iv_mean_interval *out, const limits_from *from, iv_err *err)
{
    (void)err;
    return share_limits(out, from->confidence, true);
}

/* ----------------------------------------------------------- studentised -- */

/*
 * The bootstrap of the Studentised mean, for skewed values without bounds: quantiles of
 * (m* - m) / se* over resamples, at levels expanded for n, Phi(-+ sqrt(n / (n - 1)) t);
 * Student's where more resamples than a tail has are of one value.
 *
 * Refs: Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 12.5;
 * Hesterberg (2015), The American Statistician 69, 371-386, for the levels.
 */

/* Mean of x by counts, and its standard error, n values in all. */
static void moments(double *mean, double *se, const double *x, const uint32_t *counts, size_t n)
{
    double sum = 0.0, squares = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += x[i] * counts[i];
    *mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - *mean) * (x[i] - *mean) * counts[i];
    *se = sqrt(squares / ((double)n * (double)(n - 1)));
}

/* What the threads of a resampling share: samples of n values. */
typedef struct resampling {
    const double **samples;
    size_t count, n, resamples;
    uint64_t seed;
    double *found; /* [sample * resamples + resample]: means, or Studentised means */
    iv_mean_interval *const *out; /* of the latter */
} resampling;

static void *counts_new(iv_arena *own, void *user)
{
    return iv_take(own, ((const resampling *)user)->n, sizeof(uint32_t));
}

static int resample(void *user, void *memory, size_t k, iv_err *err)
{
    enum { STUDENTISED = 0x73747564 };
    const resampling *j = user;
    iv_stream s = iv_stream_start(j->seed, STUDENTISED, k);

    (void)err;
    iv_draw_resample(&s, memory, j->n);
    for (size_t i = 0; i < j->count; i++) {
        const double dust = 1e-9 * j->out[i]->se; /* what rounding makes of no standard error */
        double m = 0.0, e = 0.0;
        moments(&m, &e, j->samples[i], memory, j->n);
        /* One value n times has no spread. */
        j->found[i * j->resamples + k] = e > dust ? (m - j->out[i]->mean) / e : NAN;
    }
    return IV_OK;
}

void iv_studentised_limits(iv_mean_interval *out, double *t, size_t resamples, size_t units,
                           double df, double confidence)
{
    const double N = (double)units, tail = iv_norm_cdf(
        -sqrt(N / (N - 1.0)) * iv_t_isf(0.5 * (1.0 - confidence), N - 1.0));
    const double student = iv_t_isf(0.5 * (1.0 - confidence), df);
    size_t kept = 0;

    for (size_t k = 0; k < resamples; k++) {
        t[kept] = t[k];
        kept += isnan(t[k]) ? 0 : 1;
    }
    out->dropped = resamples - kept;
    /* More without a spread than a tail holds: its quantile is infinite, and Student's is used. */
    const bool few = (double)out->dropped > tail * (double)resamples || kept < 2;
    out->method = few ? IV_INTERVAL_T : IV_INTERVAL_BOOTSTRAP_T;
    out->lower = out->mean - (few ? student : iv_quantile(t, kept, 1.0 - tail)) * out->se;
    out->upper = out->mean - (few ? -student : iv_quantile(t, kept, tail)) * out->se;
}

size_t iv_batch(const double **out, iv_arena *own, const double *const *samples, size_t count,
                size_t n, uint64_t seed)
{
    const size_t each = (n + IV_BATCHES - 1) / IV_BATCHES;
    const size_t batches = n < 2 * (size_t)IV_BATCHES ? n : n / each;
    iv_stream stream = iv_stream_start(seed, IV_FOR_BOOTSTRAP, UINT64_MAX);

    if (batches == n) {
        for (size_t s = 0; s < count; s++)
            out[s] = samples[s];
        return n;
    }
    size_t *place = iv_take(own, n, sizeof *place);
    double *sums = iv_take(own, count * batches, sizeof *sums);
    if (place == NULL || sums == NULL)
        return 0;
    (void)iv_draw_sequence(&stream, place, n, n);
    for (size_t s = 0; s < count; s++, sums += batches) {
        for (size_t i = 0; i < n; i++)
            sums[place[i] % batches] += samples[s][i];
        for (size_t k = 0; k < batches; k++)
            sums[k] *= (double)batches / (double)n;
        out[s] = sums;
    }
    return batches;
}

/* The samples, or batches of them. */
static int begin_resampling(resampling *j, iv_arena *own, const double *const *samples,
                            size_t count, size_t n, const iv_work *work, iv_err *err)
{
    j->count = count;
    j->seed = iv_work_seed(work);
    j->samples = iv_take(own, count, sizeof *j->samples);
    IV_TRY(iv_taken(own, err));
    j->n = iv_batch(j->samples, own, samples, count, n, j->seed);
    return iv_taken(own, err);
}

/* The Studentised bootstrap of samples of one size, with the same draws, where there is no gap. */
static int bootstrap_t_limits(iv_mean_interval *const *out, const double *const *samples,
                              size_t count, const iv_resampling *o, const iv_work *work,
                              iv_err *err)
{
    const size_t B = o->resamples;
    iv_arena memory = { 0 };

    resampling j = { .out = out, .resamples = B, .found = iv_take(&memory, count * B,
                                                                  sizeof(double)) };
    int rc = begin_resampling(&j, &memory, samples, count, out[0]->n, work, err);
    if (rc == IV_OK)
        rc = iv_parallel(&(iv_loop){ B, resample, &j, counts_new }, work, err);
    for (size_t i = 0; i < count && rc == IV_OK; i++)
        iv_studentised_limits(out[i], j.found + i * B, B, out[i]->n, (double)out[i]->n - 1.0,
                              o->confidence);
    iv_arena_free(&memory);
    return rc;
}

static int limits_bootstrap_t(iv_mean_interval *out, const limits_from *from, iv_err *err)
{
    const iv_resampling o = { .confidence = from->confidence, .resamples = from->resamples };

    return bootstrap_t_limits(&out, &from->sample, 1, &o, from->work, err);
}

/* -------------------------------------------------------------- interval -- */

/*
 * Intervals on a mean, from the sample and the means of its resamples.
 *
 * Refs: Efron (1987), Better bootstrap confidence intervals, JASA 82, 171-185;
 * Park (2011), Bootstrap confidence intervals for mean average precision, 4th
 * ASEARC conference.
 */

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
    case IV_GAP_IMPOSSIBLE:
        return "the estimate is above 1, which is not possible. Judge more documents "
               "(intervale plan sample)";
    case IV_GAP_OUTSIDE:
        return "more than 5 % of what the measure looks at is outside the sampled frame";
    case IV_GAP_RATIO:
        return "ratio estimates have low coverage for a fixed set of topics";
    case IV_GAP_UNSEEN:
        return "most topics have no relevant document in the sample";
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

bool iv_scores_binary(const double *all, size_t count)
{
    size_t known = 0;

    for (size_t i = 0; i < count; i++) {
        if (!isnan(all[i]) && all[i] != 0.0 && all[i] != 1.0)
            return false;
        known += isnan(all[i]) ? 0 : 1;
    }
    return known > 0;
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
            : values != IV_VALUES_ANY ? IV_INTERVAL_LOGIT : IV_INTERVAL_BOOTSTRAP_T;
    if (method == IV_INTERVAL_LARGER_T && values == IV_VALUES_BINARY)
        method = IV_INTERVAL_EXACT;
    *out = (iv_mean_interval){ .n = n, .method = method, .mean = iv_average(sample, n), .se = nan,
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
static void logit_moments(iv_mean_interval *out, const double *means, size_t count)
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

/* The acceleration is that of the jackknife means, whose skewness is that of the sample. */
static void bca_moments(iv_mean_interval *out, const double *means, size_t count,
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
    const double part = (double)below / (double)count;
    out->bias = iv_norm_quantile(fmin(fmax(part, half), 1.0 - half));
    out->acceleration = isnan(out->skewness) ? 0.0 : out->skewness / (6.0 * sqrt((double)out->n));
}

/* Phi(z0 + (z0 + z) / (1 - a (z0 + z))), to its limit beyond the pole. */
static double corrected(double z0, double a, double z)
{
    const double shifted = z0 + z, rest = 1.0 - a * shifted;

    if (!(rest > 0.0))
        return shifted > 0.0 ? 1.0 : 0.0;
    return iv_norm_cdf(z0 + shifted / rest);
}

int iv_check_confidence(double *confidence, iv_err *err)
{
    *confidence = *confidence == 0.0 ? 0.95 : *confidence;
    return *confidence > 0.0 && *confidence < 1.0 ? IV_OK
        : iv_fail(err, IV_EARG, "confidence %g, expected between 0 and 1", *confidence);
}

/* IV_ENODATA or IV_EARG where no interval may be asked for. */
static int interval_check(const double *sample, size_t n, double confidence, iv_err *err)
{
    if (n == 0)
        return iv_fail(err, IV_ENODATA, "an interval on the mean of no values");
    for (size_t i = 0; i < n; i++)
        if (!isfinite(sample[i]))
            return iv_fail(err, IV_EARG, "value %zu of a sample is not finite", i + 1);
    return iv_check_confidence(&confidence, err);
}

static int limits_logit(iv_mean_interval *out, const limits_from *from, iv_err *err)
{
    const double t = iv_t_isf(0.5 * (1.0 - from->confidence), (double)(out->n - 1));

    (void)err;
    if (isnan(out->logit_mean)) /* else from limits with another confidence */
        logit_moments(out, from->means, from->resamples);
    if (out->gap == IV_GAP_NONE) {
        const double reach = t * out->logit_sd;
        out->lower = 1.0 / (1.0 + exp(reach - out->logit_mean));
        out->upper = 1.0 / (1.0 + exp(-reach - out->logit_mean));
    }
    return IV_OK;
}

/* Quantiles at the levels that are set. */
static void take_quantiles_interval(iv_mean_interval *out, const limits_from *from)
{
    out->lower = iv_quantile(from->means, from->resamples, out->lower_level);
    out->upper = iv_quantile(from->means, from->resamples, out->upper_level);
}

static int limits_percentile(iv_mean_interval *out, const limits_from *from, iv_err *err)
{
    (void)err;
    out->lower_level = 0.5 * (1.0 - from->confidence);
    out->upper_level = 1.0 - out->lower_level;
    take_quantiles_interval(out, from);
    return IV_OK;
}

static int limits_bca(iv_mean_interval *out, const limits_from *from, iv_err *err)
{
    const double z = iv_norm_isf(0.5 * (1.0 - from->confidence));

    (void)err;
    if (isnan(out->bias))
        bca_moments(out, from->means, from->resamples, from->sample);
    out->lower_level = corrected(out->bias, out->acceleration, -z);
    out->upper_level = corrected(out->bias, out->acceleration, z);
    take_quantiles_interval(out, from);
    return IV_OK;
}

/* --------------------------------------------------------------- methods -- */

/*
 * One row for each method: name, text, citation keys, the values it takes, whether it needs
 * resamples, works for differences, and for clusters and sets, the least number of values, its
 * function.  Those of iv_interval_method come first, in that order.
 */
#define METHODS(X)                                                                                \
    X("auto", "", "", ANY, 0, 1, 1, 0, NULL)                                                      \
    X("none", "", "", ANY, 0, 1, 1, 0, NULL)                                                      \
    X("logit", "Studentised logit bootstrap", "park2011bootstrap", UNIT, 1, 0, 0, 2, limits_logit) \
    X("percentile", "percentile bootstrap", "efron1993introduction", ANY, 1, 1, 0, 2,             \
      limits_percentile)                                                                          \
    X("bca", "BCa bootstrap", "efron1987better", ANY, 1, 1, 0, 2, limits_bca)                     \
    X("t", "Student's t", "student1908probable", ANY, 0, 1, 1, 2, limits_t)                       \
    X("logit-t", "Student's t on the logit scale", "dean2015evaluating", UNIT, 0, 0, 1, 2,        \
      limits_logit_t)                                                                             \
    X("bootstrap-t", "Studentised bootstrap", "hesterberg2015teachers", ANY, 0, 0, 0, 2,          \
      limits_bootstrap_t)                                                                         \
    X("wilson", "Wilson's score method", "wilson1927probable", BINARY, 0, 0, 1, 1,              \
      limits_wilson)                                                                              \
    X("exact", "Clopper-Pearson", "clopper1934use", BINARY, 0, 0, 0, 1, limits_exact)             \
    X("bounded", "Hoeffding and Bentkus bounds", "hoeffding1963probability bentkus2004hoeffding", \
      UNIT, 0, 0, 0, 1, limits_bounded)                                                           \
    X("larger-t", "the farther limits of Student's t and Hall's t",                               \
      "student1908probable hall1992removal", ANY, 0, 0, 0, 2, limits_larger_t)

const char *const *iv_interval_names(void)
{
#define NAME(name, ...) name,
    static const char *const names[] = { METHODS(NAME) NULL };

    return names;
}

const iv_interval_info *iv_interval_about(iv_interval_method method)
{
#define ROW(name, text, cite, values, r, d, c, least, f) \
    { name, text, "interval " name, cite, IV_VALUES_##values, r, d, c, least },
    static const iv_interval_info rows[] = { METHODS(ROW) };

    return (size_t)method < sizeof rows / sizeof *rows ? &rows[method] : NULL;
}

int iv_interval_from_means(iv_mean_interval *out, iv_interval_method method,
                           double *means, size_t resamples, const double *sample,
                           size_t n, double confidence, iv_err *err)
{
    iv_interval_begin(out, method, sample, n);
    return out->gap != IV_GAP_NONE ? IV_OK
        : iv_interval_limits(out, sample, means, resamples, confidence, NULL, err);
}

int iv_interval_limits(iv_mean_interval *out, const double *sample, double *means,
                       size_t resamples, double confidence, const iv_work *work, iv_err *err)
{
#define FUNCTION(name, text, cite, values, r, d, c, least, f) f,
    static limits_function *const functions[] = { METHODS(FUNCTION) };
    const limits_from from = { sample, means, resamples, confidence, work };

    return functions[out->method](out, &from, err);
}

/*
 * Resampling many samples with the same draws: how often each place of the
 * sample is drawn in a replicate is drawn once, and the sums of all samples are
 * products of these counts with their values.  Sixteen replicates go together,
 * each adding up its sample from the first value to the last, so that no sum
 * depends on threads or on what else is resampled.
 */

enum { LANES = 16, TILE = 4 }; /* replicates at once; TILE divides them */

static void draw(double *lanes, uint32_t *counts, size_t n, const iv_stream *streams,
                 size_t many)
{
    for (size_t b = 0; b < LANES; b++) {
        iv_stream stream = streams[b < many ? b : 0];
        double *lane = lanes + b / TILE * TILE * n + b % TILE;
        if (b < many)
            iv_draw_resample(&stream, counts, n);
        for (size_t i = 0; i < n; i++)
            lane[i * TILE] = b < many ? (double)counts[i] : 0.0;
    }
}

/* Numbers that are added and multiplied together, each as it would be alone. */
typedef double tile __attribute__((vector_size(TILE * sizeof(double)), aligned(sizeof(double)),
                                   may_alias));

/* Registers of four doubles where there are some; no sum depends on them. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

/* TILE samples times TILE replicates: each value and each count that is fetched serves
 * several sums, which stay in registers.  Compilers do not find this by themselves. */
WIDE static void sum_tile(double sum[TILE][TILE], const double *const *samples,
                          const double *lanes, size_t n)
{
    const double *a = samples[0], *b = samples[1], *c = samples[2], *d = samples[3];
    tile of[TILE] = { { 0.0 } };

    for (size_t i = 0; i < n; i++) {
        const tile counts = *(const tile *)(lanes + i * TILE);
        of[0] += counts * a[i];
        of[1] += counts * b[i];
        of[2] += counts * c[i];
        of[3] += counts * d[i];
    }
    for (size_t k = 0; k < TILE; k++)
        for (size_t j = 0; j < TILE; j++)
            sum[k][j] = of[k][j];
}

static void resample_block(double *means, size_t stride, const double *const *samples,
                           size_t count, size_t n, const iv_stream *streams, size_t many,
                           double *room)
{
    double *lanes = room;

    draw(lanes, (uint32_t *)(void *)(room + n * LANES), n, streams, many);
    for (size_t s = 0; s < count; s += TILE) {
        const size_t some = count - s < TILE ? count - s : TILE;
        const double *four[TILE];
        for (size_t k = 0; k < TILE; k++)
            four[k] = samples[k < some ? s + k : s];
        for (size_t first = 0; first < many; first += TILE) {
            double sum[TILE][TILE];
            sum_tile(sum, four, lanes + first * n, n);
            for (size_t k = 0; k < some; k++)
                for (size_t b = 0; b < TILE && first + b < many; b++)
                    means[(s + k) * stride + first + b] = sum[k][b] / (double)n;
        }
    }
}

/* Counts as doubles, TILE replicates value by value, and one replicate's counts as drawn. */
static void *new_room(iv_arena *own, void *user)
{
    const size_t n = ((const resampling *)user)->n;

    return iv_take(own, n * LANES + (n + 1) / 2, sizeof(double));
}

static int resample_lanes(void *user, void *memory, size_t k, iv_err *err)
{
    const resampling *r = user;
    const size_t first = k * LANES, left = r->resamples - first;
    const size_t many = left < LANES ? left : LANES;
    iv_stream streams[LANES];

    (void)err;
    for (size_t b = 0; b < many; b++)
        streams[b] = iv_stream_start(r->seed, IV_FOR_BOOTSTRAP, first + b);
    resample_block(r->found + first, r->resamples, r->samples, r->count, r->n, streams,
                   many, memory);
    return IV_OK;
}

int iv_resample_means(double *means, const double *const *samples, size_t count, size_t n,
                      size_t resamples, const iv_work *work, iv_err *err)
{
    iv_arena own = { 0 };
    resampling r = { .resamples = resamples, .found = means };
    int rc = begin_resampling(&r, &own, samples, count, n, work, err);

    if (rc == IV_OK)
        rc = iv_parallel(&(iv_loop){ (resamples + LANES - 1) / LANES, resample_lanes, &r,
                                     new_room }, work, err);
    iv_arena_free(&own);
    return rc;
}

/* Samples that are resampled together: as many as fit the memory. */
typedef struct group {
    iv_mean_interval **out;
    const double **samples;
    size_t count, most;
    size_t done, all; /* samples of groups before this one; of all groups */
    double *means;
    size_t n;
    iv_resampling options;
} group;

static int finish_sample(void *user, void *memory, size_t s, iv_err *err)
{
    const group *g = user;
    const size_t B = g->options.resamples;

    (void)memory;
    return iv_interval_limits(g->out[s], g->samples[s], g->means + s * B, B,
                              g->options.confidence, NULL, err);
}

/* Drawing takes most of the time, the intervals from the draws the rest. */
static int finish_group(group *g, bool studentised, const iv_work *work, iv_err *err)
{
    const double from = (double)g->done / (double)g->all;
    const double part = (double)g->count / (double)g->all;
    iv_stage drawing, telling;
    int rc = IV_OK;

    (void)iv_work_part(&drawing, work, from, from + (studentised ? 1.0 : 0.7) * part);
    if (studentised && g->count > 0)
        rc = bootstrap_t_limits(g->out, g->samples, g->count, &g->options, &drawing.work, err);
    else if (g->count > 0)
        rc = iv_resample_means(g->means, g->samples, g->count, g->n, g->options.resamples,
                               &drawing.work, err);
    if (rc == IV_OK && !studentised)
        rc = iv_parallel(&(iv_loop){ g->count, finish_sample, g, NULL },
                         iv_work_part(&telling, work, from + 0.7 * part, from + part), err);
    g->done += g->count;
    g->count = 0;
    return rc;
}

/* Is it still to be drawn: Studentised, or from the means of resamples? */
static bool is_drawn(const iv_mean_interval *i, bool studentised)
{
    return i->gap == IV_GAP_NONE && (studentised ? i->method == IV_INTERVAL_BOOTSTRAP_T
                                                 : iv_interval_about(i->method)->resamples);
}

static int bootstrap(group *g, iv_mean_interval *out, const double *const *samples, size_t count,
                     const iv_work *work, iv_err *err)
{
    const size_t B = g->options.resamples, fit = ((size_t)1 << 22) / (B + 1);
    iv_arena own = { 0 };

    g->most = fit < 1 ? 1 : fit < g->all ? fit : g->all;
    g->samples = iv_take(&own, g->most, sizeof *g->samples);
    g->out = iv_take(&own, g->most, sizeof(iv_mean_interval *));
    if (B <= SIZE_MAX / sizeof *g->means / (g->most + 1))
        g->means = iv_arena_alloc(&own, g->most * B * sizeof *g->means);
    int rc = g->means != NULL && !own.failed ? IV_OK
        : iv_fail(err, IV_ENOMEM, "out of memory for %zu resamples", B);
    for (int kind = 0; kind < 2 && rc == IV_OK; kind++) {
        for (size_t s = 0; s < count && rc == IV_OK; s++) {
            if (!is_drawn(&out[s], kind == 1))
                continue;
            g->samples[g->count] = samples[s];
            g->out[g->count++] = &out[s];
            if (g->count == g->most)
                rc = finish_group(g, kind == 1, work, err);
        }
        if (rc == IV_OK)
            rc = finish_group(g, kind == 1, work, err);
    }
    iv_arena_free(&own);
    return rc;
}

int iv_mean_intervals(iv_mean_interval *out, const double *const *samples,
                      const iv_interval_method *methods, size_t count, size_t n,
                      const iv_resampling *options, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_each(samples, count, "sample", err));
    IV_TRY(iv_check_list(methods, count, "method", err));
    group g = { .n = n, .options = iv_resampling_of(options) };

    /* Errors are told before anything is written. */
    for (size_t s = 0; s < count; s++) {
        IV_TRY(iv_check_choice(methods[s], iv_interval_names(), "the interval", err));
        IV_TRY(interval_check(samples[s], n, g.options.confidence, err));
    }
    for (size_t s = 0; s < count; s++) {
        iv_interval_begin(&out[s], methods[s], samples[s], n);
        const bool drawn = is_drawn(&out[s], false) || is_drawn(&out[s], true);
        g.all += drawn;
        if (!drawn && out[s].gap == IV_GAP_NONE)
            IV_TRY(iv_interval_limits(&out[s], samples[s], NULL, 0, g.options.confidence, work,
                                      err));
    }
    return g.all > 0 ? bootstrap(&g, out, samples, count, work, err) : IV_OK;
}
