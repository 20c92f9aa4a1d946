/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is likely of documents nobody judged, when documents that one run returns share
 * that run's quality:
 *
 *     logit P(relevant) = a + b mean of log(rank) + c log(number of runs) + d machine
 *                         + mean of u_r + v_t + mean of w_rt    over the runs r that return it,
 *
 * u_r the effect of a run, v_t of a topic, w_rt of a run on a topic, all normal with
 * mean 0; machine is what a machine's label says, 0 without one (iv_label_hint()).  a to d
 * have normal priors, too.  a, b, c, d and u are found by their most
 * likely values with a normal distribution around them (Laplace), v and w one topic
 * after the other.
 *
 * The difference of two runs is then unsure for four reasons: chance of each document,
 * effects of the topic, effects of the runs, which are the same in all topics, and the number
 * of relevant documents that neither returns, by which a topic's difference is divided, too.
 */
#ifndef IV_DESIGN_RUN_MODEL_H
#define IV_DESIGN_RUN_MODEL_H

#include "design/inquiry_parts.h"

typedef struct iv_run_model {
    iv_arena memory;
    size_t runs, pairs, topics, width;
    double *theta;  /* a, b, c, d and u */
    double *spread; /* their covariance, width x width */
    double *topic;  /* variance of a topic's difference beyond chance, topic x pair */
    double *common; /* variance of the sum of differences by theta, of pairs */
    double *beyond; /* the same by relevant documents that neither run returns, of pairs */
    double *shift;  /* taken off the sum of differences, of pairs */
    double *first, *first_common; /* sum and variance before anything was judged */
    double *room;   /* for one document, one topic, the Hessian */
    size_t judged;  /* when it was fitted */
} iv_run_model;

IV_MUST_CHECK int iv_run_model_new(iv_run_model **out, size_t runs, size_t topics, iv_err *err);
void iv_run_model_free(iv_run_model *m);

/* What the model sees of each document: mean log rank, log number of runs, a run's share. */
void iv_run_traits(double *out, const iv_inquiry_topic *x, size_t runs);

/* Fits theta to what is judged in the topics (nothing: the prior). */
void iv_run_model_fit(iv_run_model *m, const iv_inquiry_topic *topics, bool forget);

/* The relevance of the documents of a topic, 0 or 1 for those judged; room for 4 x width. */
void iv_run_model_relevance(double *out, const iv_run_model *m, const iv_inquiry_topic *x,
                            bool forget, double *room);

/*
 * How far differences can be off for other reasons than chance, from the belief of the
 * topics; `first`: nothing is judged, and neither run of a pair is to be the favourite.
 */
IV_MUST_CHECK int iv_run_model_doubt(iv_run_model *m, const iv_inquiry_topic *topics, bool first,
                                     const iv_work *work, iv_err *err);

#endif /* IV_DESIGN_RUN_MODEL_H */
