/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often does each interval that the tool shows by default hold the truth,
 * at confidence .80, .90, .95 and .99?
 *
 *     eval      means over topics by the measures' usual intervals, and the
 *               guaranteed ones; values that are few, sparse, or 0 and 1
 *     compare   differences of means; rank intervals; the confidence in the
 *               sign of a difference that --incomplete shows
 *     recall    recall, precision, F1, yield and elusion of a review, in one
 *               stratum a segment and in many, and from rankings
 *     prf       precision, recall, F1, accuracy, MCC and macro averages, and
 *               differences of two systems
 *     sample    average precision from sampled judgments, of topics and means
 *     plan      the effect behind plan topics, the judgments that plan pilot
 *               foresees
 *     overlap   means of likeness of two runs
 *     agree     likeness of two orders of runs, reproduction of a run
 *     roc       AUC, its averages over classes and differences, average precision, probabilities,
 *               thresholds
 *
 * Everything is studied on simulated data whose truth is known, and on real
 * data that are given, as far as their truth is known: a matrix of scores
 * stands for a population of topics, a collection with complete judgments for
 * one to sample, a review with complete labels for one to audit.
 *
 * Replicates are independent unless a row says otherwise, so that the standard
 * error is that of a binomial share.
 */
#ifndef INTERVALE_STUDY_COVERAGE_H
#define INTERVALE_STUDY_COVERAGE_H

#include "intervale/design.h"
#include "intervale/stat/paired.h"
#include "study/recall_study.h"
#include "intervale/trec.h"

/* Whose intervals. */
typedef enum iv_coverage_part {
    IV_COVERAGE_EVAL,
    IV_COVERAGE_COMPARE,
    IV_COVERAGE_RECALL,
    IV_COVERAGE_PRF,
    IV_COVERAGE_SAMPLE,
    IV_COVERAGE_PLAN,
    IV_COVERAGE_OVERLAP,
    IV_COVERAGE_AGREE,
    IV_COVERAGE_ROC,
    IV_COVERAGE_SCORES,
    IV_COVERAGE_PARTS
} iv_coverage_part;

/* "eval", "compare", ...; ends with NULL. */
const char *const *iv_coverage_part_names(void);

enum { IV_COVERAGE_LEVELS = 4, IV_COVERAGE_TEXT = 64 };

/* .80, .90, .95, .99. */
const double *iv_coverage_levels(void);

/* One interval, on one kind of data, at one confidence. */
typedef struct iv_covered {
    iv_coverage_part part;
    char interval[IV_COVERAGE_TEXT]; /* which */
    char data[IV_COVERAGE_TEXT];     /* "simulated", or what was given */
    char setting[IV_COVERAGE_TEXT];  /* "25 topics" */
    double nominal;
    double coverage, se;   /* of the intervals there are */
    double below, above;   /* share of truths below and above; NaN: not known */
    double least;          /* the lowest coverage among the cases that
                              `coverage` averages; NaN: not known */
    double width;          /* mean; NaN: not known */
    double without;        /* share of replicates without an interval */
    double held;           /* share of all replicates with one that holds the truth */
    size_t replicates;     /* SIZE_MAX: summed over all outcomes, exact */
} iv_covered;

typedef struct iv_coverage_options {
    bool wanted[IV_COVERAGE_PARTS];
    bool quick;         /* a twentieth of the replicates */
    const iv_score_grid *scores; /* a population of topics in [0, 1]; or NULL */
    /* A collection; run_count 0: none. */
    const iv_run *const *runs;
    size_t run_count;
    const iv_judgments *judgments;
    const iv_sampling *judged;   /* of the judgments */
    /* Reviews cut somewhere, of which n1 + n0 documents are sampled together;
     * review_count 0: none. */
    const iv_recall_population *reviews;
    size_t review_count;
} iv_coverage_options;

typedef struct iv_coverage iv_coverage;

/*
 * Studies what is wanted.  Minutes; seconds when quick.  IV_EARG or IV_ENODATA
 * for data that cannot be studied.  *out is the caller's.
 */
IV_MUST_CHECK int iv_coverage_run(iv_coverage **out, const iv_coverage_options *options,
                                  const iv_work *work, iv_err *err);
void iv_coverage_free(iv_coverage *c);

/* The rows, part by part; borrowed. */
size_t iv_coverage_rows(const iv_covered **out, const iv_coverage *c);

#endif /* INTERVALE_STUDY_COVERAGE_H */
