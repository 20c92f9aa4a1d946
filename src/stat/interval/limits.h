/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of a mean by an interval method, and the resampling behind them. */
#ifndef IV_STAT_INTERVAL_LIMITS_H
#define IV_STAT_INTERVAL_LIMITS_H

#include "base/memory.h"
#include "intervale/stat/mean_intervals.h"
#include "intervale/stat/paired_tests.h"

/*
 * Very many values are resampled in batches: out[s] has for each of some 10,000 random batches of
 * the same topics its sum, scaled to the mean of the sample; or is the sample itself, of fewer than
 * 20,000 values.  Resamples of both have means of the same variance (that of batches is known to
 * 1.4 %) and skewness.  Returns how many there are, 0 without memory.
 */
enum { IV_BATCHES = 10000 };
size_t iv_batch(const double **out, iv_arena *own, const double *const *samples, size_t count,
                size_t n, uint64_t seed);

/*
 * The limits of what iv_interval_begin() began without a gap; again for another confidence.  means
 * of resamples of a method that needs them, which may be reordered; of others `resamples` is how
 * many to draw, with the seed of the work.
 */
IV_MUST_CHECK int iv_interval_limits(iv_mean_interval *out, const double *sample, double *means,
                                     size_t resamples, double confidence, const iv_work *work,
                                     iv_err *err);

/* Wilson's limits of a share p of n trials, n not always whole, at z or t. */
void iv_wilson_limits(double *lower, double *upper, double p, double n, double z);

/* Do the scores of all systems, NaN for the missing, lie in [0, 1]? */
bool iv_scores_unit(const double *all, size_t count);

/* Are they all 0 or 1, and not all missing? */
bool iv_scores_binary(const double *all, size_t count);

/* Mean, standard error, and what there is to say before any resampling. */
void iv_interval_begin(iv_mean_interval *out, iv_interval_method method,
                       const double *sample, size_t n);

/* Limits of the Studentised bootstrap from the statistics of resamples, NaN of those without a
 * spread, which are moved; Student's t, and this as the method, where too many are. */
void iv_studentised_limits(iv_mean_interval *out, double *t, size_t resamples, size_t units,
                           double df, double confidence);

/* p of a mean that is `above` what it is tested for (IV_GREATER: is it not above?): the larger one
 * of t and of Hall's t; and the limits that go with it.  Of n values with skewness g, NaN: t
 * alone. */
double iv_larger_p_beyond(double above, double sd, double n, double df, double g,
                          iv_alternative side);
void iv_larger_p_limits(double *lower, double *upper, double mean, double sd, double n, double df,
                    double g, double tail);

/* Hall's t test alone: the statistic of a mean w standard deviations above 0, of n values with
 * skewness g; and the means that it does not reject. */
double iv_hall_t(double w, double n, double g);
void iv_hall_limits(double *lower, double *upper, double mean, double sd, double n, double df,
                    double g, double tail);

#endif
