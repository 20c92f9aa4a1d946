/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates from a sample for the topics of a run, and the memory of one thread. */
#ifndef IV_RETRIEVAL_SAMPLED_WORKER_H
#define IV_RETRIEVAL_SAMPLED_WORKER_H

#include "base/memory.h"
#include "intervale/trec/topic_join.h"
#include "retrieval/sampled_topic.h"
#include "retrieval/scored_runs.h"
#include "sampling/sampled_judgments.h"

/* TREC's estimates from strata, for one topic of one run. */

/* A document of the ranking that belongs to the frame. */
typedef struct iv_inferred_hit {
    size_t rank;     /* from 1 */
    uint32_t stratum;
    int32_t grade;   /* below 0: not in the sample */
} iv_inferred_hit;

/* A stratum, and what the ranking has shown of it so far. */
typedef struct iv_inferred_stratum {
    double size, sampled;      /* in all */
    double pooled, judged, relevant; /* seen */
    double gain;               /* discounted, of the judged ones seen */
} iv_inferred_stratum;

/* Estimates for a topic of a run, and the workspace of one thread. */

/* One thread's memory. */
typedef struct iv_sampled_worker {
    const iv_scoring *task;
    iv_scorer *scorer; /* NULL: no complete measure is asked for */
    iv_join *join;
    size_t capacity;   /* documents of a topic's judgments */
    double *u, *gain, *rank, *sums, *complete;
    uint32_t *found, *order;
    iv_inferred_hit *hits;
    size_t hit_capacity;
    uint32_t *beyond;  /* of the first k documents, those outside of the frame */
    size_t beyond_capacity;
    iv_inferred_stratum *strata;
    double *grade_count; /* estimated documents of grade 1, 2, ... */
    size_t grades;     /* the largest grade of the judgments */
    iv_discounts discounts;
    /* The topic at work. */
    size_t topic;
    iv_sampling_topic sample;
    iv_joined joined;
    size_t retrieved;  /* documents looked at */
    iv_sampled_view view;
    bool frame_known;  /* which documents could be drawn */
    bool inferred_ready;
    size_t hit_count, stratum_count; /* one stratum: trec_eval's infAP */
    double relevant;   /* estimated documents */
} iv_sampled_worker;

double iv_inferred(const iv_sampled_worker *w, iv_sampled_kind kind, size_t cutoff);

/* The arena's, which remembers if memory is out; scorer NULL: no complete measure is asked for. */
iv_sampled_worker *iv_sampled_worker_new(iv_arena *own, const iv_scoring *task, iv_scorer *scorer,
                                         iv_join *join);

/*
 * Fills a row of estimates; run_topic IV_NONE: nothing is retrieved.  u: room
 * for width x documents of the topic, or NULL.
 */
int iv_sampled_estimate(iv_estimate *row, double *u, iv_sampled_worker *w,
                        const iv_run *run, size_t run_topic, size_t topic, iv_err *err);

#endif
