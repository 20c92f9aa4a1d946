/* SPDX-License-Identifier: Apache-2.0 */
/* What frames and samples keep. */
#ifndef IV_SAMPLING_SAMPLE_STATE_H
#define IV_SAMPLING_SAMPLE_STATE_H

#include "intervale/sampling.h"

/* The place of a topic, or IV_NONE. */
size_t iv_frame_find_topic(const iv_frame *f, iv_str id);

struct iv_sample {
    iv_design design;
    size_t depth; /* of the frame */
    iv_sample_topic *topics;
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

/*
 * Gives the documents other weights: scores of a run, one above 0 for each document of the frame.
 * IV_ENODATA where one is missing; name stands in the message.
 */
IV_MUST_CHECK int iv_frame_weigh(iv_frame *f, const iv_run *weights, const char *name,
                                 iv_err *err);

/* The name of a topic's random stream. */
uint64_t iv_topic_key(iv_str id);

#endif
