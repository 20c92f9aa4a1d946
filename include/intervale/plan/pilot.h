/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pilot study: a few topics judged to certainty say what judging others will take.
 *
 * Judging of the pilot's topics, and of samples of them (without replacement
 * below their number, with replacement above), is simulated to learn how many
 * judgments a certainty takes, and again on samples of samples of the pilot, for an
 * interval that allows for the pilot being a sample itself.
 *
 * Ref: Carterette and Smucker (2007), CIKM, section 5.2.
 */
#ifndef INTERVALE_PLAN_PILOT_H
#define INTERVALE_PLAN_PILOT_H

#include "intervale/design/inquiry.h"
#include "intervale/plan/cost.h"

IV_BEGIN_C

typedef struct iv_pilot_options {
    iv_prior prior;
    iv_moments_form form;
    iv_no_answer no_answer; /* where the pilot lacks a judgment */
    iv_judging_order order;
    double topics;          /* to judge; 0: 25 */
    iv_prices prices;
    size_t replicates;      /* samples for each number of topics; 0: 20 */
    size_t forecasts;       /* simulated experiments for the interval, >= 10; 0: 500 */
    double confidence;      /* of the interval; 0: .95 */
} iv_pilot_options;

IV_END_C

#endif /* INTERVALE_PLAN_PILOT_H */
