/* SPDX-License-Identifier: Apache-2.0 */
/* Inside a sampling: what the comment lines say, and what becomes of it. */
#ifndef IV_DESIGN_SAMPLING_INSIDE_H
#define IV_DESIGN_SAMPLING_INSIDE_H

#include "base/ids.h"
#include "design/sample_scheme.h"
#include "intervale/design/sampling.h"

/* A comment line that lists documents. */
typedef enum iv_listed_kind {
    IV_LISTED_FIXED,
    IV_LISTED_BUCKET,
    IV_LISTED_STRATUM,
    IV_LISTED_REST,
    IV_LISTED_RANKS
} iv_listed_kind;

typedef struct iv_sample_comment {
    iv_listed_kind kind;
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
    size_t *draws;         /* of each topic of the judgments */
    uint64_t *topic_line;  /* where that stands; 0: nowhere */
    size_t missing_topics;
} iv_sample_comments;

/* Reads the comment lines; found stays false if they hold no design. */
int iv_listing_read(iv_sample_comments *out, const iv_judgments *j, const char *name, iv_err *err);
void iv_listing_free(iv_sample_comments *l);

/* The next word of a list; false at its end. */
bool iv_next_word(iv_str *word, iv_str *list);

/* Documents without a judgment line, each with its bucket. */
typedef struct iv_sampling_list {
    iv_ids ids;
    uint32_t *bucket;
    size_t capacity;
} iv_sampling_list;

typedef struct iv_sampling_part {
    size_t first;     /* place in the arrays */
    iv_scheme *scheme;
    iv_sampling_list rest;   /* documents of the frame that are not in the sample */
    iv_sampling_list absent; /* in the sample, without a line: not relevant */
    iv_framed_document *frame; /* what could be drawn; NULL: not known */
    size_t frame_count, frame_capacity;
    iv_ids framed;             /* their docnos, in that order */
    size_t drawn;
    bool certain, frame_known;
} iv_sampling_part;

struct iv_sampling {
    const iv_judgments *judgments;
    const char *name;
    iv_unjudged unjudged;
    iv_sampling_source source;
    iv_sampling_part *topics;
    double *pi;
    int32_t *grade;
    uint32_t *bucket;
    iv_sampling_notes noted;
};

/* Puts a document into the frame of a topic; false when memory is out. */
bool iv_sampling_framed(iv_sampling_part *p, iv_str docno, const iv_framed_document *d);

/* Fills a topic from the lines of the design that are about it. */
int iv_sampling_written(iv_sampling *s, size_t topic, const iv_sample_comments *listing,
                        const iv_sample_comment *lines, size_t count, iv_err *err);

#endif /* IV_DESIGN_SAMPLING_INSIDE_H */
