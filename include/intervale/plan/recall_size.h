/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many documents to judge for a recall interval, and how to split them
 * between the retrieved and the unretrieved segment.
 *
 * For a guess of the truth the expected limits are the mean of a method's
 * limits over the samples one might see, from at most IV_PLAN_OUTCOMES
 * outcomes of each segment's sample (7 by the method exact) with linear interpolation;
 * expectations are good to about 0.001 of recall.  The probability of a wanted lower
 * limit is a sum over all samples but 1e-5 of them at each end.
 */
#ifndef INTERVALE_PLAN_RECALL_SIZE_H
#define INTERVALE_PLAN_RECALL_SIZE_H

#include "intervale/stat/recall.h"

IV_BEGIN_C

enum { IV_PLAN_OUTCOMES = 12, IV_PLAN_GUESSES = 64 };

/* A guess of what is true of the search. */
typedef struct iv_recall_guess {
    double recall, precision; /* in (0, 1] */
} iv_recall_guess;

typedef struct iv_recall_plan {
    int64_t population, retrieved; /* documents; 0 < retrieved < population */
    iv_recall_options how;         /* { 0 } is the default */
    const iv_recall_guess *guesses;
    size_t guess_count;  /* 1 to IV_PLAN_GUESSES */
    double wanted_lower; /* for p_lower below; 0: not asked */
    bool all_read;       /* every retrieved document is judged: designs have n1 = retrieved */
} iv_recall_plan;

/* What to expect of a design, under one guess. */
typedef struct iv_recall_expected {
    double width, lower, upper; /* means over samples */
    double p_lower;             /* P(lower limit >= wanted_lower); NaN: not asked */
} iv_recall_expected;

/*
 * What to expect when n1 retrieved and n0 other documents are judged; out has
 * room for all guesses.  IV_EARG unless 1 <= n <= N on both sides, and the plan
 * and every guess make sense.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_recall_expect(iv_recall_expected *out,
                                          const iv_recall_plan *p, int64_t n1,
                                          int64_t n0, const iv_work *work, iv_err *err);

/*
 * What is wanted of a design.  By width: the largest expected width over the
 * guesses is least.  By lower limit: the smallest expected lower limit over
 * the guesses is largest; or, with an assurance, the smallest p_lower is.
 */
typedef enum iv_recall_goal {
    IV_GOAL_WIDTH, IV_GOAL_LOWER, IV_GOAL_ASSURANCE
} iv_recall_goal;

typedef struct iv_recall_design {
    int64_t n1, n0;
    double value; /* of the goal: width, lower limit or probability */
} iv_recall_design;

/*
 * The least n, to 1 % of it, whose best split reaches `wanted`: a width at
 * most, a lower limit or a probability at least.  IV_ENODATA when judging
 * everything does not.  With discrete outcomes some larger n may just miss it.
 * Takes several best splits: seconds with exact posteriors.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_recall_least_size(iv_recall_design *out,
                                              const iv_recall_plan *p,
                                              iv_recall_goal goal, double wanted,
                                              const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_PLAN_RECALL_SIZE_H */
