/* SPDX-License-Identifier: Apache-2.0 */
/* p-values and limits of one pair of systems. */
#ifndef IV_STAT_PAIRED_PAIR_P_H
#define IV_STAT_PAIRED_PAIR_P_H

#include "intervale/stat/comparisons.h"
#include "intervale/stat/paired_tests.h"

/* Of paired shares: the score test's p of a difference that is not above `from` (IV_GREATER) or
 * not below (IV_LESS), and the limits that go with it; and a p that of up to 1,000 independent
 * items is no less than the exact one. */
enum { IV_SHARES_EXACT = 1000 };
double iv_shares_p(const iv_share_counts *s, double from, iv_alternative side);
double iv_shares_beyond(const iv_share_counts *s, double from, iv_alternative side);
void iv_shares_limits(double *lower, double *upper, const iv_share_counts *s, double tail);

/* The score from which on the margin test of n items rejects "the difference is `from` or less" at
 * a level, exact for up to 1,000 items (above every score: none does); and the probability that it
 * does.  True are the difference, at most `discordant`, and the proportion of items on which the
 * systems differ. */
double iv_shares_critical(int64_t n, double from, double level);
IV_MUST_CHECK int iv_shares_power(double *out, int64_t n, double from, double critical,
                                  double difference, double discordant, iv_err *err);

/* The larger p of the paired t test and of Hall's t test, of n differences. */
iv_test iv_larger_p_test(const double *d, size_t n, iv_alternative alternative);

/* That of a pair: of shares the score test's; of equal differences that of iv_equal_evidence(), NaN
 * without a range. */
double iv_pair_beyond(const iv_compared_pair *p, double from, iv_alternative side);

/* The one-sided limits that go with p_noninferior and p_inferior, at their levels; NaN: none. */
void iv_pair_limits(double *lower, double *upper, const iv_compared_pair *p, double margin,
                    double level_lower, double level_upper);

iv_test iv_no_test(size_t used, const char *why);

/* From the two tails, each with the observed value in it. */
double iv_tail_p(double lower, double upper, iv_alternative alternative);

/* Of Student's t. */
double iv_t_p(double t, double df, iv_alternative alternative);

/* Moves limits to 0 where they say other than the test. */
iv_limit iv_settle_limits(double *lower, double *upper, bool found, int direction);

#endif
