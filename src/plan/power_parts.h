/* SPDX-License-Identifier: Apache-2.0 */
/* Powers of tests: what their files share. */
#ifndef IV_PLAN_POWER_PRIVATE_H
#define IV_PLAN_POWER_PRIVATE_H

#include "intervale/num.h"
#include "intervale/plan/topics.h"

/* The largest effect that is planned for, in standard deviations. */
enum { IV_MOST_EFFECT = 100 };

#endif /* IV_PLAN_POWER_PRIVATE_H */
