/* SPDX-License-Identifier: Apache-2.0 */
/* Interval methods for means: their rows, resampling and limits. */
#ifndef IV_STAT_INTERVAL_METHODS_H
#define IV_STAT_INTERVAL_METHODS_H

#include "intervale/stat/mean_intervals.h"
#include "intervale/stat/structured_means.h"

/* 0 becomes .95; IV_EARG unless it is then between 0 and 1. */
IV_MUST_CHECK int iv_check_confidence(double *confidence, iv_err *err);

/* value -+ reach standard errors on the logit scale; no limits where there is no variance, or no
 * logit. */
iv_interval iv_logit_interval(double value, double se, double df, double reach);

/* The number of independent items, at most as many as there are (Korn and Graubard 1998), with
 * which a mean of scores with this variance would have its standard error; Kish's (1965) where
 * the variance is 0. */
double iv_effective_items(const iv_structured *m, double variance);

/* The cluster bootstrap-t interval of a structured mean without repeats; the method that it says is
 * t where too many resamples are of one value.  Fails as iv_structured_mean(). */
IV_MUST_CHECK int iv_structured_bootstrap_t(iv_mean_interval *out, const double *x, size_t items,
                                            const iv_structure *s, const iv_resampling *options,
                                            const iv_work *work, iv_err *err);

/* The values a method can use. */
typedef enum iv_interval_values {
    IV_VALUES_ANY,
    IV_VALUES_UNIT,
    IV_VALUES_BINARY
} iv_interval_values;

/* All there is to say of a method; its row is in interval/interval.c. */
typedef struct iv_interval_info {
    const char *name, *text;
    const char *id;   /* among all methods of answers: "interval NAME" */
    const char *cite; /* keys of its references; "": none */
    iv_interval_values values;
    bool resamples, differences, clusters; /* needs the first, works for the others */
    size_t least; /* number of values; 0: it is no interval */
} iv_interval_info;

/* The row of a method; NULL for a number after the last. */
const iv_interval_info *iv_interval_about(iv_interval_method method);

/* The same as words: "there is only one value". */
const char *iv_interval_gap_text(iv_interval_gap gap);

/* The same with the numbers that 0 stands for; options may be NULL. */
iv_resampling iv_resampling_of(const iv_resampling *options);

/*
 * The means of B resamples of each of `count` samples of n values: means[i * B +
 * b] of sample i in replicate b.
 */
IV_MUST_CHECK int iv_resample_means(double *means, const double *const *samples, size_t count,
                                    size_t n, size_t resamples, const iv_work *work, iv_err *err);

/*
 * The interval of one sample when the means of its resamples are given, as
 * when all resamples are enumerated.  Reorders means.
 */
IV_MUST_CHECK int iv_interval_from_means(iv_mean_interval *out,
                                                iv_interval_method method,
                                                double *means, size_t resamples,
                                                const double *sample, size_t n,
                                                double confidence, iv_err *err);

/*
 * The quantile of count values, interpolated between order statistics at
 * (count - 1) p (Hyndman and Fan's type 7).  Reorders values; linear time.
 * NaN when count is 0 or p outside [0, 1].
 */
double iv_quantile(double *values, size_t count, double p);

#endif
