/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of a series of nights against a baseline, with one error rate for all nights. */
#ifndef IV_STAT_SEQUENTIAL_NIGHTS_H
#define IV_STAT_SEQUENTIAL_NIGHTS_H

#include "intervale/stat/interim_analyses.h"
#include "intervale/stat/structured_means.h"

/* Every night has two tests: of itself, and of the last nights together. */
enum { IV_NIGHT_TESTS = 2, IV_NIGHTS_TOGETHER = 7, IV_NIGHT_STEPS = 50 };

/*
 * The level of each test, by the correlation of two nights: nights that are compared with one
 * baseline share its error, as treatments share that of their control (Dunnett 1955).  Given that
 * error the nights are independent, so with correlation r the probability of any false alarm is at
 * most the mean, over the common error, of min(1, sum over nights and tests of P(test rejects |
 * common error)).  The two tests have the same probability of an alarm over the horizon.
 *
 * Of IV_PROMISE_AVERAGE: half of 1 / horizon, whatever the correlation.
 */
typedef struct iv_night_levels {
    double alpha;
    size_t horizon;
    iv_promise promise;
    double level[IV_NIGHT_STEPS][IV_NIGHT_TESTS]; /* NaN: not yet computed */
} iv_night_levels;

void iv_night_levels_begin(iv_night_levels *out, double alpha, size_t horizon, iv_promise promise);

/* Those of a correlation, which is rounded down; computed once each. */
const double *iv_night_levels_of(iv_night_levels *levels, double correlation);

typedef struct iv_nights {
    const double *x; /* [night * items + item]: score less the baseline's; NaN: none */
    size_t nights, items;
    const iv_structure *structure; /* NULL: items are independent; repeats are not used */
    double margin;                 /* a loss up to this is no alarm */
    double low, high;              /* range of differences; NaN: not known */
    size_t baselines;              /* nights that the baseline was run on; 0: on every night */
    /* Of scores of two values, such as 0 and 1: their difference over the baseline's runs of an
     * item (on a night, if it runs every night); 0: other scores.  A baseline that failed on no
     * item or on few hides its own error, so two items that differ by it, one up and one down,
     * are added (Bonett & Price 2012). */
    double unit;
    bool p_only;                   /* no limits: they take most of the time */
} iv_nights;

/* The mean of the last nights less the baseline. */
typedef struct iv_night_test {
    size_t window;        /* so many nights; 0: not tested */
    double mean, se, df;
    double p, p_above;    /* that it is not below -margin; not above */
    double lower, upper;  /* one-sided limits at the level */
    double level;
} iv_night_test;

typedef struct iv_night {
    size_t items;         /* that tonight and the baseline have */
    iv_night_test of[IV_NIGHT_TESTS];
    size_t decisive;      /* the test with the lowest upper limit (of p_only: smallest p / level) */
    bool alarm;
    double correlation;   /* of two nights, as seen so far */
    double shift;         /* sd of what all items of a night share; 0: none was found */
    double shift_p;       /* of the hypothesis that there is none; NaN: fewer than 4 nights */
} iv_night;

/* A shift of whole nights is found below this. */
#define IV_SHIFT_P 0.05

/*
 * Tests night after night, each from what was known by then.  IV_ENODATA for a night without a
 * score; otherwise as iv_structured_mean().  O(nights x items).
 */
IV_MUST_CHECK int iv_nights_test(iv_night *out, const iv_nights *asked, iv_night_levels *levels,
                                 iv_err *err);

/* The night from which on nights up to `last` differ most clearly from those before and the
 * baseline, which counts as a night before the first: the estimate of one change.  O(nights x
 * items). */
IV_MUST_CHECK int iv_nights_since(size_t *first, const iv_nights *asked, size_t last,
                                  double shift, iv_err *err);

#endif
