/* SPDX-License-Identifier: Apache-2.0 */
/* Whole numbers in proportion to shares. */
#ifndef IV_DESIGN_SAMPLE_BUDGET_H
#define IV_DESIGN_SAMPLE_BUDGET_H

#include "intervale/base.h"

/*
 * Divides `total` among `count` in proportion to share (>= 0, not all 0), each
 * at most its cap and at least 1 where the cap allows; what one cannot take
 * goes to the others.  More than all caps together: the caps.  IV_EARG when
 * there are more places with a cap than things to give.
 */
int iv_divide_budget(size_t *out, const double *share, const size_t *cap, size_t count,
                     size_t total, iv_err *err);

#endif /* IV_DESIGN_SAMPLE_BUDGET_H */
