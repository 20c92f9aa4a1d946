/* SPDX-License-Identifier: Apache-2.0 */
/* The power of tests of paired differences, for plans. */
#ifndef IV_STAT_POWER_POWER_H
#define IV_STAT_POWER_POWER_H

#include "intervale/stat/paired_tests.h"
#include "intervale/stat/topic_power.h"

/* The largest effect that is planned for, in standard deviations. */
enum { IV_MOST_EFFECT = 100 };

/* Is its effect h, at most 1, or d? */
bool iv_planned_test_by_sign(iv_planned_test test);

/*
 * The effect that `topics` find with `power` in (alpha, 1).  IV_ENODATA when
 * none does: the sign test needs several topics to reject at all.
 */
IV_MUST_CHECK int iv_power_effect(double *effect, double power, size_t topics,
                                         const iv_power_options *options,
                                         const iv_work *work, iv_err *err);

/*
 * From the differences of a pilot with two topics or more; sign tests expect ties in the proportion
 * seen.  The interval of theta is Jeffreys', that of d from the noncentral t: the variance of the
 * mean is sd^2 / n + shared (what topics do not lessen; 0: nothing), with df degrees of freedom.
 * IV_ENODATA when no topic differs (sign tests), or all differences are the same.
 */
IV_MUST_CHECK int iv_topics_from_pilot(iv_pilot_topics *out, const iv_differences *pilot,
                                              double shared, double df,
                                              double power, double confidence,
                                              const iv_power_options *options,
                                              const iv_work *work, iv_err *err);

#endif
