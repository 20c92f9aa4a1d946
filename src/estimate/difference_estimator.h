/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The difference estimator of a measure: automatic labels of all documents, human ones of a random
 * sample of them.
 *
 * p is the probability that a document's grade reaches a level, by a logistic model with the
 * document's automatic label, its rank in the run and a random effect of its topic, fitted to the
 * human labels.  A topic's value is the measure at p, with human labels in their places, plus its
 * gradient times the residuals y - p of the sampled documents times 1/pi - 1, for those not
 * sampled: the difference estimator of a measure that is linear in the labels, first order for any
 * other. Influences of topics include the estimation of the model, each topic's by leaving it out.
 * doc/methods/machine.md has formulas and coverage.
 *
 * Refs: Sarndal, Swensson and Wretman (1992), Model Assisted Survey Sampling, ch. 6 and 8;
 * Lehtonen, Sarndal and Veijanen (2003), Survey Methodology 29; Stiratelli, Laird and Ware (1984),
 * Biometrics 40; Bell and McCaffrey (2002), Survey Methodology 28.
 */
#ifndef IV_ESTIMATE_DIFFERENCE_ESTIMATOR_H
#define IV_ESTIMATE_DIFFERENCE_ESTIMATOR_H

#include "estimate/label_measures.h"

/* Automatic labels are told apart up to so many; a document without one has its own. */
enum { IV_LABEL_GROUPS = 20 };

/* A topic's documents; those of the human sample have a grade. */
typedef struct iv_population_topic {
    size_t count, sampled;
    uint32_t *label;   /* of each document: its group */
    int32_t *grade;    /* below 0: not sampled */
    double *pi;        /* inclusion probability */
    uint32_t *sample;  /* the documents sampled, rising */
    iv_str *docno;     /* of each document */
} iv_population_topic;

/* The documents with automatic labels, topic by topic. */
typedef struct iv_label_population {
    iv_population_topic *topics;
    size_t topic_count, most; /* documents of the largest topic */
    uint32_t groups;          /* of automatic labels */
    int32_t level[IV_LABEL_LEVELS]; /* grades above 0 of the sample, rising */
    size_t levels;
    size_t *labelled_topic; /* of each topic, its place among those of the labels */
    size_t *starts;         /* of each topic's sampled documents; the last: all */
    size_t labelled, labels; /* documents; of them with human labels */
    size_t judged;          /* topics with human labels */
    size_t no_human;        /* topics that are excluded, without human labels */
    size_t outside;         /* human labels of documents without an automatic one */
    size_t below_half;      /* topics of which fewer than half have a human label */
    int32_t largest;        /* human grade */
} iv_label_population;

/* One run.  rankings[t].document NULL: the run does not have the topic. */
typedef struct iv_difference_task {
    const iv_label_population *population;
    const iv_label_ranking *rankings;
    const iv_label_measure *measures;
    size_t measure_count;
    const double *discounts; /* to the largest rank and count, plus 1 */
    /* use the automatic labels; else human ones alone, by the same model */
    bool automatic;
} iv_difference_task;

/*
 * Fills value and influence, measure x topic, NaN for topics that the run does not have: the mean
 * of the values estimates the measure, and the sum of squared influences over n (n - 1) is its
 * variance over samples of topics and of documents.  document, measure x sampled documents (topic
 * by topic), becomes the influence of each sampled document on the mean, for this fixed
 * set of topics.  IV_ENOMEM.
 */
IV_MUST_CHECK int iv_difference_estimate(double *value, double *influence, double *document,
                                         const iv_difference_task *task, iv_err *err);

#endif /* IV_ESTIMATE_DIFFERENCE_ESTIMATOR_H */
