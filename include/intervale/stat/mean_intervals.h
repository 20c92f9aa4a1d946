/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Confidence intervals on the mean of a sample, such as a measure's values over topics.
 *
 * The draws of a bootstrap depend on the seed, the number of values and the replicate only:
 * samples of one length (many measures of many runs over the same topics) are resampled
 * together, and an interval does not depend on the others.  doc/methods/mean-intervals.md has
 * the formulas and the measured coverage.
 */
#ifndef INTERVALE_STAT_MEAN_INTERVALS_H
#define INTERVALE_STAT_MEAN_INTERVALS_H

#include "intervale/base.h"

IV_BEGIN_C

/*
 * The methods that have a part of their own in the library.  iv_interval_names() has all, and the
 * number of a method is its place there.  AUTO is WILSON where all values are 0 or 1, LOGIT where
 * all lie in [0, 1], BOOTSTRAP_T elsewhere; of clusters and sets WILSON, LOGIT_T and T.
 */
typedef enum iv_interval_method {
    IV_INTERVAL_AUTO,
    IV_INTERVAL_NONE,
    IV_INTERVAL_LOGIT,
    IV_INTERVAL_PERCENTILE,
    IV_INTERVAL_BCA,
    IV_INTERVAL_T,
    IV_INTERVAL_LOGIT_T,
    IV_INTERVAL_BOOTSTRAP_T,
    IV_INTERVAL_WILSON,
    IV_INTERVAL_EXACT,
    IV_INTERVAL_BOUNDED,
    IV_INTERVAL_LARGER_T /* EXACT where all values are 0 or 1 */
} iv_interval_method;

/* The names of all methods, those above first and in that order, ending with NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_interval_names(void);

/* Why there is no interval. */
typedef enum iv_interval_gap {
    IV_GAP_NONE,      /* there is one */
    IV_GAP_NOT_ASKED, /* IV_INTERVAL_NONE */
    IV_GAP_ONE_VALUE, /* fewer values than the method needs */
    IV_GAP_RANGE,     /* a value outside [0, 1] */
    IV_GAP_CONSTANT,  /* all values are equal, and the method needs their variance */
    IV_GAP_NOT_BINARY, /* wilson or exact, and a value other than 0 and 1 */
    IV_GAP_UNBOUNDED, /* a guarantee was requested, but values have no bound */
    IV_GAP_RESAMPLES, /* logit, and fewer than 2 resamples inside (0, 1) */
    IV_GAP_IMPOSSIBLE, /* an estimate from sampled judgments that the measure cannot be */
    IV_GAP_OUTSIDE,   /* too much of a run is outside of the sampled frame */
    IV_GAP_RATIO,     /* a ratio estimator, and the topics are fixed */
    IV_GAP_UNSEEN     /* most topics have no relevant document in the sample: no estimate */
} iv_interval_gap;

typedef struct iv_mean_interval {
    size_t n;
    iv_interval_method method; /* in use: never auto */
    double mean;
    double se;           /* s / sqrt(n); NaN for n = 1 */
    double lower, upper; /* NaN where there is no interval */
    iv_interval_gap gap;
    bool constant;       /* all values are equal */
    double skewness;     /* g1 of the values; NaN for fewer than 3 or equal ones */
    size_t dropped;      /* logit: resamples with mean 0 or 1, excluded */
    double logit_mean, logit_sd; /* of the logits, else NaN */
    double bias, acceleration;   /* bca: z0 and a, else NaN */
    bool clipped;        /* bca: z0 was infinite and is taken at 1/(2B) */
    double lower_level, upper_level; /* quantiles taken; NaN: none */
} iv_mean_interval;

typedef struct iv_resampling {
    double confidence; /* in (0, 1); 0: 0.95 */
    size_t resamples;  /* of a bootstrap; 0: 10,000 */
} iv_resampling;

/*
 * Intervals for `count` samples of n values each, by a method each; a sample
 * may come several times, with several methods.  IV_ENODATA when n is 0,
 * IV_EARG for a value that is not finite or a confidence outside (0, 1); nothing
 * is written then.  IV_ENOMEM and IV_ECANCELLED may leave out half filled.  Of 20,000 values
 * and more a bootstrap resamples 10,000 random batches.  Time count x n x B, n at most 20,000;
 * memory 8 B bytes or 32 MB, whichever is more.  options and work may be NULL.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_mean_intervals(iv_mean_interval *out,
                                           const double *const *samples,
                                           const iv_interval_method *methods,
                                           size_t count, size_t n,
                                           const iv_resampling *options,
                                           const iv_work *work, iv_err *err);

IV_END_C

#endif
