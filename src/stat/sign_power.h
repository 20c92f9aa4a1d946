/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Power and sample size of the sign test.
 *
 * How likely is the sign test to find a difference that is there?
 *
 * A wins over B on a proportion theta of all topics; the effect size is
 * h = (theta - 1/2) / (1/2), in [-1, 1].  Powers are exact, from the binomial
 * distribution, unless the name says normal (Carterette and Smucker 2007).
 *
 * Functions answer NaN (-1 where they answer a count) outside their domain:
 * n >= 1 (to 2^53), alpha in (0, 1), h in [-1, 1], certainty in [1/2, 1].
 */
#ifndef IV_STAT_SIGN_POWER_H
#define IV_STAT_SIGN_POWER_H

#include "intervale/stat/paired_tests.h"

/*
 * The smallest number of wins c with P(wins >= c) < alpha when A and B are
 * alike: the one-sided test of level alpha rejects from c wins on.  n + 1 when
 * no number of wins would do.
 */
int64_t iv_sign_critical(int64_t n, double alpha);

/*
 * The chance that the test rejects.  IV_GREATER expects A to be better,
 * IV_LESS worse; IV_TWO_SIDED splits alpha evenly and counts both tails.
 */
double iv_sign_power(int64_t n, double h, double alpha,
                            iv_alternative alternative);

/*
 * The one-sided power in its normal form, Phi(Phi^-1(alpha) + h sqrt(n)), and
 * the effect for which that reaches `power`, in (0, 1); the latter may exceed 1.
 */
double iv_sign_power_normal(int64_t n, double h, double alpha);

double iv_sign_effect_normal(int64_t n, double power, double alpha);

/*
 * Who wins a topic is told rightly only with probability `certainty`: the
 * effect that is left, h (2 certainty - 1), and the number of topics that
 * keeps the power of n certain ones, n / (2 certainty - 1)^2, to be rounded
 * up; infinite at 1/2.
 */
double iv_uncertain_effect(double h, double certainty);

double iv_uncertain_topics(double n, double certainty);

/*
 * The chance that the test rejects when n topics are drawn without replacement
 * from a population of `wins` + `ties` + `losses`, and ties are discarded.
 * Exact, from the hypergeometric distribution; O(n^2) where there are ties.
 */
double iv_sign_power_finite(int64_t n, int64_t wins, int64_t ties,
                                   int64_t losses, double alpha);

#endif
