/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strengths of systems from preferences between pairs.
 *
 * Strengths of systems from pairwise preferences: the model of Bradley and Terry with ties
 * (Davidson 1970) and, if asked for, an effect of the position (Davidson and Beaver 1977):
 *
 *     P(a wins) : P(b wins) : P(tie) = pi_a : pi_b exp(-position) : nu sqrt(pi_a pi_b)
 *
 * With covariates x (a's value less b's) the odds of a are exp(gamma x) times as high, which adds
 * gamma x_a to a's strength and gamma x_b to b's.
 *
 * By maximum likelihood; variances are the sandwich over clusters (Liang and Zeger 1986), such as
 * all votes on one prompt.  Ranks are simultaneous: Holm's correction over all pairs (Mogstad et
 * al. 2024).  doc/methods/preferences.md has the formulas.
 */
#ifndef IV_STAT_PREFERENCE_H
#define IV_STAT_PREFERENCE_H

#include "base/memory.h"
#include "stat/evidence.h"

enum { IV_PREFERENCE_MOST = 2000, /* systems */ IV_PREFERENCE_COVARIATES = 8 };

typedef enum iv_preferred { IV_PREFERS_A, IV_PREFERS_B, IV_PREFERS_NONE } iv_preferred;

typedef struct iv_vote {
    uint32_t a, b; /* a was shown first */
    uint32_t item, judge;
    iv_preferred winner;
} iv_vote;

/* Why there is no estimate. */
typedef enum iv_preference_gap {
    IV_PREFERENCE_EXISTS,
    IV_PREFERENCE_APART, /* the comparisons do not connect all systems */
    IV_PREFERENCE_ENDS,  /* some systems never lost to the others, or never won (Ford 1957) */
    IV_PREFERENCE_TIES,  /* ties and wins are separated: the parameter of ties is infinite */
    IV_PREFERENCE_POSITION, /* votes are separated with the effect of the position only */
    IV_PREFERENCE_ONE_ITEM, /* all votes are on one item */
    IV_PREFERENCE_ENDLESS /* with covariates, or corrected votes, the search does not end */
} iv_preference_gap;

typedef struct iv_strength {
    size_t wins, losses, ties;
    double value, se, lower, upper; /* log scale, mean 0; NaN: see the gap */
    size_t rank_lower, rank_upper;
} iv_strength;

/* Votes between two systems, and their strengths: a is the stronger one. */
typedef struct iv_preference_pair {
    size_t a, b, wins, losses, ties; /* of a */
    double difference, se, lower, upper, p, p_holm; /* limits for this pair alone */
} iv_preference_pair;

/* Systems up to which pairs are listed. */
enum { IV_PREFERENCE_PAIRED = 100 };

typedef struct iv_preferences {
    iv_preference_gap gap;
    size_t example;  /* of IV_PREFERENCE_ENDS: a system that never won or never lost */
    size_t clusters;
    double tie;      /* log nu; NaN: no ties */
    double position, position_se, position_lower, position_upper, position_p; /* NaN: none */
    struct { double value, se, lower, upper, p; } covariates[IV_PREFERENCE_COVARIATES];
    iv_strength *systems;
    iv_preference_pair *pairs; /* all, if there is an estimate; of more systems NULL */
    size_t pair_count;
} iv_preferences;

/* What is fitted.  `items` above 0: votes of one item are a cluster; `judges` above 0: so are those
 * of one judge; without either each vote is one. */
typedef struct iv_preference_model {
    size_t systems, items, judges;
    bool positioned; /* strengths are those of the model with the position */
    double confidence;
    size_t covariate_count;
    const double *covariates; /* [vote * covariate_count + k], a's less b's */
    /* Of votes of people and of judges: the weight of a vote, and what it adds to the comparisons
     * of its cluster (iv_preference_correct); NULL: 1, and nothing. */
    const double *weight, *unit;
} iv_preference_model;

/*
 * Fits `count` votes.  What is returned is taken from own.  IV_EARG for more than
 * IV_PREFERENCE_MOST systems.  Cost: votes + systems^3.
 */
IV_MUST_CHECK int iv_preference_fit(iv_preferences *out, const iv_vote *votes, size_t count,
                                    const iv_preference_model *model, iv_arena *own, iv_err *err);

/* Does `system` win against `other` at this rate, where one of the two wins?  One-sided t tests of
 * the difference of strengths.  All NaN without an estimate.  O(pairs). */
iv_evidence iv_preference_evidence(const iv_preferences *f, size_t system, size_t other,
                                   double rate, double level);

/* Votes of judges corrected by those of people on a random sample of the comparisons: an item and
 * two systems, each of which counts as one. */
typedef struct iv_corrected_votes {
    iv_vote *votes;        /* those of judges, and where people voted both again */
    double *weight, *unit; /* of these */
    size_t count, comparisons, labelled;
    size_t unmatched;      /* votes of people where no judge voted, which are left out */
    double lambda;         /* of the judges' scores, in [0, 1] (PPI++) */
} iv_corrected_votes;

/*
 * The score equation is that of people, less lambda times that of the judges where people voted,
 * plus lambda times that of all judges (Angelopoulos, Duchi & Zrnic 2023); lambda minimises the
 * variance of the scores of strengths, at the fit of the judges' votes.  `human`: the judge that is
 * people.  IV_ENODATA without a comparison that both judged.
 */
IV_MUST_CHECK int iv_preference_correct(iv_corrected_votes *out, const iv_vote *votes, size_t count,
                                        uint32_t human, const iv_preferences *judges,
                                        iv_arena *own, iv_err *err);

/* Judges from which votes are clustered by judge: below 20 to 50 clusters are few (Cameron & Miller
 * 2015), and intervals are about these judges. */
enum { IV_MANY_JUDGES = 20 };

#endif
