/* SPDX-License-Identifier: Apache-2.0 */
/* Which answers people should label next beside a judge's scores. */
#ifndef IV_LABELS_NEXT_LABELS_H
#define IV_LABELS_NEXT_LABELS_H

#include "labels/judged_scores.h"

/* A plan for labels chosen at random, which strata of the judge's scores may cut down. */
typedef struct iv_next_plan {
    const iv_judged_scores *s;
    size_t system, less;       /* less: IV_NONE, or the system that is taken from it */
    const iv_judged_estimate *is;
    double labels;             /* that a random choice needs, at most the items */
} iv_next_plan;

/*
 * Tables strata and next: strata of items by the judge's score (of a pair by the difference), with
 * Neyman's allocation (Cochran 1977, chapter 5) of as many labels as give the variance of
 * plan->labels random ones, and the answers that have none, in a random order within strata.
 * *labels: how many in all, 0 where nothing is planned: labels of another design than random, or
 * of several judges.
 */
IV_MUST_CHECK int iv_next_labels(double *labels, iv_result *out, const iv_next_plan *plan,
                                 const iv_work *work, iv_err *err);

#endif
