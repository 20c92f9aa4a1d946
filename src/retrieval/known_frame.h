/* SPDX-License-Identifier: Apache-2.0 */
/* Frames whose relevant documents are known, and where runs rank them. */
#ifndef IV_RETRIEVAL_KNOWN_FRAME_H
#define IV_RETRIEVAL_KNOWN_FRAME_H

#include "base/memory.h"
#include "intervale/sampling.h"

/* The ranked documents that have labels, or are in a frame, best first. */
typedef struct iv_label_ranking {
    uint32_t *document;
    double *rank; /* from 1 */
    size_t count;
    uint32_t *relevant; /* of a known frame: places in the two arrays above */
    size_t relevant_count;
} iv_label_ranking;

/*
 * Frames whose relevant documents are known, all of them or a sample, and
 * where runs rank them: what plans and studies of sampling start from.
 */

typedef struct iv_known_topic {
    iv_arena memory;  /* of the arrays here, and of the topic's rankings */
    iv_str id;
    const iv_frame_document *documents;
    size_t count;
    bool *relevant;   /* known to be */
    double *weight;   /* 1/pi of a judged document; 0: not judged */
    uint32_t *known;  /* the relevant ones, in the order of the frame */
    size_t known_count;
    double total;     /* relevant documents in all, estimated from them */
    size_t outside;   /* relevant documents that are not in the frame */
} iv_known_topic;

typedef struct iv_known_frame {
    iv_known_topic *topics;
    size_t topic_count;
    size_t without;   /* topics of the frame without a relevant document */
    size_t unjudged;  /* topics of the frame without judgments */
    size_t inside, outside; /* relevant documents of judged topics: in the frame, not */
    size_t runs;
    iv_label_ranking *rankings; /* rankings[run * topic_count + topic] */
    const iv_run *const *ranked; /* while it is built ... */
    bool relevant_only;          /* ... with these documents alone */
} iv_known_frame;

/*
 * Topics of the frame with a relevant document (grade at least 1), or all that have
 * judgments (without_too).  Rankings of the runs to their full depth; with
 * `relevant_only` they hold relevant documents and no others.  The frame must outlive *out.
 */
int iv_known_frame_new(iv_known_frame **out, const iv_frame *frame,
                       const iv_sampling *judged, const iv_run *const *runs, size_t count,
                       bool without_too, bool relevant_only, const iv_work *work, iv_err *err);
void iv_known_frame_free(iv_known_frame *f);

static inline const iv_label_ranking *iv_known_ranking(const iv_known_frame *f, size_t run,
                                                       size_t topic)
{
    return &f->rankings[run * f->topic_count + topic];
}

/* Average precision if what is known were all, at weights 1. */
double iv_known_ap(const iv_known_topic *t, const iv_label_ranking *r);

#endif
