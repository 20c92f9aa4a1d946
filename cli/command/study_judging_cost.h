/* SPDX-License-Identifier: Apache-2.0 */
/* The cost model as tables; plan cost and plan pilot show the same. */
#ifndef PLAN_COST_TABLES_H
#define PLAN_COST_TABLES_H

#include "frame/cmd.h"
#include "intervale/plan.h"

/* Coefficients with standard errors, and how well they fit. */
void plan_cost_model_table(iv_result *out, const iv_cost_model *m);
void plan_cost_fit_table(iv_result *out, const iv_cost_model *m);

/* Cost by certainty, in steps of so many hundredths: their figure 6; and its
 * charts, where `chosen`, a certainty, is marked. */
void plan_cost_curve_table(iv_result *out, const iv_cost_model *m, double n,
                           const iv_prices *prices, int step, double chosen);

/* Notes on a model or a choice that deserves doubt; least: see iv_cost_least(). */
void plan_cost_tell(iv_result *out, const iv_cost_model *m, const iv_cost_choice *choice,
                    double least);

#endif /* PLAN_COST_TABLES_H */
