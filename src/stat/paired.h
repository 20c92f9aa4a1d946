/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests on pairs share. */
#ifndef IV_STAT_PAIRED_H
#define IV_STAT_PAIRED_H

#include <math.h>

#include "intervale/num.h"
#include "intervale/stat/paired.h"

/* Statistics this close are equal: sums in another order differ by less. */
#define IV_SLACK 1e-12

iv_test iv_no_test(size_t used, const char *why);

/* The groups of topics as shuffle number r has them. */
void iv_shuffle_groups(uint32_t *out, const uint32_t *group, size_t n, uint64_t seed, size_t r);

/*
 * The interaction test but for its p, which is NaN; *seen is what a shuffle
 * has to reach, the squares between groups.  sums and sizes have room for one
 * number a group.
 */
iv_test iv_interaction_seen(const double *d, const uint32_t *group, size_t n, double *sums,
                            double *sizes, size_t groups, double *seen);

/* From the two tails, each with the observed value in it. */
double iv_tail_p(double lower, double upper, iv_alternative alternative);

/* Is x at least as extreme as seen? */
static inline bool iv_as_extreme(double x, double seen, iv_alternative alternative)
{
    if (alternative == IV_GREATER)
        return x >= seen - IV_SLACK;
    if (alternative == IV_LESS)
        return x <= seen + IV_SLACK;
    return fabs(x) >= fabs(seen) - IV_SLACK;
}

/*
 * The signs of flip number r for n topics: bit t % 64 of word t / 64 set means
 * minus.  words has room for (n + 63) / 64.
 */
void iv_flip_signs(uint64_t *words, size_t n, uint64_t seed, uint64_t r);

#endif /* IV_STAT_PAIRED_H */
