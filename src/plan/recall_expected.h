/* SPDX-License-Identifier: Apache-2.0 */
/* What to expect of a design, as well as it is needed. */
#ifndef IV_PLAN_RECALL_EXPECTED_H
#define IV_PLAN_RECALL_EXPECTED_H

#include "intervale/plan/recall_size.h"

/*
 * IV_ROUGH: few outcomes, to tell splits from each other; IV_LIMITS: limits as well as
 * they are shown, the probability of a wanted one by interpolation, good to .02;
 * IV_WHOLE: that, too.
 */
typedef enum iv_plan_depth { IV_ROUGH, IV_LIMITS, IV_WHOLE } iv_plan_depth;

IV_MUST_CHECK int iv_recall_expect_to(iv_recall_expected *out, const iv_recall_plan *p,
                                      int64_t n1, int64_t n0, iv_plan_depth depth,
                                      const iv_work *work, iv_err *err);

/* IV_EARG unless plan and guesses make sense. */
IV_MUST_CHECK int iv_recall_plan_check(const iv_recall_plan *p, iv_err *err);

#endif /* IV_PLAN_RECALL_EXPECTED_H */
