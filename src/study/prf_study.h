/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do intervals on precision, recall and F hold?  For a true rate and a number
 * of items, how often does an interval hold the truth, and how wide is it?
 *
 * Given the number of items that count (returned for precision, relevant for
 * recall, returned or relevant for F_1) TP is binomial, with probability F/(2-F)
 * for F_1.  So coverage is a sum over all outcomes, exact, and so is the ideal
 * bootstrap.  F_beta, balanced accuracy and MCC depend on more counts: there
 * samples are drawn.
 */
#ifndef INTERVALE_STUDY_PRF_H
#define INTERVALE_STUDY_PRF_H

#include "intervale/stat/prf.h"
#include "base/parallel.h"

typedef enum iv_prf_study_method {
    IV_PRF_STUDY_EQUAL,     /* posterior, equal tails */
    IV_PRF_STUDY_HDI,       /* posterior, highest density */
    IV_PRF_STUDY_WILSON,    /* Wilson's score interval, of F/(2-F) for F_1 */
    IV_PRF_STUDY_BOOTSTRAP, /* percentile bootstrap of the items */
    IV_PRF_STUDY_GUARANTEED,/* Clopper and Pearson's; not for MCC */
    IV_PRF_STUDY_METHODS
} iv_prf_study_method;

/* "posterior-equal", "posterior-hdi", "wilson", "bootstrap", "guaranteed"; ends with
 * NULL. */
const char *const *iv_prf_study_names(void);

enum { IV_PRF_STUDY_ITEMS_MAX = 100000 };

/* Whose intervals; {0} is F_1. */
typedef enum iv_studied_metric {
    IV_STUDIED_F1,
    IV_STUDIED_PRECISION,
    IV_STUDIED_RECALL,
    IV_STUDIED_F_BETA,
    IV_STUDIED_ACCURACY,
    IV_STUDIED_SPECIFICITY,
    IV_STUDIED_BALANCED_ACCURACY,
    IV_STUDIED_MCC
} iv_studied_metric;

/* "f1", "precision", "recall", "f-beta", ...; ends with NULL. */
const char *const *iv_studied_metric_names(void);

typedef struct iv_study_prf_question {
    iv_studied_metric metric;
    double beta;        /* of F_beta; 0: 2 */
    iv_reals prior;     /* one number, or two as those of prf; none: 0.5 */
    double confidence;  /* 0: .95 */
    iv_reals rates;     /* true values of the metric, or for drawn ones of precision
                           and recall; each in (0, 1); none: seven from .05 to .95 */
    iv_integers sizes;  /* items that count; for drawn ones all items; none: 10, 20,
                           50, 100, 500 */
    /* For metrics whose samples are drawn. */
    double prevalence;  /* share of relevant items, in (0, 0.5]; 0: 0.2 */
    size_t replicates;  /* samples, at least 100; 0: 2,000 */
    size_t draws;       /* from a posterior, and resamples of a bootstrap; 0: 2,000 */
} iv_study_prf_question;

typedef struct iv_prf_study_cell {
    iv_prf_study_method method;
    double rate;
    int64_t size;
    double truth;        /* of the metric */
    double coverage;
    double coverage_se;  /* NaN where it is exact */
    double below, above; /* share of samples whose interval lies there */
    double width;        /* mean, over samples that have an interval */
    double gaps;         /* share of samples without one; they hold nothing */
} iv_prf_study_cell;

/* Are samples drawn for this metric, or outcomes summed? */
bool iv_prf_study_is_drawn(iv_prf_metric m);

/* The metric that is asked about. */
iv_prf_metric iv_studied_metric_of(const iv_study_prf_question *q);

/*
 * Rates x sizes x IV_PRF_STUDY_METHODS cells, in that order, in the arena.  Wilson's have coverage NaN where samples are drawn: it has no
 * such form.  IV_EARG for a question outside its domain.
 */
IV_MUST_CHECK int iv_prf_study(iv_prf_study_cell **out, size_t *count, iv_arena *own,
                               const iv_study_prf_question *q, const iv_work *work, iv_err *err);

/* The answer: tables coverage, summary and, of what is summed, grid. */
IV_MUST_CHECK int iv_study_answer_prf(iv_result *out, const iv_study_prf_question *q,
                                      const iv_work *work, iv_err *err);

/* A question without defaults left. */
typedef struct iv_prf_setting {
    iv_study_prf_question q;
    iv_prf_metric metric;
    iv_prf_prior prior;
} iv_prf_setting;

/* Adds one interval, of weight w, to a cell; lower > upper: there is none. */
void iv_prf_study_add(iv_prf_study_cell *cell, double w, double lower, double upper);

/* Cells of one rate and size, IV_PRF_STUDY_METHODS of them, by drawing. */
IV_MUST_CHECK int iv_prf_study_draw(iv_prf_study_cell *cells, const iv_prf_setting *s,
                                    uint32_t stream, const iv_work *work, iv_err *err);

/* Wilson's score interval on k of n. */
void iv_wilson(double *lower, double *upper, double k, double n, double confidence);

#endif /* INTERVALE_STUDY_PRF_H */
