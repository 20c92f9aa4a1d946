/* SPDX-License-Identifier: Apache-2.0 */
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
#ifndef INTERVALE_STAT_TOPIC_POWER_H
#define INTERVALE_STAT_TOPIC_POWER_H

#include "intervale/base.h"

IV_BEGIN_C

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

#endif
