/* SPDX-License-Identifier: Apache-2.0 */
/* Powers that no formula gives: simulated experiments. */
#ifndef IV_PLAN_POWER_PRIVATE_H
#define IV_PLAN_POWER_PRIVATE_H

#include "intervale/plan/topics.h"

/* The t test, from the distribution of its standard deviation. */
IV_MUST_CHECK int iv_t_power(iv_power *out, size_t topics, double effect, double alpha,
                             bool two_sided, iv_err *err);

/* Any of t, wilcoxon, randomisation; any certainty. */
IV_MUST_CHECK int iv_simulated_power(iv_power *out, size_t topics, double effect,
                                     const iv_power_options *options, const iv_work *work,
                                     iv_err *err);

/* The options with numbers in place of defaults; given may be NULL. */
iv_power_options iv_power_known(const iv_power_options *given);

#endif /* IV_PLAN_POWER_PRIVATE_H */
