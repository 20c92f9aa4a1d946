/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan -- how many topics, documents or labels are enough.
 */
#ifndef INTERVALE_PLAN_H
#define INTERVALE_PLAN_H

#include "intervale/base.h"
#include "intervale/design.h"
#include "intervale/estimate.h"
#include "intervale/stat.h"

IV_BEGIN_C

/*
 * How many documents must be judged for a given standard error, if they are sampled by
 * Stevens' scheme (Aslam and Pavlu 2008).
 *
 * The judgments are complete, or a pilot sample.  They give the contribution of each
 * relevant document to each estimate; with the inclusion probabilities of the design, this
 * gives the variance for any budget, and so the smallest sufficient budget.  If the
 * judgments are complete, simulated samples correct that budget.  For a pilot sample, the
 * formula is scaled to the standard error that iv_evaluate() reports for the pilot.
 */

/* Which standard error is planned. */
typedef enum iv_sample_goal {
    IV_GOAL_MEAN,      /* a run's mean over topics */
    IV_GOAL_DIFFERENCE /* the difference of two runs' means */
} iv_sample_goal;

/* Their names in this order; NULL ends the list. */
IV_API IV_EXPERIMENTAL const char *const *iv_sample_goal_names(void);

enum { IV_PLAN_CHECKS = 200 };

typedef struct iv_sample_plan_options {
    iv_sample_goal goal;
    size_t depth;      /* documents of each run that can be sampled; 0: IV_FRAME_DEPTH */
    size_t topics;     /* number of topics, similar to the pilot's; 0: as many as the pilot */
    double se;         /* standard error to reach, due to sampled documents only; or 0 */
    double halfwidth;  /* half-width of iv_evaluate()'s interval to reach, which includes the
                          choice of topics; or 0 */
    double confidence; /* of that interval; 0: 0.95 */
    int64_t check;     /* simulated samples that check a budget; 0: IV_PLAN_CHECKS,
                          IV_ZERO: none */
} iv_sample_plan_options;

/*
 * Many topics with few judgments, or few topics with many?
 *
 * Certainty is the probability that the better run of a topic is identified correctly.
 * The number of judgments that n topics need to reach a certainty is modelled as
 * j(certainty, n) = exp(g0 + g1 log certainty + g2 log n), by Poisson regression on a pilot.
 * The power of n topics with certainty 1 needs n' = n / (2 certainty - 1)^2 topics with a
 * lower certainty (src/stat).  Their cost is
 *
 *     C(certainty) = Ct max(0, n' - free topics) + Cj j(certainty, n').
 *
 * Ref: Carterette and Smucker (2007), CIKM, sections 4.2 and 5.
 */

/* {0}: topics cost nothing, a judgment costs 1. */
typedef struct iv_prices {
    double topic, judgment; /* >= 0, not both 0; judgment 0: 1, IV_ZERO: nothing */
    double free_topics;     /* number of existing topics, which cost nothing */
} iv_prices;

/*
 * How many topics need human labels if all T topics have automatic labels.  With n such
 * topics, the variance of a mean is sd^2 ((1 - rho^2) / n + rho^2 / T), where rho is the
 * correlation of human and automatic values over topics.  See doc/methods/machine.md.
 */

/*
 * Numbers of topics that need human labels for an interval of a given width: by Student's t with
 * n - 2 degrees of freedom.  T may be infinite.  The number is never larger than without automatic
 * labels.  IV_EARG for sd or width not above 0, rho outside [-1, 1], T below 1, or a confidence
 * outside (0, 1) (0: 0.95).
 */
typedef struct iv_machine_topics {
    double by_t;
    double alone_t;               /* without automatic labels; t with n - 1 */
    double least_width;           /* if all T topics have human labels; t with T - 1 */
} iv_machine_topics;

/*
 * A pilot study: a few completely judged topics say how many judgments other topics need.
 *
 * Judging is simulated on the pilot's topics and on samples of them (with replacement if
 * the sample is larger than the pilot), to find how many judgments a certainty needs.  This
 * is repeated on resampled pilots, for an interval that includes the choice of the pilot's
 * topics.
 *
 * Ref: Carterette and Smucker (2007), CIKM, section 5.2.
 */

typedef struct iv_pilot_options {
    iv_prior prior;
    iv_moments_form form;
    iv_no_answer no_answer; /* for documents that the pilot did not judge */
    iv_judging_order order;
    double topics;          /* number of topics to judge; 0: 25 */
    iv_prices prices;
    size_t replicates;      /* samples for each number of topics; 0: 20 */
    size_t forecasts;       /* simulated experiments for the interval, >= 10; 0: 500 */
    double confidence;      /* of the interval; 0: 0.95 */
} iv_pilot_options;

/*
 * How many documents to judge for a recall interval, and how to divide them between
 * retrieved and unretrieved documents.
 *
 * For assumed true values, the expected limits are the means of a method's limits over all
 * possible samples.  They are computed from at most IV_PLAN_OUTCOMES outcomes of each sample
 * (7 for the method exact) with linear interpolation, accurate to about 0.003 of recall.
 * The probability that the lower limit reaches a target is a sum over all samples except
 * those in the outer 1e-5 of probability at each end.
 */

enum { IV_PLAN_OUTCOMES = 12, IV_PLAN_GUESSES = 64 };

/* Assumed true values of the search. */
typedef struct iv_recall_guess {
    double recall, precision; /* in (0, 1] */
} iv_recall_guess;

typedef struct iv_recall_plan {
    int64_t population, retrieved; /* documents; 0 < retrieved < population */
    iv_recall_options how;         /* { 0 } is the default */
    const iv_recall_guess *guesses;
    size_t guess_count;  /* 1 to IV_PLAN_GUESSES */
    double wanted_lower; /* target for p_lower below; 0: none */
    bool all_read;       /* every retrieved document is judged, so n1 = retrieved */
} iv_recall_plan;

/* Expected values of a design, for one guess. */
typedef struct iv_recall_expected {
    double width, lower, upper; /* means over samples */
    double p_lower;             /* P(lower limit >= wanted_lower); NaN if there is no target */
} iv_recall_expected;

/*
 * Expected values if n1 retrieved and n0 unretrieved documents are judged.  out must have
 * room for all guesses.  IV_EARG if n1 or n0 is below 1 or above the number of documents,
 * or if the plan or a guess is not valid.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_recall_expect(iv_recall_expected *out,
                                          const iv_recall_plan *p, int64_t n1,
                                          int64_t n0, const iv_work *work, iv_err *err);

/*
 * The goal of a design.  IV_GOAL_WIDTH minimises the largest expected width over the
 * guesses; IV_GOAL_LOWER maximises the smallest expected lower limit; IV_GOAL_ASSURANCE
 * maximises the smallest p_lower.
 */
typedef enum iv_recall_goal {
    IV_GOAL_WIDTH, IV_GOAL_LOWER, IV_GOAL_ASSURANCE
} iv_recall_goal;

typedef struct iv_recall_design {
    int64_t n1, n0;
    double value; /* of the goal: width, lower limit or probability */
} iv_recall_design;

/*
 * The smallest number of documents, accurate to 1 %, whose best division reaches `wanted`:
 * a width of at most that, or a lower limit or probability of at least that.  IV_ENODATA if
 * judging all documents does not reach it.  Outcomes are discrete, so a slightly larger
 * number may miss `wanted`.  This takes seconds with exact posteriors.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_recall_least_size(iv_recall_design *out,
                                              const iv_recall_plan *p,
                                              iv_recall_goal goal, double wanted,
                                              const iv_work *work, iv_err *err);

/*
 * How many topics are needed to find a difference?
 *
 * The effect size of the sign test (exact or normal) is h = 2 theta - 1, where theta is the
 * proportion of topics that a wins, among topics that do not tie.  The effect size of the
 * other tests is d, the mean difference divided by the standard deviation of the
 * differences; their power is computed by the noncentral t distribution.  Wilcoxon's test
 * needs pi / 3 times as many topics as the t test.  compare's default test, the larger
 * p-value of the t test and Hall's t test, needs at most one topic more than the t test if
 * differences are normal.  If certainty is below 1, the winner of each topic is identified
 * correctly only with that probability.
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
    double ties;        /* for sign tests: the proportion of topics that tie, in [0, 1) */
} iv_power_options;

typedef struct iv_power {
    double power;
    /* The test rejects from this value on: a number of wins, or Student's t; the upper one
     * of a two-sided test.  NaN for wilcoxon, and with ties. */
    double critical;
} iv_power;

/*
 * The power of a test with `topics` >= 1 topics (2 for t) at an effect >= 0.  If options is
 * NULL, here and below, the test is the two-sided t test.  IV_EARG for other topics,
 * effects or options; IV_ENOMEM.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_power_at(iv_power *out, size_t topics, double effect,
                                     const iv_power_options *options, const iv_work *work,
                                     iv_err *err);

/* The largest number of topics that is planned. */
enum { IV_PLAN_TOPICS_MAX = 1000000 };

/*
 * The smallest number of topics that reaches `power` in (alpha, 1), and in steady the
 * smallest number from which on every number reaches it: the exact power of the sign test
 * rises and falls in small steps.  steady may be NULL.  IV_ENODATA if more than about
 * IV_PLAN_TOPICS_MAX / 2 topics are needed.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_power_topics(size_t *topics, size_t *steady,
                                                         double power,
                                         double effect, const iv_power_options *options,
                                         const iv_work *work, iv_err *err);

/* ----------------------------------------------------------- from a pilot -- */

/* The effect in a pilot, and how many topics are needed to find it. */
typedef struct iv_pilot_topics {
    size_t pilot;                 /* number of topics of the pilot */
    double ties;                  /* proportion of them that tie */
    bool a_better;                /* false: b is better, and effects are those of b */
    double effect, lower, upper;  /* the effect and its interval */
    /*
     * Numbers of topics needed for these three effects; SIZE_MAX if no number is enough,
     * for example if the interval contains 0.
     */
    size_t topics, fewest, most;
} iv_pilot_topics;

IV_END_C

#endif /* INTERVALE_PLAN_H */
