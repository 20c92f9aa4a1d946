/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests on pairs share. */
#ifndef IV_STAT_PAIRED_H
#define IV_STAT_PAIRED_H

#include <math.h>

#include "base/equal_means.h"
#include "intervale/num.h"
#include "intervale/stat/comparison.h"
#include "intervale/stat/paired.h"

/* Of paired shares: the score test's p of a difference that is not above `from` (IV_GREATER) or
 * not below (IV_LESS), and the limits that go with it; and a p that of up to 1,000 independent
 * items is no less than the exact one. */
enum { IV_SHARES_EXACT = 1000 };
double iv_shares_p(const iv_share_counts *s, double from, iv_alternative side);
double iv_shares_beyond(const iv_share_counts *s, double from, iv_alternative side);
void iv_shares_limits(double *lower, double *upper, const iv_share_counts *s, double tail);

/* p of a mean that is `above` what it is tested for (IV_GREATER: is it not above?): the larger one
 * of t and of Hall's t; and the limits that go with it.  Of n values with skewness g, NaN: t
 * alone. */
double iv_hall_beyond(double above, double sd, double n, double df, double g, iv_alternative side);
void iv_hall_limits(double *lower, double *upper, double mean, double sd, double n, double df,
                    double g, double tail);

/* The larger p of the paired t test and of Hall's t test, of n differences. */
iv_test iv_hall_test(const double *d, size_t n, iv_alternative alternative);

/* That of a pair: of shares the score test's; by sign flips around `from` if all differences are
 * equal. */
double iv_pair_beyond(const iv_compared_pair *p, double from, iv_alternative side);

iv_test iv_no_test(size_t used, const char *why);

/* The groups of topics as shuffle number r has them. */
void iv_shuffle_groups(uint32_t *out, const uint32_t *group, size_t n, uint64_t seed, size_t r);

/* Is each of n topics in a group below `groups`?  IV_EARG if not. */
IV_MUST_CHECK int iv_check_groups(const uint32_t *group, size_t n, size_t groups, iv_err *err);

/*
 * The interaction test but for its p, which is NaN; *seen is what a shuffle
 * has to reach, the squares between groups.  sums and sizes have room for one
 * number a group.
 */
iv_test iv_interaction_seen(const double *d, const uint32_t *group, size_t n, double *sums,
                            double *sizes, size_t groups, double *seen);

/*
 * The p of a test that iv_interaction_seen() began, of infinitely many shuffles: sums of groups
 * are normal then, and squares between them chi-square.  *error rises to how far the sum of the
 * smallest group is from normal, in probability, at most (Berry and Esseen, of draws with
 * replacement).  False where there are few topics, or that is not little: shuffle.
 */
bool iv_interaction_limit(iv_test *test, double *error, const double *d, size_t n,
                          const double *sizes, size_t groups);

/* iv_interaction_test(), and the error of its limit; error may be NULL. */
IV_MUST_CHECK int iv_interaction_of(iv_test *out, double *error, const double *d,
                                    const uint32_t *group, size_t n, size_t groups,
                                    size_t permutations, const iv_work *work, iv_err *err);

/* How close two sums of squares between groups of n topics count as equal. */
static inline double iv_interaction_slack(const double *x, size_t count, size_t n)
{
    const double slack = iv_slack_of(x, count);

    return slack * (slack / IV_SLACK) * (double)n;
}

/* From the two tails, each with the observed value in it. */
double iv_tail_p(double lower, double upper, iv_alternative alternative);

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
