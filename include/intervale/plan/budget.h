/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many documents must be judged for a wanted precision, when they are
 * sampled by Stevens' scheme: the question that Aslam and Pavlu (2008) left
 * open.
 *
 * From runs and judgments, complete or a pilot sample, the contribution of
 * each relevant document to each estimate is known or estimated; the design's
 * exact probabilities give the variance at any budget, and the smallest budget
 * that is good enough is searched.  Where the judgments are complete, samples
 * of that size are taken and the budget corrected by what they really give; of a
 * pilot sample the formula is scaled to agree, at the pilot's size, with what
 * iv_evaluate() says of the noise of its estimates.
 */
#ifndef INTERVALE_PLAN_SAMPLE_H
#define INTERVALE_PLAN_SAMPLE_H

#include "intervale/design.h"
#include "intervale/estimate.h"

IV_BEGIN_C

/* Whose standard error is wanted. */
typedef enum iv_sample_goal {
    IV_GOAL_MEAN,      /* a run's mean over topics */
    IV_GOAL_DIFFERENCE /* the difference of two runs' means */
} iv_sample_goal;

/* Their names in that order, ending with NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_sample_goal_names(void);

enum { IV_PLAN_CHECKS = 200 };

typedef struct iv_sample_plan_options {
    iv_sample_goal goal;
    size_t depth;      /* of the frame; 0: IV_FRAME_DEPTH */
    size_t topics;     /* whose mean is planned, like the pilot's; 0: as many as it has */
    double se;         /* wanted standard error, of judging alone, or 0 ... */
    double halfwidth;  /* ... and half the width of the interval of iv_evaluate(), which
                          allows for the choice of topics, or 0 */
    double confidence; /* of that interval; 0: .95 */
    int64_t check;     /* samples taken to check a budget; 0: IV_PLAN_CHECKS,
                          IV_ZERO: none */
} iv_sample_plan_options;

IV_END_C

#endif /* INTERVALE_PLAN_SAMPLE_H */
