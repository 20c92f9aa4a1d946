/* SPDX-License-Identifier: Apache-2.0 */
/* Samples: how they are drawn, divided, written and read again. */
#ifndef IV_DESIGN_SAMPLING_STATE_H
#define IV_DESIGN_SAMPLING_STATE_H

#include "base/ids.h"
#include "base/memory.h"
#include "design/samples.h"

/* ------------------------------------------------------- sample scheme -- */

/* What a scheme keeps. */
typedef enum iv_scheme_kind {
    IV_SCHEME_INDEPENDENT,
    IV_SCHEME_STEVENS,
    IV_SCHEME_STRATA
} iv_scheme_kind;

struct iv_scheme {
    iv_scheme_kind kind;
    size_t buckets;    /* or strata; of independent draws none */
    size_t draws;      /* of Stevens' scheme; documents drawn in all otherwise */
    iv_bucket *bucket;
    bool short_last;   /* the last bucket has fewer documents than draws */
    double last_ratio; /* joint probability of a document of the short bucket
                          and one of a full bucket, over both probabilities */
};

/*
 * Of the `of` documents drawn from a bucket only `kept` are used, any of them
 * equally likely: its probabilities shrink.
 */
void iv_scheme_thin(iv_scheme *s, size_t bucket, size_t kept, size_t of);

/* --------------------------------------------------------- sample draw -- */

/* What a sample keeps of each topic. */
typedef struct iv_drawn_topic {
    iv_str id;
    iv_judgment *all; /* fixed and drawn, then the rest of the frame */
    size_t fixed, drawn, judged, count, rest_count;
    iv_frame_document *open; /* may be drawn, in the order of their buckets */
    size_t open_count;
    size_t pool;             /* documents of the pool that sets the budget */
    size_t asked;
    iv_scheme *scheme;
    size_t *order;           /* in which to judge: places in all */
    size_t order_count;
} iv_drawn_topic;

struct iv_sample {
    iv_design design;
    size_t depth; /* of the frame */
    iv_drawn_topic *topics;
    size_t topic_count, foreign; /* foreign: of options->judged, that no run has */
    const iv_frame *frame;       /* these three while it is drawn */
    const iv_sample_options *o;
    uint64_t seed;
};

typedef struct iv_topic_frame {
    iv_str id;
    iv_frame_document *documents; /* highest weight first */
    size_t count;
} iv_topic_frame;

struct iv_frame {
    size_t depth; /* ranks of each run that enter */
    iv_topic_frame *topics; /* in byte order */
    size_t topic_count;
    const iv_run *const *runs; /* while it is gathered */
    size_t run_count;
};

/* The name of a topic's random stream. */
uint64_t iv_topic_key(iv_str id);

/* ------------------------------------------------------ sampling parts -- */

/* Is the document in the sample, or could it have been drawn? */
bool iv_sampling_covers(const iv_sampling *s, size_t topic, const iv_hit *hit);

/* Inside a sampling: what the comment lines say, and what becomes of it. */

/* A comment line that lists documents. */
typedef enum iv_listed_kind {
    IV_LISTED_FIXED,
    IV_LISTED_BUCKET,
    IV_LISTED_STRATUM,
    IV_LISTED_REST,
    IV_LISTED_RANKS,
    IV_LISTED_OPEN, /* not judged yet, which is chance: the others stand for them */
    IV_LISTED_ORDER, /* in which to judge */
    IV_LISTED_CHOSEN, /* with regard to what was judged, not drawn: no part of the sample */
    IV_LISTED_KINDS
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
    bool has[IV_LISTED_KINDS]; /* some topic of the judgments has such a line */
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
int iv_listing_read(iv_sample_comments *out, const iv_judgments *j, const char *name, iv_err *err);
void iv_listing_free(iv_sample_comments *l);

/* The next word of a list; false at its end. */
bool iv_next_word(iv_str *word, iv_str *list);

/* Documents by their names. */
typedef struct iv_sampling_list {
    iv_ids ids;
    iv_framed_document *at;
    size_t capacity;
} iv_sampling_list;

typedef struct iv_sampling_part {
    size_t first;     /* place in the arrays */
    iv_scheme *scheme;
    iv_sampling_list rest;   /* of the frame, not in the sample, without a line: their buckets */
    iv_sampling_list absent; /* in the sample, without a line: not relevant; as these */
    iv_sampling_list frame;  /* what could be drawn; empty: not known */
    size_t *moved;           /* of each bucket: documents that are certain for another reason */
    size_t drawn;
    bool certain, frame_known;
} iv_sampling_part;

struct iv_sampling {
    iv_arena memory, lists;
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

/* Adds a document to a list, or changes it; false when memory is out. */
bool iv_sampling_put(iv_sampling_list *list, iv_str docno, const iv_framed_document *d);

/* Fills a topic from the lines of the design that are about it. */
int iv_sampling_written(iv_sampling *s, size_t topic, const iv_sample_comments *listing,
                        const iv_sample_comment *lines, size_t count, iv_err *err);

#endif /* IV_DESIGN_SAMPLING_STATE_H */
