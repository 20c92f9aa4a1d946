/* SPDX-License-Identifier: Apache-2.0 */
/* A pilot of judging: what certainty costs, and forecasts of experiments. */
#ifndef IV_ACTIVE_PILOT_H
#define IV_ACTIVE_PILOT_H

#include "active/cost_model.h"
#include "active/paths.h"
#include "intervale/num.h"

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
IV_MUST_CHECK int iv_pilot_study(iv_pilot *out, const iv_pooled *p, size_t a, size_t b,
                                        const iv_pilot_options *options, const char *name,
                                        const iv_work *work, iv_err *err);
void iv_pilot_clear(iv_pilot *x);

/* The certainties looked at; the last stands for certainty itself. */
enum { IV_PILOT_LEVELS = 10 };
extern const double iv_pilot_levels[IV_PILOT_LEVELS]; /* .55, .60, ..., .95, 1 */

/* Numbers of topics to train on, up to `most`; returns how many, at most 20. */
enum { IV_PILOT_SIZES = 20 };
size_t iv_pilot_sizes(size_t out[IV_PILOT_SIZES], size_t most);

/* n of `count` topics: without replacement while there are enough, else with. */
void iv_pilot_draw(size_t *out, size_t n, size_t count, iv_stream *s);

/*
 * Fills rows (levels x sizes) with mean judgments over `replicates` samples of
 * the `count` topics; fitted is left 0.  Stream r of (seed, IV_FOR_PILOT)
 * is for sample r of all, from `first` on.
 */
IV_MUST_CHECK int iv_pilot_train(iv_pilot_row *rows, iv_paths *paths, size_t count,
                                 const size_t *sizes, size_t size_count, size_t replicates,
                                 uint64_t first, const iv_work *work, iv_err *err);

/*
 * Fits the model to the rows that most samples reached, and fills in fitted;
 * left_out (may be NULL) counts the others.
 */
IV_MUST_CHECK int iv_pilot_fit(iv_cost_model *out, size_t *left_out, iv_pilot_row *rows,
                               size_t count, iv_err *err);

/*
 * Simulates experiments with f->topics topics judged to f->certainty, on
 * samples of samples of the `count` topics in from (NULL: all), and fills in
 * the rest of f.  Of o: forecasts, confidence, prices; streams `first` on of (seed, IV_FOR_PILOT).
 */
IV_MUST_CHECK int iv_pilot_forecast(iv_forecast *f, iv_paths *paths, const size_t *from,
                                    size_t count, const iv_pilot_options *o, uint64_t first,
                                    const iv_work *work, iv_err *err);

#endif
