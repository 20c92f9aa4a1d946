/* SPDX-License-Identifier: Apache-2.0 */
/* Two runs of an experiment beside each other: how far the second reproduces the first. */
#ifndef IV_STAT_REPRODUCTION_PRIVATE_H
#define IV_STAT_REPRODUCTION_PRIVATE_H

#include "intervale/base.h"

/*
 * The root of the mean squared difference on n topics; limits are roots of those of the mean
 * square by Student's t.  No limits where all differences are as large as each other.
 * Confidence 0: 0.95.
 */
IV_MUST_CHECK int iv_reproduced_rmse(iv_interval *out, const double *original,
                                            const double *again, size_t n, double confidence,
                                            iv_err *err);

/*
 * The effect of an advanced run over a baseline, made again.  ratio is mean(advanced -
 * baseline) made again over the original one, limits by Fieller's method: NaN where the
 * original effect cannot be told from 0.  change is the relative improvement of the
 * original less that of the runs made again, limits by t.  NaN where a mean is 0.
 * Allocates nothing.
 */
void iv_reproduced_effect(iv_interval *ratio, iv_interval *change,
                                 const double *baseline, const double *advanced,
                                 const double *baseline_again, const double *advanced_again,
                                 size_t n, double confidence);

#endif /* IV_STAT_REPRODUCTION_PRIVATE_H */
