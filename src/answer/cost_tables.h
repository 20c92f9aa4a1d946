/* SPDX-License-Identifier: Apache-2.0 */
/* The cost model as tables; several answers show the same. */
#ifndef IV_ANSWER_COST_TABLES_H
#define IV_ANSWER_COST_TABLES_H

#include "intervale/plan/cost.h"

/* Coefficients with standard errors, and how well they fit. */
void iv_put_cost_model(iv_result *out, const iv_cost_model *m);

/* Cost by certainty: their figure 6; and its charts, where `chosen`, a certainty, is
 * marked.  Who reads it unasked, in text, gets every fifth row. */
void iv_put_cost_curve(iv_result *out, const iv_cost_model *m, double n,
                       const iv_prices *prices, double chosen, iv_showing showing);

/* Notes on a model or a choice that deserves doubt; least: see iv_cost_least(). */
void iv_tell_cost(iv_result *out, const iv_cost_model *m, const iv_cost_choice *choice,
                  double least);

#endif /* IV_ANSWER_COST_TABLES_H */
