/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of iv_judging_state: each topic with its documents and what is known of them. */
#ifndef IV_ACTIVE_JUDGING_TOPICS_H
#define IV_ACTIVE_JUDGING_TOPICS_H

#include "active/judging_state.h"
#include "base/memory.h"
#include "stat/incomplete/ap_belief.h"

/* One topic of active judging: the documents of its runs, and what is believed. */
typedef struct iv_judging_topic {
    iv_arena memory;
    size_t documents; /* that the runs return */
    size_t all;       /* and documents known to be relevant elsewhere */
    uint32_t *pooled; /* the number of each in the pool */
    uint32_t *rank;   /* runs x all */
    bool *allowed;    /* may be chosen */
    signed char *known; /* 1 relevant, 0 not, -1 not judged */
    uint32_t *label;  /* automatic label of each, UINT32_MAX: none; NULL: there are none */
    uint32_t depth;   /* that all runs have; below it unjudged documents do not count */
    uint32_t *counted; /* runs x all: ranks that count, 0 for others */
    iv_ap_belief *belief; /* NULL as long as relevance is not learnt */
} iv_judging_topic;

struct iv_judging_state {
    iv_arena memory;
    const iv_pooled *p;
    size_t runs, pairs, topics;
    size_t *run; /* their numbers in p */
    iv_judging_options options;
    iv_judging_topic *topic;
    iv_candidate *best; /* of each topic; document SIZE_MAX: none moves anything ... */
    bool *stale;        /* ... and whether it must be looked for */
    bool *wanted;
    /* Relevance learnt: of no judged document 1/2; by automatic label, NULL: there are none. */
    iv_rank_relevance curve;
    double *label;
    size_t labels;       /* how many there are */
    size_t judged, all;  /* documents: judged, and in all */
    size_t fitted;       /* judged when relevance was learnt last */
};

/* Fills *out, which starts as {0}; freed by iv_judging_topic_clear() also then
 * when this fails. */
IV_MUST_CHECK int iv_judging_topic_fill(iv_judging_topic *out, const iv_pooled *p, size_t t,
                                        const size_t *runs, size_t count,
                                        const iv_judging_options *options, iv_err *err);
void iv_judging_topic_clear(iv_judging_topic *x);

/* Makes its belief anew by what was learnt; NULL: nothing. */
IV_MUST_CHECK int iv_judging_topic_believe(iv_judging_topic *x, const iv_rank_relevance *curve,
                                           const double *label, size_t runs,
                                           const iv_judging_options *o, iv_err *err);
/* The best rank of a document in any of `count` runs. */
uint32_t iv_judging_topic_best(const iv_judging_topic *x, size_t count, size_t document);

/* Learns relevance from all that is judged now, if it is learnt. */
IV_MUST_CHECK int iv_judging_settle(iv_judging_state *q, const iv_work *work, iv_err *err);

/* Limits of the difference in the mean of runs a < b (see stat/incomplete.h), of work that is
 * `done` so far; asks after each topic. */
IV_MUST_CHECK int iv_judging_limits_at(double *lower, double *upper, const iv_judging_state *q,
                                       size_t a, size_t b, const iv_work *work, double done,
                                       iv_err *err);

#endif
