/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan -- how much is enough.
 *
 * One part header a question; each begins with its contract.
 */
#ifndef INTERVALE_PLAN_H
#define INTERVALE_PLAN_H

#include "intervale/plan/cost.h"
#include "intervale/plan/pilot.h"
#include "intervale/plan/topics.h"
#include "intervale/plan/machine_share.h"
#include "intervale/plan/recall_size.h"
#include "intervale/plan/budget.h"

#endif /* INTERVALE_PLAN_H */
