/* SPDX-License-Identifier: Apache-2.0 */
/* When a test rejects: one rule for tests, plans and studies. */
#ifndef IV_STAT_SIGNIFICANT_H
#define IV_STAT_SIGNIFICANT_H

#include <stdbool.h>

#include "intervale/stat/paired.h"

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

#endif /* IV_STAT_SIGNIFICANT_H */
