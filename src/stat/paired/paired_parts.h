/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests on pairs share. */
#ifndef IV_STAT_PAIRED_H
#define IV_STAT_PAIRED_H

#include <math.h>

#include "base/base_private.h"
#include "intervale/num.h"
#include "intervale/stat.h"

/* Of paired shares: the score test's p of a difference that is not above `from` (IV_GREATER) or
 * not below (IV_LESS), and the limits that go with it; and a p that of up to 1,000 independent
 * items is no less than the exact one. */
enum { IV_SHARES_EXACT = 1000 };
double iv_shares_p(const iv_share_counts *s, double from, iv_alternative side);
double iv_shares_beyond(const iv_share_counts *s, double from, iv_alternative side);
void iv_shares_limits(double *lower, double *upper, const iv_share_counts *s, double tail);

/* The larger p of the paired t test and of Hall's t test, of n differences. */
iv_test iv_hall_test(const double *d, size_t n, iv_alternative alternative);

/* That of a pair: of shares the score test's; by sign flips around `from` if all differences are
 * equal. */
double iv_pair_beyond(const iv_compared_pair *p, double from, iv_alternative side);

iv_test iv_no_test(size_t used, const char *why);

/* From the two tails, each with the observed value in it. */
double iv_tail_p(double lower, double upper, iv_alternative alternative);

/* Of Student's t. */
double iv_t_p(double t, double df, iv_alternative alternative);

/* Moves limits to 0 where they say other than the test. */
iv_limit iv_settle_limits(double *lower, double *upper, bool found, int direction);

/* Is x at least as extreme as seen? */
static inline bool iv_as_extreme(double x, double seen, double slack,
                                 iv_alternative alternative)
{
    if (alternative == IV_GREATER)
        return x >= seen - slack;
    if (alternative == IV_LESS)
        return x <= seen + slack;
    return fabs(x) >= fabs(seen) - slack;
}

#endif /* IV_STAT_PAIRED_H */
