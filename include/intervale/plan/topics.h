/* SPDX-License-Identifier: Apache-2.0 */
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
#ifndef INTERVALE_PLAN_POWER_H
#define INTERVALE_PLAN_POWER_H

#include "intervale/stat/paired.h"

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
    double alpha;       /* in (0, 1); 0: .05 */
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

#endif /* INTERVALE_PLAN_POWER_H */
