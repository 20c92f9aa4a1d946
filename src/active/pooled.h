/* SPDX-License-Identifier: Apache-2.0 */
/* The documents that some of several runs return, with their ranks and judgments. */
#ifndef IV_ACTIVE_POOLED_H
#define IV_ACTIVE_POOLED_H

#include "base/memory.h"
#include "intervale/trec/relevance_judgments.h"
#include "intervale/trec/runs.h"

/*
 * The documents that some of several runs return, topic by topic, with their
 * rank in each run and what is known of their relevance.
 */

typedef struct iv_pooled_options {
    size_t depth;       /* of each run to look at; 0: all */
    int32_t level;      /* the lowest relevant grade; 0: 1, IV_ZERO: 0 */
    bool judged_topics; /* only topics that the judgments have */
} iv_pooled_options;

typedef struct iv_pooled_topic {
    iv_arena memory;
    iv_str id;
    size_t documents, outside; /* outside: judged relevant, and none of the runs returns it */
    iv_str *docno;             /* documents by their best rank in any run, then by name */
    uint32_t *rank;            /* runs x documents; see iv_pooled_ranks() */
    signed char *judged;       /* 1 relevant, 0 not, -1 not judged */
} iv_pooled_topic;

/* Runs go by their place in the array given, topics are in byte order of their ids, which are
 * borrowed.  Immutable: any number of threads may read it. */
typedef struct iv_pooled {
    size_t runs, topics, capacity;
    iv_pooled_topic *topic;
    /* What was left out or is missing, over all topics. */
    size_t not_shared; /* topics that only some of the runs have */
    size_t not_judged; /* topics of all runs left out for want of judgments */
    iv_str not_shared_first, not_judged_first; /* one of them each */
    size_t documents, judged, relevant, outside;
    const iv_run *const *run; /* these three while it is made */
    const iv_judgments *judgments;
    iv_pooled_options options;
} iv_pooled;

/*
 * Pools the topics that all of `count` >= 1 runs have.  judgments may be NULL:
 * nothing is judged.  Runs and judgments must outlive *out; options may be NULL.
 * IV_ENODATA when
 * no topic is left, IV_EARG for judgments that are a sample (prels,
 * stratified): their unjudged documents are not open, they were not drawn.
 */
IV_MUST_CHECK int iv_pooled_new(iv_pooled **out, const iv_run *const *runs,
                                       size_t count, const iv_judgments *judgments,
                                       const iv_pooled_options *options,
                                       const iv_work *work, iv_err *err);
void iv_pooled_free(iv_pooled *p);

/* The rank of each document in a run, from 1; 0: not returned.  Borrowed. */
const uint32_t *iv_pooled_ranks(const iv_pooled *p, size_t topic, size_t run);

#endif
