/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How likely is the sign test to find a difference that is there?
 *
 * A wins over B on a proportion theta of all topics; the effect size is
 * h = (theta - 1/2) / (1/2), in [-1, 1].  Powers are exact, from the binomial
 * distribution, unless the name says normal (Carterette and Smucker 2007).
 *
 * Functions answer NaN (-1 where they answer a count) outside their domain:
 * n >= 1 (to 2^53), alpha in (0, 1), h in [-1, 1], certainty in [1/2, 1].
 */
#ifndef INTERVALE_STAT_POWER_H
#define INTERVALE_STAT_POWER_H

#include "intervale/base.h"
#include "intervale/stat/paired.h"

IV_BEGIN_C

IV_END_C

#endif /* INTERVALE_STAT_POWER_H */
