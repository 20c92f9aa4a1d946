/* SPDX-License-Identifier: Apache-2.0 */
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
#ifndef IV_ESTIMATE_INCOMPLETE_RUNS_H
#define IV_ESTIMATE_INCOMPLETE_RUNS_H

#include "design/inquiry_parts.h"
#include "intervale/stat.h"

typedef struct iv_incomplete_options {
    iv_prior prior;
    iv_moments_form form;
    bool union_only;            /* see iv_inquiry_options */
    iv_alternative alternative; /* of the sign test */
} iv_incomplete_options;

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

/*
 * Fills in `count` pairs of runs of p.  The documents of a pair are those that
 * its two runs return.  O(m log m) for each pair and topic of m documents.
 * options may be NULL.  IV_EARG for a prior outside (0, 1).
 */
IV_MUST_CHECK int iv_incomplete_pairs(iv_incomplete *pairs, size_t count,
                                             const iv_pooled *p,
                                             const iv_incomplete_options *options,
                                             const iv_work *work, iv_err *err);

#endif /* IV_ESTIMATE_INCOMPLETE_RUNS_H */
