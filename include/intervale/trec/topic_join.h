/* SPDX-License-Identifier: Apache-2.0 */
/* A topic of a run with its judgments. */
#ifndef INTERVALE_TREC_TOPIC_JOIN_H
#define INTERVALE_TREC_TOPIC_JOIN_H

#include "intervale/trec/relevance_judgments.h"

IV_BEGIN_C

/* A retrieved document; its rank is its index in the array, from 0. */
typedef struct iv_hit {
    iv_str docno;
    double score;
    const iv_judgment *judgment; /* NULL: not in the judgments */
} iv_hit;

/* One topic of a run with its judgments; borrowed from the workspace. */
typedef struct iv_joined {
    iv_str topic;
    const iv_hit *hits;
    size_t hit_count;
    const iv_judgment *judged; /* all judgments of the topic, retrieved or not */
    size_t judged_count;
    size_t float_ties; /* adjacent scores that are equal as float but not as double */
} iv_joined;

/* Scores rounded to float as in trec_eval 9, or as in the file; see iv_precision_of(). */
typedef enum iv_precision { IV_SCORES_FLOAT, IV_SCORES_DOUBLE } iv_precision;

/* Workspace of joins; one for each thread. */
typedef struct iv_join iv_join;

/* Free *out with iv_join_free(). */
IV_API IV_MUST_CHECK int iv_join_new(iv_join **out, iv_err *err);
IV_API void iv_join_free(iv_join *w);

/*
 * Joins a topic of a run with a topic of judgments (IV_NONE: none), in time linear in the
 * number of retrieved documents.  *out is valid until the workspace is used again.
 */
IV_API IV_MUST_CHECK int iv_join_topic(iv_joined *out, iv_join *w,
                                       const iv_run *run, size_t run_topic,
                                       const iv_judgments *j, size_t judged_topic,
                                       iv_precision precision, iv_err *err);

IV_END_C

#endif
