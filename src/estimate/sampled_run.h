/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of a run's estimates, and the workspace of one thread. */
#ifndef IV_ESTIMATE_SAMPLED_RUN_H
#define IV_ESTIMATE_SAMPLED_RUN_H

#include "estimate/sampled_inferred.h"
#include "estimate/sampled_measures.h"
#include "estimate/sampled_topic.h"

typedef struct iv_sampled_place {
    size_t judged; /* topic of the judgments */
    size_t in_run; /* IV_NONE: missing */
    double *u;     /* width x documents of the topic, if kept */
} iv_sampled_place;

struct iv_sampled {
    const iv_sampling *sampling;
    const iv_sampled_measures *measures;
    char *tag;
    iv_run_oddities odd;
    uint64_t bytes;
    iv_sampled_place *place;
    size_t topics;
    size_t *missing; /* topics of the judgments */
    size_t missing_count, not_judged;
    size_t width;
    iv_estimate *estimates; /* topics x width */
};

/* One thread's memory. */
typedef struct iv_sampled_worker {
    const iv_sampling *sampling;
    const iv_sampled_measures *measures;
    const iv_sampled_options *options;
    iv_scorer *scorer; /* NULL: no complete measure is asked for */
    iv_join *join;
    size_t capacity;   /* documents of a topic's judgments */
    double *u, *gain, *rank, *sums, *complete;
    uint32_t *found, *order;
    iv_inferred_hit *hits;
    size_t hit_capacity;
    iv_inferred_stratum *strata;
    double *grade_count;
    size_t grades;     /* the largest grade of the judgments */
    iv_discounts discounts;
} iv_sampled_worker;

int iv_sampled_worker_start(iv_sampled_worker *w, const iv_sampling *sampling,
                            const iv_sampled_measures *measures,
                            const iv_sampled_options *options, iv_err *err);
void iv_sampled_worker_end(iv_sampled_worker *w);

/*
 * Fills a row of estimates; run_topic IV_NONE: nothing is retrieved.  u: room
 * for width x documents of the topic, or NULL.
 */
int iv_sampled_estimate(iv_estimate *row, double *u, iv_sampled_worker *w,
                        const iv_run *run, size_t run_topic, size_t topic, iv_err *err);

/* Do the judgments tell what the measures need? */
int iv_sampled_check(const iv_sampling *s, const iv_sampled_measures *m, iv_err *err);

/* iv_sampled_run() without that check; name stands in messages. */
int iv_sampled_named(iv_sampled **out, const char *name, const iv_run *run,
                     const iv_sampling *sampling, const iv_sampled_measures *measures,
                     const iv_sampled_options *options, int threads, iv_err *err);

#endif /* IV_ESTIMATE_SAMPLED_RUN_H */
