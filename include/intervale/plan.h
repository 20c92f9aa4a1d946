/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan -- how much is enough.
 */
#ifndef INTERVALE_PLAN_H
#define INTERVALE_PLAN_H

#include "intervale/base.h"
#include "intervale/design.h"
#include "intervale/estimate.h"
#include "intervale/stat.h"

IV_BEGIN_C

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
    double confidence; /* of that interval; 0: 0.95 */
    int64_t check;     /* samples taken to check a budget; 0: IV_PLAN_CHECKS,
                          IV_ZERO: none */
} iv_sample_plan_options;

/*
 * Many topics with few judgments, or few topics with many?
 *
 * The number of judgments that n topics take to reach a certainty is modelled
 * as j(certainty, n) = exp(g0 + g1 log certainty + g2 log n), by Poisson
 * regression on a pilot.  To keep the power of n certain topics, n' = n / (2
 * certainty - 1)^2 uncertain ones are needed (src/stat); what they cost is
 *
 *     C(certainty) = Ct max(0, n' - free topics) + Cj j(certainty, n').
 *
 * Ref: Carterette and Smucker (2007), CIKM, sections 4.2 and 5.
 */

/* {0}: topics are free, a judgment costs 1. */
typedef struct iv_prices {
    double topic, judgment; /* >= 0, not both 0; judgment 0: 1, IV_ZERO: nothing */
    double free_topics;     /* that cost nothing */
} iv_prices;

/*
 * How many topics people should judge when a machine labels all: the variance of a mean is
 * sd^2 ((1 - rho^2) / n + rho^2 / T), rho the correlation of people's values with the
 * machine's over topics.  doc/methods/machine.md.
 */

/*
 * Topics for people so that the interval of a mean is `width` wide, with T topics labelled by
 * the machine: by Student's t (n - 2; the fixed point).  T infinite is as
 * many as it takes.  Never more than without the machine, which helps where it labels more
 * topics than that.  IV_EARG for sd or width that are not above 0, rho outside [-1, 1], T
 * below 1, a confidence outside (0, 1) (0: 0.95).
 */
typedef struct iv_machine_topics {
    double by_t;
    double alone_t;               /* without the machine; t with n - 1 */
    double least_width;           /* that T topics allow: people judge them all; by t, n - 1 */
} iv_machine_topics;

/*
 * A pilot study: a few topics judged to certainty say what judging others will take.
 *
 * Judging of the pilot's topics, and of samples of them (without replacement
 * below their number, with replacement above), is simulated to learn how many
 * judgments a certainty takes, and again on samples of samples of the pilot, for an
 * interval that allows for the pilot being a sample itself.
 *
 * Ref: Carterette and Smucker (2007), CIKM, section 5.2.
 */

typedef struct iv_pilot_options {
    iv_prior prior;
    iv_moments_form form;
    iv_no_answer no_answer; /* where the pilot lacks a judgment */
    iv_judging_order order;
    double topics;          /* to judge; 0: 25 */
    iv_prices prices;
    size_t replicates;      /* samples for each number of topics; 0: 20 */
    size_t forecasts;       /* simulated experiments for the interval, >= 10; 0: 500 */
    double confidence;      /* of the interval; 0: 0.95 */
} iv_pilot_options;

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

/*
 * How many topics does it take to find a difference?
 *
 * The effect of the sign test is h = 2 theta - 1, theta the proportion of topics on
 * which a wins among those that do not tie, in its exact and in its normal form.
 * The effect of the other tests is d, the mean difference over its standard
 * deviation, by the noncentral t; Wilcoxon's test is planned as the t test with
 * 3 / pi of the topics.  compare's default test, the larger p of t and of Hall's t, needs at
 * most one topic more than the t test on normal differences.  With certainty below 1
 * the winner of each topic is identified correctly only with that probability (its difference
 * changes its sign with the other).
 */

typedef enum iv_planned_test {
    IV_PLAN_T,
    IV_PLAN_WILCOXON,
    IV_PLAN_SIGN,
    IV_PLAN_SIGN_NORMAL
} iv_planned_test;

/* "t", "wilcoxon", "sign", "normal", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_planned_test_names(void);

typedef enum iv_sides { IV_BOTH_SIDES, IV_ONE_SIDE } iv_sides;

/* "two", "one", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_sides_names(void);

typedef struct iv_power_options {
    iv_planned_test test;
    iv_sides sides;
    double alpha;       /* in (0, 1); 0: 0.05 */
    double certainty;   /* in (1/2, 1]; 0: 1 */
    double ties;        /* of sign tests: the proportion of topics that tie, in [0, 1) */
} iv_power_options;

typedef struct iv_power {
    double power;
    /* The test rejects from here on: wins, Student's t; of a two-sided test the upper
     * value.  NaN for wilcoxon, and with ties, where it depends on them. */
    double critical;
} iv_power;

/*
 * The power of `topics` >= 1 (2 for t) at an effect >= 0.  options may be NULL, here
 * and below: the two-sided t test.  IV_EARG outside these and the options' domains,
 * IV_ENOMEM.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_power_at(iv_power *out, size_t topics, double effect,
                                     const iv_power_options *options, const iv_work *work,
                                     iv_err *err);

/* Nobody plans more topics than these. */
enum { IV_PLAN_TOPICS_MAX = 1000000 };

/*
 * The least number of topics that reaches `power` in (alpha, 1), and the least
 * from which on it stays there: the exact power of the sign test goes up and
 * down in small steps.  steady may be NULL.  IV_ENODATA beyond
 * some IV_PLAN_TOPICS_MAX / 2.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_power_topics(size_t *topics, size_t *steady,
                                                         double power,
                                         double effect, const iv_power_options *options,
                                         const iv_work *work, iv_err *err);

/* ----------------------------------------------------------- from a pilot -- */

/* What a pilot says of an effect, and the topics that it would take. */
typedef struct iv_pilot_topics {
    size_t pilot;                 /* its topics */
    double ties;                  /* proportion of them that tie */
    bool a_better;                /* else b is, and effects are b's */
    double effect, lower, upper;  /* the latter two with the confidence asked */
    /*
     * Least numbers of topics at the three effects; SIZE_MAX where there is
     * none, as when the interval of the effect contains 0.
     */
    size_t topics, fewest, most;
} iv_pilot_topics;

IV_END_C

#endif /* INTERVALE_PLAN_H */
