/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pilot study: a few topics judged to certainty say how many topics to take,
 * how sure to become of each, and what that will cost.
 *
 * Judging of the pilot's topics, and of samples of them (without replacement
 * below their number, with replacement above), is simulated to learn how many
 * judgments a certainty takes; then the cheapest certainty with the power of n
 * certain topics and a judgment for each topic is chosen (plan/cost.h; a topic without one
 * says nothing), and judging at it is simulated again,
 * on samples of samples of the pilot, for an interval that allows for the pilot
 * being a sample itself.
 *
 * Ref: Carterette and Smucker (2007), CIKM, section 5.2.
 */
#ifndef INTERVALE_PLAN_PILOT_H
#define INTERVALE_PLAN_PILOT_H

#include "intervale/design/inquiry.h"
#include "intervale/plan/cost.h"

IV_BEGIN_C

typedef struct iv_pilot_options {
    iv_prior prior;
    iv_moments_form form;   /* not exact */
    iv_no_answer no_answer; /* where the pilot lacks a judgment */
    iv_judging_order order;
    double topics;          /* to judge; 0: 25 */
    iv_prices prices;
    size_t replicates;      /* samples for each number of topics; 0: 20 */
    size_t forecasts;       /* simulated experiments for the interval, >= 10; 0: 500 */
    double confidence;      /* of the interval; 0: .95 */
} iv_pilot_options;

/* What the model was fitted to: the mean over samples. */
typedef struct iv_pilot_row {
    double certainty;
    size_t topics;
    size_t samples, reached; /* drawn; those that reached the certainty */
    double judgments, fitted;
} iv_pilot_row;

/* Experiments with more topics are not simulated. */
enum { IV_FORECAST_TOPICS = 20000 };

/* Judgments that an experiment is going to take. */
typedef struct iv_forecast {
    size_t topics;
    double certainty;
    double model;               /* what the model predicts */
    double mean, lower, upper;  /* over simulated experiments; NaN: none ended */
    double cost;                /* at the mean */
    size_t experiments, reached;
} iv_forecast;

typedef struct iv_pilot {
    size_t topics;        /* of the pilot */
    size_t start_up;      /* judgments that made it certain; SIZE_MAX: never */
    iv_cost_model model;
    iv_pilot_row *row;    /* freed by iv_pilot_clear() */
    size_t rows;
    size_t left_out;      /* rows that most samples did not reach */
    iv_forecast certain;     /* n topics judged to certainty */
    double pool_depth;       /* of the two runs, at most 100 */
    double pool_judgments;   /* n topics with pools of that depth, and their cost */
    double pool_cost;
} iv_pilot;

/*
 * A pilot of runs a and b of p, whose judgments are the pilot's; name stands in
 * messages; options may be NULL.  IV_ENODATA for fewer than two topics, a judgment that is missing
 * and must not be, or too few judgments to fit a model.
 */
IV_API IV_MUST_CHECK int iv_pilot_study(iv_pilot *out, const iv_pooled *p, size_t a, size_t b,
                                        const iv_pilot_options *options, const char *name,
                                        const iv_work *work, iv_err *err);
IV_API void iv_pilot_clear(iv_pilot *x);

IV_END_C

#endif /* INTERVALE_PLAN_PILOT_H */
