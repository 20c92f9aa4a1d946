/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of intervals, for who takes many from the same means. */
#ifndef IV_STAT_BOOTSTRAP_H
#define IV_STAT_BOOTSTRAP_H

#include "intervale/num.h"
#include "intervale/stat/interval.h"

/*
 * Resamples: replicates first ... first + many - 1 of `count` samples of n
 * values; means[i * stride + b].  start gives the stream of replicate b, so
 * that experiments can have their own.  room: iv_resample_room(n) doubles.
 */
enum { IV_RESAMPLE_LANES = 16 }; /* replicates at once; many is at most that */
size_t iv_resample_room(size_t n);
void iv_resample_block(double *means, size_t stride, const double *const *samples,
                       size_t count, size_t n, const iv_stream *streams,
                       size_t many, double *room);

/* IV_ENODATA or IV_EARG where no interval may be asked for. */
int iv_interval_check(const double *sample, size_t n, double confidence, iv_err *err);

/* Does the method need the means of resamples? */
static inline bool iv_interval_resamples(iv_interval_method m)
{
    return m == IV_INTERVAL_LOGIT || m == IV_INTERVAL_PERCENTILE || m == IV_INTERVAL_BCA;
}

/* The limits of a method that does not, where there is no gap. */
void iv_plain_limits(iv_mean_interval *out, double confidence);

/* Where the scores of all systems lie, NaN for the missing. */
typedef struct iv_score_scale {
    bool unit;     /* in [0, 1] */
    bool negative; /* some are below 0 */
} iv_score_scale;
iv_score_scale iv_score_scale_of(const double *all, size_t count);

/* The method for a system's scores of which no more is known than their scale: AUTO in [0, 1],
 * log-t for others of 0 or more that vary, else t. */
iv_interval_method iv_interval_of_scores(const double *x, size_t n, iv_score_scale scale);

/* Mean, standard error, and what there is to say before any resampling. */
void iv_interval_begin(iv_mean_interval *out, iv_interval_method method,
                       const double *sample, size_t n);

/* Fills logit_mean, logit_sd, dropped; the gap when too few are left. */
void iv_logit_moments(iv_mean_interval *out, const double *means, size_t count);

/* Fills bias, clipped and acceleration. */
void iv_bca_moments(iv_mean_interval *out, const double *means, size_t count,
                    const double *sample);

/* Fills lower_level and upper_level from them. */
void iv_bca_levels(iv_mean_interval *out, double confidence);

/* The logit interval from its moments; t: the quantile of Student's t. */
void iv_logit_limits(iv_mean_interval *out, double t);

/* As iv_quantile(), of values in ascending order. */
double iv_quantile_sorted(const double *values, size_t count, double p);

#endif /* IV_STAT_BOOTSTRAP_H */
