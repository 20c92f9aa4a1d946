/* SPDX-License-Identifier: Apache-2.0 */
/* How many documents to judge for a recall interval. */
#ifndef IV_REVIEW_RECALL_PLAN_H
#define IV_REVIEW_RECALL_PLAN_H

#include "intervale/review.h"

/*
 * The best split of n documents, to 1 % of them; with all_read there is but one, and n is
 * above the number retrieved.  IV_EARG unless 2 <= n <= population.  A split that is tried costs up
 * to IV_PLAN_OUTCOMES^2 intervals a guess: in all about a second with exact posteriors.
 */
IV_MUST_CHECK int iv_recall_best_split(iv_recall_design *out,
                                              const iv_recall_plan *p, int64_t n,
                                              iv_recall_goal goal, const iv_work *work,
                                              iv_err *err);

#endif
