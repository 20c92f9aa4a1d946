/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How well was a run reproduced?  From scores of the original and of the run made again
 * on the same topics.
 *
 * Ref: Breuer, Ferro, Fuhr, Maistro, Sakai, Schaer and Soboroff (2020).
 * doc/methods/rankings.md has formulas and coverage.
 */
#ifndef INTERVALE_STAT_REPRODUCTION_H
#define INTERVALE_STAT_REPRODUCTION_H

#include "intervale/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iv_reproduced {
    double value, lower, upper; /* limits NaN: none */
} iv_reproduced;

/*
 * The root of the mean squared difference on n topics; limits are roots of those of the mean
 * square by Student's t.  No limits where all differences are as large as each other.
 * Confidence 0: 0.95.
 */
IV_API IV_MUST_CHECK int iv_reproduced_rmse(iv_reproduced *out, const double *original,
                                            const double *again, size_t n, double confidence,
                                            iv_err *err);

/*
 * The effect of an advanced run over a baseline, made again.  ratio is mean(advanced -
 * baseline) made again over the original one, limits by Fieller's method: NaN where the
 * original effect cannot be told from 0.  change is the relative improvement of the
 * original less that of the runs made again, limits by t.  NaN where a mean is 0.
 * Allocates nothing.
 */
IV_API void iv_reproduced_effect(iv_reproduced *ratio, iv_reproduced *change,
                                 const double *baseline, const double *advanced,
                                 const double *baseline_again, const double *advanced_again,
                                 size_t n, double confidence);

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_STAT_REPRODUCTION_H */
