/* SPDX-License-Identifier: Apache-2.0 */
/* Is one run better than another, while not all of their documents are judged? */
#ifndef IV_ACTIVE_INCOMPLETE_H
#define IV_ACTIVE_INCOMPLETE_H

#include "active/judging_state.h"

/*
 * Is one run better than another, while not all of their documents are judged?
 *
 * Differences in average precision are random numbers (stat/incomplete.h); the
 * sign of the difference in their mean is known with some confidence, the
 * certainty.  A sign test on the topics' expected differences has then less
 * power than it seems: its effect size shrinks by 2 certainty - 1.
 *
 * Ref: Carterette and Smucker (2007), CIKM, sections 3.4 and 4.
 */

/* A pair of runs, a less b; fill in a and b, the rest is found. */
typedef struct iv_incomplete {
    size_t a, b;
    size_t topics;
    iv_moments difference;     /* of the mean over topics */
    double p_less;             /* P(difference < 0) */
    double certainty;          /* the larger of that and its complement */
    size_t wins, ties, losses; /* topics by the sign of the expected difference */
    double effect;             /* (wins - losses) / (wins + losses); NaN: none */
    double effect_adjusted;    /* effect (2 certainty - 1) */
    double topics_adjusted;    /* topics / (2 certainty - 1)^2; infinite at 1/2 */
    double p;                  /* of the sign test, as if the signs were known; NaN: all ties */
} iv_incomplete;

/* What is asked of pairs; {0}: average precision, a two-sided sign test. */
typedef struct iv_incomplete_how {
    iv_alternative alternative;
    const char *measure;           /* NULL: AP, by its moments; others by simulated judgments */
    const iv_judgments *judgments; /* for their grades; those of the pool */
} iv_incomplete_how;

/*
 * Fills in `count` pairs of runs of p, from active judging of all runs, as `next` makes it.
 * O(m log m) for each pair of runs of p and topic of m documents.
 * IV_EARG for a prior outside (0, 1) and for a measure without a mean over topics.
 */
IV_MUST_CHECK int iv_incomplete_pairs(iv_incomplete *pairs, size_t count, const iv_pooled *p,
                                      const iv_judging_options *how,
                                      const iv_incomplete_how *asked,
                                      const iv_work *work, iv_err *err);

/*
 * Moments of the differences in a measure, for each topic those of all pairs of runs, over
 * simulated judgments: an unjudged document, to the measure's cut-off in some run, is relevant
 * with its probability in active judging, and has then the grade of a random relevant document
 * of the judgments; otherwise that of one that is not.  500 simulations a topic.
 */
IV_MUST_CHECK int iv_incomplete_simulate(iv_moments **out, iv_arena *own, const iv_judging_state *q,
                                         const iv_pooled *p, const iv_judgments *judgments,
                                         const char *measure, const iv_work *work, iv_err *err);

#endif
