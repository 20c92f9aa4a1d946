/* SPDX-License-Identifier: Apache-2.0 */
/* Judgments as a sample: which documents, with which probabilities. */
#ifndef IV_SAMPLING_SAMPLED_JUDGMENTS_H
#define IV_SAMPLING_SAMPLED_JUDGMENTS_H

#include "base/ids.h"
#include "base/memory.h"
#include "intervale/sampling.h"
#include "intervale/trec/topic_join.h"

typedef enum iv_sampling_source {
    IV_SAMPLING_NONE,     /* qrels: nothing was sampled */
    IV_SAMPLING_WRITTEN,  /* the file's comment lines have the design */
    IV_SAMPLING_STRATA,   /* stratified judgments */
    IV_SAMPLING_INCLUSION /* probabilities only */
} iv_sampling_source;

/* A document that could be drawn. */
typedef struct iv_framed_document {
    uint32_t bucket;
    int32_t grade; /* below 0: it is not in the sample */
} iv_framed_document;

/* Documents by their names: iv_ids_find() has their places. */
typedef struct iv_sampling_list {
    iv_ids ids;
    iv_framed_document *at;
    size_t capacity;
} iv_sampling_list;

/* One topic, its arrays in the order of its judgments in the file. */
typedef struct iv_sampling_topic {
    const iv_judgment *judgments;
    double *pi;       /* 0: not in the sample */
    int32_t *grade;   /* of those in the sample, at least 0 */
    uint32_t *bucket; /* or IV_FIXED */
    size_t count;
    iv_scheme *scheme; /* never NULL */
    size_t drawn;     /* documents in the sample with pi < 1 */
    bool certain;     /* none: everything was judged for certain */
    bool frame_known; /* documents of the frame outside the sample are listed in rest */
    iv_sampling_list rest;   /* of the frame, not in the sample (not drawn, or dropped), without a
                                line: their buckets */
    iv_sampling_list absent; /* in the sample, without a line: not relevant; as these */
    iv_sampling_list frame;  /* what could be drawn; empty: not known */
    size_t *moved;    /* of each bucket: documents of it that are certain for another reason and
                         have IV_FIXED; NULL: none */
} iv_sampling_topic;

/* What a reader must know of the whole. */
typedef struct iv_sampling_notes {
    size_t unjudged;       /* documents of the sample without a grade */
    size_t added;          /* judgments with probability 1 of documents that were not drawn */
    size_t certain;        /* and of documents that were */
    size_t chosen;         /* judgments chosen in the light of others: no part of the sample */
    size_t missing_topics; /* topics of the design without any judgment */
    size_t empty_strata;   /* strata without a judged document, left out */
    size_t depth;          /* ranks of each run that entered the frame; 0: not known */
    char design[32];       /* its name, if the file says it */
} iv_sampling_notes;

/*
 * Looks at judgments, which must outlive *out; name stands in messages.
 * IV_EPARSE, with the line, for a document of the sample without a grade
 * (unless `unjudged` says what to do), a probability that is neither the design's nor 1,
 * a document with a probability below 1 that the design did not draw, comment
 * lines that contradict each other.
 */
IV_MUST_CHECK int iv_sampling_new(iv_sampling **out, const iv_judgments *j,
                                         const char *name, iv_unjudged unjudged,
                                         iv_err *err);
void iv_sampling_free(iv_sampling *s);

/* The bucket of a document that is listed in rest; IV_FIXED: it is not. */
uint32_t iv_sampling_rest(const iv_sampling_topic *t, iv_str docno);

/* Is the document in the sample, or could it have been drawn? */
bool iv_sampling_covers(const iv_sampling_topic *t, const iv_hit *hit);

struct iv_sampling {
    iv_arena memory, lists;
    const iv_judgments *judgments;
    const char *name;
    iv_unjudged unjudged;
    iv_sampling_source source;
    iv_sampling_topic *topics; /* of the judgments */
    iv_sampling_notes noted;
};

/* A topic of the judgments, by its index there; its arrays are borrowed. */
static inline iv_sampling_topic iv_sampling_topic_at(const iv_sampling *s, size_t topic)
{
    return s->topics[topic];
}

#endif
