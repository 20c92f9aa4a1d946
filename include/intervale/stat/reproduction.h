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

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_STAT_REPRODUCTION_H */
