/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many topics with few judgments, or few topics with many?
 *
 * The number of judgments that n topics take to reach a certainty is modelled
 * as j(certainty, n) = exp(g0 + g1 log certainty + g2 log n), by Poisson
 * regression on a pilot.  To keep the power of n certain topics, n' = n / (2
 * certainty - 1)^2 uncertain ones are needed (stat/sign_power.h); what they cost is
 *
 *     C(certainty) = Ct max(0, n' - free topics) + Cj j(certainty, n').
 *
 * Ref: Carterette and Smucker (2007), CIKM, sections 4.2 and 5.
 */
#ifndef INTERVALE_PLAN_COST_H
#define INTERVALE_PLAN_COST_H

#include "intervale/base.h"

IV_BEGIN_C

/* {0}: topics are free, a judgment costs 1. */
typedef struct iv_prices {
    double topic, judgment; /* >= 0, not both 0; judgment 0: 1, IV_ZERO: nothing */
    double free_topics;     /* that cost nothing */
} iv_prices;

IV_END_C

#endif /* INTERVALE_PLAN_COST_H */
