/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intervals on the mean of a sample, such as a measure's values over topics.
 *
 *   logit       Studentised logit bootstrap (Park 2011): the logits of the
 *               means of resamples, their mean +- t(n-1) times their standard
 *               deviation, back by the inverse logit; for values in [0, 1]
 *   percentile  quantiles of the means of resamples
 *   bca         the same at levels corrected for bias and skewness (Efron 1987)
 *   t           mean +- t(n-1) s / sqrt(n)
 *   logit-t     the same on the scale of logits, for values in [0, 1]; where all are
 *               equal, from the chance to see nothing else
 *   log-t       the same on the scale of logarithms, for values of 0 or more, with
 *               (n-1)/2 degrees of freedom (not below 3, where there are as many):
 *               the spread of skewed values is known less well than that of normal ones
 *   binomial    mid-P limits of a share, for values that are 0 or 1 by definition
 *   exact       the same by Clopper and Pearson: guaranteed, whatever the share
 *   bounded     Hoeffding's and Bentkus' limits: guaranteed, whatever the
 *               distribution, for values in [0, 1]
 *
 * doc/methods/mean-intervals.md says when each holds.  The draws of a bootstrap
 * depend on the seed, the number of values and the replicate only: samples of
 * the same length, such as many measures of many runs over the same topics,
 * are resampled together, and an interval is the same whoever else is there.
 */
#ifndef INTERVALE_STAT_INTERVAL_H
#define INTERVALE_STAT_INTERVAL_H

#include "intervale/base.h"

IV_BEGIN_C

typedef enum iv_interval_method {
    /*
     * logit where all values lie in [0, 1], and logit-t instead where it would have
     * to leave out resamples, or all values are equal; t elsewhere
     */
    IV_INTERVAL_AUTO,
    IV_INTERVAL_NONE,
    IV_INTERVAL_LOGIT,
    IV_INTERVAL_PERCENTILE,
    IV_INTERVAL_BCA,
    IV_INTERVAL_T,
    IV_INTERVAL_LOGIT_T,
    IV_INTERVAL_LOG_T,
    IV_INTERVAL_BINOMIAL,
    IV_INTERVAL_EXACT,
    IV_INTERVAL_BOUNDED
} iv_interval_method;

/* The methods' names in that order, ending with NULL. */
IV_API const char *const *iv_interval_names(void);

/* Why there is no interval. */
typedef enum iv_interval_gap {
    IV_GAP_NONE,      /* there is one */
    IV_GAP_NOT_ASKED, /* IV_INTERVAL_NONE */
    IV_GAP_ONE_VALUE, /* a single value tells nothing of its spread */
    IV_GAP_ALL_ENDS,  /* all values 0, or all values 1 */
    IV_GAP_RANGE,     /* a value outside [0, 1] */
    IV_GAP_NEGATIVE,  /* log-t, and a value below 0 */
    IV_GAP_CONSTANT,  /* log-t or a mean difference, and all values are equal */
    IV_GAP_NOT_BINARY, /* binomial or exact, and a value other than 0 and 1 */
    IV_GAP_UNBOUNDED, /* a guarantee was asked for, and values have no bound */
    IV_GAP_RESAMPLES, /* logit, and fewer than 2 resamples inside (0, 1) */
    IV_GAP_FEW,       /* a sample found fewer than 1.5 relevant documents a topic */
    IV_GAP_OUTSIDE,   /* too much of a run is outside of the sampled frame */
    IV_GAP_RATIO      /* a ratio estimator, and the topics are fixed */
} iv_interval_gap;

/* The same as words: "there is only one value". */
IV_API const char *iv_interval_gap_text(iv_interval_gap gap);

typedef struct iv_mean_interval {
    size_t n;
    iv_interval_method method; /* in use: never auto */
    double mean;
    double se;           /* s / sqrt(n); NaN for n = 1 */
    double lower, upper; /* NaN where there is no interval */
    iv_interval_gap gap;
    bool constant;       /* all values are equal: the interval has no width */
    size_t dropped;      /* logit: resamples with mean 0 or 1, left out */
    double logit_mean, logit_sd; /* of the logits, else NaN */
    double bias, acceleration;   /* bca: z0 and a, else NaN */
    bool clipped;        /* bca: z0 was infinite and is taken at 1/(2B) */
    double lower_level, upper_level; /* quantiles taken; NaN: none */
    /* Of 20,000 values and more a bootstrap's interval is the limit of infinitely many
     * resamples, unless they are too uneven for it; no probability is further off than
     * this.  0: resamples were drawn, or are not needed. */
    double limit_error;
} iv_mean_interval;

typedef struct iv_resampling {
    double confidence; /* in (0, 1); 0: 0.95 */
    size_t resamples;  /* of a bootstrap; 0: 10,000 */
} iv_resampling;

/* The same with the numbers that 0 stands for; options may be NULL. */
IV_API iv_resampling iv_resampling_of(const iv_resampling *options);

/*
 * Intervals for `count` samples of n values each, by a method each; a sample
 * may come several times, with several methods.  IV_ENODATA when n is 0,
 * IV_EARG for a value that is not finite or a confidence outside (0, 1); nothing
 * is written then.  IV_ENOMEM and IV_ECANCELLED may leave out half filled.  Time
 * count x n x B, or count x n where limit_error is above 0; memory 8 B bytes or 32 MB, whichever is more.  options and work
 * may be NULL.
 */
IV_API IV_MUST_CHECK int iv_mean_intervals(iv_mean_interval *out,
                                           const double *const *samples,
                                           const iv_interval_method *methods,
                                           size_t count, size_t n,
                                           const iv_resampling *options,
                                           const iv_work *work, iv_err *err);

/*
 * The means of B resamples of each of `count` samples of n values: means[i * B +
 * b] of sample i in replicate b.
 */
IV_API IV_MUST_CHECK int iv_resample_means(double *means,
                                           const double *const *samples,
                                           size_t count, size_t n,
                                           const iv_resampling *options,
                                           const iv_work *work, iv_err *err);

/*
 * The interval of one sample when the means of its resamples are given, as
 * when all resamples are enumerated.  Reorders means.
 */
IV_API IV_MUST_CHECK int iv_interval_from_means(iv_mean_interval *out,
                                                iv_interval_method method,
                                                double *means, size_t resamples,
                                                const double *sample, size_t n,
                                                double confidence, iv_err *err);

/*
 * The interval of a mean of skewed values without bounds: quantiles of (m* - m) / se* over
 * resamples, at levels widened for n (Phi(-+ sqrt(n / (n - 1)) t)); Student's if more of them
 * than a tail holds have no spread.  Limits are NaN for n < 3 and for values that are all equal.
 */
IV_API IV_MUST_CHECK int iv_studentised_mean(iv_mean_interval *out, const double *x, size_t n,
                                             const iv_resampling *options, const iv_work *work,
                                             iv_err *err);

/*
 * The quantile of count values, interpolated between order statistics at
 * (count - 1) p (Hyndman and Fan's type 7).  Reorders values; linear time.
 * NaN when count is 0 or p outside [0, 1].
 */
IV_API double iv_quantile(double *values, size_t count, double p);

IV_END_C

#endif /* INTERVALE_STAT_INTERVAL_H */
