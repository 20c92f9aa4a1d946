/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/stat.h beside what programs do. */
#ifndef IV_STAT_INTERVAL_PRIVATE_H
#define IV_STAT_INTERVAL_PRIVATE_H

#include "intervale/stat.h"

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
IV_MUST_CHECK int iv_resample_means(double *means,
                                           const double *const *samples,
                                           size_t count, size_t n,
                                           const iv_resampling *options,
                                           const iv_work *work, iv_err *err);

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

#endif /* IV_STAT_INTERVAL_PRIVATE_H */
