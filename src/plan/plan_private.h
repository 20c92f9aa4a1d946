/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/plan.h beside what programs do. */
#ifndef IV_PLAN_PLAN_PRIVATE_H
#define IV_PLAN_PLAN_PRIVATE_H

#include "intervale/plan.h"

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
 * seen.  The interval of theta is Jeffreys', that of d from the noncentral t.  IV_ENODATA when no
 * topic differs (sign tests), or all differences are the same.
 */
IV_MUST_CHECK int iv_topics_from_pilot(iv_pilot_topics *out, const iv_differences *pilot,
                                              double power, double confidence,
                                              const iv_power_options *options,
                                              const iv_work *work, iv_err *err);

IV_MUST_CHECK int iv_plan_machine_topics(iv_machine_topics *out, double sd, double rho,
                                                double T, double width, double confidence,
                                                iv_err *err);

/*
 * The best split of n documents, to 1 % of them; with all_read there is but one, and n is
 * above the number retrieved.  IV_EARG unless 2 <= n <= population.  A split that is tried costs up
 * to IV_PLAN_OUTCOMES^2 intervals a guess: in all about a second with exact posteriors.
 */
IV_MUST_CHECK int iv_recall_best_split(iv_recall_design *out,
                                              const iv_recall_plan *p, int64_t n,
                                              iv_recall_goal goal, const iv_work *work,
                                              iv_err *err);

#endif /* IV_PLAN_PLAN_PRIVATE_H */
