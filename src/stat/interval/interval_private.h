/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of stat/interval share, and what other modules use of it. */
#ifndef IV_STAT_INTERVAL_INTERVAL_PRIVATE_H
#define IV_STAT_INTERVAL_INTERVAL_PRIVATE_H

#include "stat/stat_private.h"

/* ----------------------------------------------------------- bootstrap -- */
/* The steps of intervals, for who takes many from the same means. */

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

/* --------------------------------------------------------------- units -- */
/* Items added up to units: for means, and for whoever flips or resamples units. */

/* A thread's memory: one number a unit or a set. */
typedef struct iv_units iv_units;
iv_units *iv_units_new(iv_arena *own, size_t items, const iv_structure *s); /* NULL: none left */

/*
 * iv_structured_mean() with memory at hand, without repeats.  `parts`, of room for as many
 * as there are units, NULL: not wanted: what each unit adds, times their number, so that
 * their mean is the mean; `around`: the same as distances from the mean, which resamples
 * are made of.
 */
void iv_units_mean(iv_structured *out, double *parts, double *around, const double *x,
                   size_t items, const iv_structure *s, iv_units *u);

/* Two systems' repeats. */
void iv_structured_repeats(iv_structured *m, const iv_structure *s, size_t system);

/* What cannot be: IV_EARG. */
IV_MUST_CHECK int iv_structure_check(const iv_structure *s, size_t items, iv_err *err);

#endif
