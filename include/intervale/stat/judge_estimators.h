/* SPDX-License-Identifier: Apache-2.0 */
/* How a judge's scores of all items and human labels of some are joined (doc/methods/judged.md). */
#ifndef INTERVALE_STAT_JUDGE_ESTIMATORS_H
#define INTERVALE_STAT_JUDGE_ESTIMATORS_H

#include "intervale/base.h"

IV_BEGIN_C

typedef enum iv_judge_estimator {
    IV_JUDGE_REGRESSION, /* least squares */
    IV_JUDGE_PPI,        /* power tuning (PPI++) */
    IV_JUDGE_DIFFERENCE, /* a slope of 1 */
    IV_JUDGE_HUMAN       /* human labels alone */
} iv_judge_estimator;

/* "regression", "ppi", "difference", "human", NULL. */
IV_API const char *const *iv_judge_estimator_names(void);

IV_END_C

#endif
