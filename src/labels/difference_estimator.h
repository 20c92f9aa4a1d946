/* SPDX-License-Identifier: Apache-2.0 */
/* The difference estimator of a measure, from automatic and human labels. */
#ifndef IV_LABELS_DIFFERENCE_ESTIMATOR_H
#define IV_LABELS_DIFFERENCE_ESTIMATOR_H

#include "labels/label_population.h"

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

#endif
