/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many topics does it take to find a difference?
 *
 * The effect of the sign test is h = 2 theta - 1, theta the share of topics on
 * which a wins among those that do not tie, in its exact and in its normal form.
 * The effect of the other tests is d, the mean difference over its standard
 * deviation (ties count), and differences are normal but for ties; then theta =
 * Phi(d).  With certainty
 * below 1 each topic's winner is told rightly only with that probability (its
 * difference changes its sign with the other).
 *
 * The sign test and, with certainty 1, the others are computed, but for few topics:
 * there Wilcoxon's test is simulated, and where the randomisation test, which has the
 * power of the t test with many, has less.  With certainty below 1, with ties or
 * differences of a pilot (up to 2,000 topics) all but the sign test are simulated, the same experiments for all effects and numbers of topics.
 */
#ifndef INTERVALE_PLAN_POWER_H
#define INTERVALE_PLAN_POWER_H

#include "intervale/stat/paired.h"

IV_BEGIN_C

typedef enum iv_planned_test {
    IV_PLAN_RANDOMISATION,
    IV_PLAN_T,
    IV_PLAN_WILCOXON,
    IV_PLAN_SIGN,
    IV_PLAN_SIGN_NORMAL
} iv_planned_test;

/* "randomisation", "t", "wilcoxon", "sign", "normal", NULL. */
IV_API const char *const *iv_planned_test_names(void);

/* Is its effect h, at most 1, or d? */
IV_API bool iv_planned_test_by_sign(iv_planned_test test);

typedef enum iv_sides { IV_BOTH_SIDES, IV_ONE_SIDE } iv_sides;

/* "two", "one", NULL. */
IV_API const char *const *iv_sides_names(void);

typedef struct iv_power_options {
    iv_planned_test test;
    iv_sides sides;
    double alpha;       /* in (0, 1); 0: .05 */
    double certainty;   /* in (1/2, 1]; 0: 1 */
    double ties;        /* the share of topics that tie, in [0, 1); not for wilcoxon */
    /*
     * Of randomisation and t: differences of a pilot, with which those drawn agree in what
     * values there are and, at the pilot's effect, in how often; in place of normal ones.
     */
    iv_reals differences;
    bool normal;        /* of a pilot: take differences for normal, ties or not; quicker */
    size_t experiments; /* simulated, at least 100; 0: 10,000, and fewer of those that
                           take longer */
} iv_power_options;

typedef struct iv_power {
    double power;
    double se;       /* of a simulated power; 0 if it is computed */
    /*
     * The test rejects from here on: wins, the sum of ranks, Student's t; of a
     * two-sided test the upper value.  NaN for randomisation, which has none, and
     * with ties, where it depends on them.
     */
    double critical;
} iv_power;

/*
 * The power of `topics` >= 1 (2 for t) at an effect >= 0.  options may be NULL, here
 * and below: the two-sided randomisation test.  IV_EARG outside these
 * and the options' domains, IV_ENOMEM.  Simulated powers take a tenth of a second
 * or so.
 */
IV_API IV_MUST_CHECK int iv_power_at(iv_power *out, size_t topics, double effect,
                                     const iv_power_options *options, const iv_work *work,
                                     iv_err *err);

/* Nobody plans more topics than these. */
enum { IV_PLAN_TOPICS_MAX = 1000000 };

/*
 * The least number of topics that reaches `power` in (alpha, 1), and the least
 * from which on it stays there: the exact power of the sign test goes up and
 * down in small steps.  steady may be NULL.  IV_ENODATA beyond
 * some IV_PLAN_TOPICS_MAX / 2 (10,000 with certainty below 1, but for the sign test).
 */
IV_API IV_MUST_CHECK int iv_power_topics(size_t *topics, size_t *steady, double power,
                                         double effect, const iv_power_options *options,
                                         const iv_work *work, iv_err *err);

/*
 * The effect that `topics` find with `power` in (alpha, 1).  IV_ENODATA when
 * none does: the sign test needs several topics to reject at all.
 */
IV_API IV_MUST_CHECK int iv_power_effect(double *effect, double power, size_t topics,
                                         const iv_power_options *options,
                                         const iv_work *work, iv_err *err);

/* ----------------------------------------------------------- from a pilot -- */

/* What a pilot says of an effect, and the topics that it would take. */
typedef struct iv_pilot_topics {
    size_t pilot;                 /* its topics */
    double ties;                  /* share of them that tie */
    bool a_better;                /* else b is, and effects are b's */
    double effect, lower, upper;  /* the latter two with the confidence asked */
    /*
     * Least numbers of topics at the three effects; SIZE_MAX where there is
     * none, as when the interval of the effect holds 0.
     */
    size_t topics, fewest, most;
} iv_pilot_topics;

/*
 * From differences d of n >= 2 pilot topics; ties are expected in the share seen: where
 * there are some, randomisation and t are planned for differences of the values seen.  The
 * interval of theta is Jeffreys', that of d from the noncentral t.  IV_ENODATA when no topic
 * differs, or all differences are the same (d).
 */
IV_API IV_MUST_CHECK int iv_topics_from_pilot(iv_pilot_topics *out, const double *d, size_t n,
                                              double power, double confidence,
                                              const iv_power_options *options,
                                              const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_PLAN_POWER_H */
