/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates for a topic of a run, and the workspace of one thread. */
#ifndef IV_ESTIMATE_SAMPLED_RUN_H
#define IV_ESTIMATE_SAMPLED_RUN_H

#include "estimate/sampled_inferred.h"
#include "estimate/sampled_topic.h"
#include "estimate/scores.h"

/* One thread's memory. */
typedef struct iv_sampled_worker {
    const iv_task *task;
    iv_scorer *scorer; /* NULL: no complete measure is asked for */
    iv_join *join;
    size_t capacity;   /* documents of a topic's judgments */
    double *u, *gain, *rank, *sums, *complete;
    uint32_t *found, *order;
    iv_inferred_hit *hits;
    size_t hit_capacity;
    double *change, *at; /* of labels, levels x documents; ranks */
    uint32_t *labelled;
    iv_inferred_stratum *strata;
    double *grade_count;
    size_t grades;     /* the largest grade of the judgments */
    iv_discounts discounts;
} iv_sampled_worker;

/* One topic at work. */
typedef struct iv_topic_at_work {
    size_t topic;
    iv_sampling_topic sample;
    iv_joined joined;
    size_t retrieved;        /* documents looked at */
    iv_sampled_view view;
    iv_inferred_view inferred;
    bool inferred_ready;
} iv_topic_at_work;

int iv_sampled_worker_start(iv_sampled_worker *w, const iv_task *task, iv_err *err);
void iv_sampled_worker_end(iv_sampled_worker *w);

/*
 * Fills a row of estimates; run_topic IV_NONE: nothing is retrieved.  u: room
 * for width x documents of the topic, or NULL.
 */
int iv_sampled_estimate(iv_estimate *row, double *u, iv_sampled_worker *w,
                        const iv_run *run, size_t run_topic, size_t topic, iv_err *err);

/*
 * A value from rectified labels; w->change becomes its change with the labels, levels x
 * documents.  Then w->u of the documents judged: what each judgment adds beyond what was
 * expected of it.
 */
bool iv_rectified_value(double *value, size_t *levels, const iv_topic_at_work *t,
                        iv_sampled_worker *w, const iv_sampled_value *v, size_t level);
void iv_rectified_surprise(iv_sampled_worker *w, const iv_topic_at_work *t, size_t level,
                           size_t levels);

#endif /* IV_ESTIMATE_SAMPLED_RUN_H */
