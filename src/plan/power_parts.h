/* SPDX-License-Identifier: Apache-2.0 */
/* Powers of tests: what their files share. */
#ifndef IV_PLAN_POWER_PRIVATE_H
#define IV_PLAN_POWER_PRIVATE_H

#include "intervale/num.h"
#include "intervale/plan/topics.h"

/* The largest effect that is planned for, in standard deviations. */
enum { IV_MOST_EFFECT = 100 };

/* The t test, from the distribution of its standard deviation. */
IV_MUST_CHECK int iv_t_power(iv_power *out, double topics, double effect, double alpha,
                             bool two_sided, iv_err *err);

/* The exact sign test, or its normal form; ties as in the options. */
IV_MUST_CHECK int iv_sign_test_power(iv_power *out, size_t topics, double effect,
                                     const iv_power_options *options, iv_err *err);
IV_MUST_CHECK int iv_sign_test_topics(size_t *topics, size_t *steady, double power,
                                      double effect, const iv_power_options *options,
                                      const iv_work *work, iv_err *err);

/* What the normal form of a test takes, effects in standard deviations: where to begin. */
double iv_normal_topics(double power, double effect, const iv_power_options *options);

/* IV_ENODATA: so many would not find it. */
int iv_no_topics(double power, double effect, size_t most, iv_err *err);

/* The options with numbers in place of defaults; given may be NULL. */
iv_power_options iv_power_known(const iv_power_options *given);

#endif /* IV_PLAN_POWER_PRIVATE_H */
