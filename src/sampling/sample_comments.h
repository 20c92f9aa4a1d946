/* SPDX-License-Identifier: Apache-2.0 */
/* The comment lines of a file of sampled judgments: the design of the sample. */
#ifndef IV_SAMPLING_SAMPLE_COMMENTS_H
#define IV_SAMPLING_SAMPLE_COMMENTS_H

#include "base/memory.h"
#include "sampling/sampled_judgments.h"

/* A comment line that lists documents. */
typedef enum iv_comment_kind {
    IV_COMMENT_FIXED,
    IV_COMMENT_BUCKET,
    IV_COMMENT_STRATUM,
    IV_COMMENT_REST,
    IV_COMMENT_RANKS,
    IV_COMMENT_OPEN, /* not judged yet, which is chance: the others stand for them */
    IV_COMMENT_ORDER, /* in which to judge */
    IV_COMMENT_CHOSEN, /* with regard to what was judged, not drawn: no part of the sample */
    IV_COMMENT_KINDS
} iv_comment_kind;

typedef struct iv_sample_comment {
    iv_comment_kind kind;
    size_t topic;    /* of the judgments */
    size_t number;   /* of the bucket, from 1 */
    size_t size, drawn;
    double share;
    iv_str documents; /* the rest of the line */
    uint64_t line;
} iv_sample_comment;

/* All of them, by topic, kind and number. */
typedef struct iv_sample_comments {
    bool found;
    char design[32];
    iv_sample_comment *lines;
    size_t count, capacity;
    bool has[IV_COMMENT_KINDS]; /* some topic of the judgments has such a line */
    size_t *frame, *draws;     /* of each topic of the judgments */
    uint64_t *topic_line;      /* where that stands; 0: nowhere */
    size_t missing_topics;
    bool wrapped;   /* version 2: lists go on in further lines */
    size_t depth;   /* of the frame; 0: not told */
    iv_arena joined; /* lists of several lines, and the arrays above */
    const iv_judgments *judgments; /* these four while lines are read */
    const char *name;
    uint64_t line;
    iv_err *err;
} iv_sample_comments;

/* Reads the comment lines; found stays false if they hold no design.  IV_EPARSE where a line of
 * one stands and none says which design it is. */
int iv_sample_comments_read(iv_sample_comments *out, const iv_judgments *j, const char *name,
                            iv_err *err);
void iv_sample_comments_free(iv_sample_comments *l);

/* Adds a document to a list, or changes it; false when memory is out. */
bool iv_sampling_put(iv_sampling_list *list, iv_str docno, uint32_t bucket, int32_t grade);

/* Fills a topic from the lines of the design that are about it. */
int iv_sampling_written(iv_sampling *s, size_t topic, const iv_sample_comments *listing,
                        const iv_sample_comment *lines, size_t count, iv_err *err);

#endif
