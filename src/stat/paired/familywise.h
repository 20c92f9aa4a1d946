/* SPDX-License-Identifier: Apache-2.0 */
/* Which pairs differ significantly at a familywise level. */
#ifndef IV_STAT_PAIRED_FAMILYWISE_H
#define IV_STAT_PAIRED_FAMILYWISE_H

#include <math.h>

#include "intervale/stat/paired_tests.h"

/* p below alpha, not equal to it; 1 - 0.95 is a little more than 0.05. */
static inline bool iv_significant(double p, double alpha)
{
    return p < alpha - 1e-12;
}

/* Does it hold the error of all pairs together, so that what is found holds at once? */
static inline bool iv_familywise(iv_correction correction)
{
    return correction != IV_CORRECT_NONE && correction != IV_CORRECT_BH;
}

/* The smallest one-sided p that signs of n differences can have: one arrangement of 2^n. */
static inline double iv_least_of_signs(size_t n)
{
    return ldexp(1.0, -(int)(n < 1022 ? n : 1022));
}

#endif
