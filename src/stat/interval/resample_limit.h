/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What resamples of very many values come to.  Their means are near normal, and how near
 * is known; so none are drawn, and an interval is what infinitely many would give.
 *
 * The distribution function of a resample's mean is no further than 0.4748 rho / sqrt(n)
 * from the normal one, rho = E |x - m|^3 / sd^3 over the values seen (Berry and Esseen, with
 * Shevtsova's constant).  The correction for skewness that is added moves it by at most
 * 0.0665 |skewness| / sqrt(n), and the bound by as much.  Values of which this says
 * too little (a few topics with nearly all of the spread) are resampled.
 *
 * Refs: Shevtsova (2011), Informatics and its Applications 5, 124-125; Hall (1992), The
 * Bootstrap and Edgeworth Expansion, sections 2.4 and 3.3.
 */
#ifndef IV_STAT_RESAMPLE_LIMIT_H
#define IV_STAT_RESAMPLE_LIMIT_H

#include "stat/interval/bootstrap.h"

/* From so many values on; and the largest error of a probability that is borne: that of
 * 10,000 resamples is .0136 at 95 % confidence (Dvoretzky, Kiefer, Wolfowitz). */
enum { IV_LIMIT_VALUES = 20000 };
#define IV_LIMIT_ERROR 0.01

typedef struct iv_mean_limit {
    double mean;  /* of the values */
    double sd;    /* of a resample's mean */
    double skew;  /* of a resample's mean */
    double error; /* no probability is further off */
} iv_mean_limit;

/* Of any number of values from 1 on, however large the error. */
iv_mean_limit iv_mean_limit_at(const double *x, size_t n);

/* False: there are too few values, or they are too uneven. */
bool iv_mean_limit_of(iv_mean_limit *out, const double *x, size_t n);

/* The interval that infinitely many resamples would give; false: they have to be drawn. */
bool iv_interval_by_limit(iv_mean_interval *out, const double *sample, double confidence);

/* As iv_interval_from_means(), but by the limit where there is one. */
IV_MUST_CHECK int iv_interval_resampled(iv_mean_interval *out, iv_interval_method method,
                                        double *means, size_t resamples, const double *sample,
                                        size_t n, double confidence, iv_err *err);

/*
 * Means of resamples of several samples, drawn together from their joint normal limit:
 * means[i * resamples + b].  *drawn is false, and means untouched, where one of the samples
 * has to be resampled.  *error rises to by how much the share of resamples in which one of a
 * pair leads may be off.
 */
IV_MUST_CHECK int iv_resample_limit(bool *drawn, double *error, double *means,
                                    const double *const *samples, size_t count, size_t n,
                                    size_t resamples, const iv_work *work, iv_err *err);

#endif /* IV_STAT_RESAMPLE_LIMIT_H */
