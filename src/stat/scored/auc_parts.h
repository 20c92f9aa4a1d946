/* SPDX-License-Identifier: Apache-2.0 */
/* Areas under ROC curves, of one class or averaged over several, and what intervals are made of. */
#ifndef IV_STAT_AUC_PARTS_H
#define IV_STAT_AUC_PARTS_H

#include "stat/scored/scored_order.h"

/* Hanley and McNeil's variance: theta (1 - theta) (pairs + spread (1 - theta) / (2 - theta) + spread
 * theta / (1 + theta)); of an average the weighted sums of the classes'. */
typedef struct iv_area_form {
    double pairs, spread;
    double even; /* the spread if both classes had even parts of it */
} iv_area_form;

typedef struct iv_placed {
    double area, variance; /* DeLong's */
    double freedom;        /* Satterthwaite's, of that variance */
    double most_freedom;   /* where there is none */
    double effective;      /* items the variance rests on, 0: those of a class tie */
    iv_area_form form;
    double least[2];       /* the least loss of a negative and of a positive item */
    double *placement;     /* by item */
} iv_placed;

/* Places every item of a class among those of the other. */
IV_MUST_CHECK int iv_place(iv_placed *out, const iv_score_order *o, const bool *positive,
                           iv_arena *memory, iv_err *err);

/* The interval of an area, or of an average of areas. */
iv_scored_value iv_area_interval(const iv_placed *p, double confidence);

/* The same of a difference, whose systems' areas have the covariance cov. */
void iv_area_difference(iv_auc_difference *out, const iv_placed *a, const iv_placed *b, double cov,
                        double confidence);

#endif /* IV_STAT_AUC_PARTS_H */
