/* SPDX-License-Identifier: Apache-2.0 */
/* Scores of classifiers: what a threshold is chosen for.  classify.h evaluates. */
#ifndef INTERVALE_STAT_THRESHOLDS_H
#define INTERVALE_STAT_THRESHOLDS_H

#include "intervale/base.h"

IV_BEGIN_C

/* What a threshold is best for; none: no threshold is chosen unless its table is wanted. */
typedef enum iv_threshold_goal {
    IV_BEST_NONE,
    IV_BEST_F1,
    IV_BEST_ACCURACY,
    IV_BEST_YOUDEN
} iv_threshold_goal;

/* "none", "f1", "accuracy", "youden", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_threshold_goal_names(void);

IV_END_C

#endif
