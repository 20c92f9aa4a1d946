/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of topics whose relevant documents are known: what a budget would give. */
#ifndef IV_RETRIEVAL_KNOWN_SAMPLE_H
#define IV_RETRIEVAL_KNOWN_SAMPLE_H

#include "base/memory.h"
#include "intervale/num.h"
#include "retrieval/known_frame.h"
#include "retrieval/sampled_topic.h"

/* A topic's sample, and memory for it; one a thread. */
typedef struct iv_known_sample {
    uint32_t *place; /* of a document of the frame in the sample, or IV_NO_PLACE */
    double *pi;
    int32_t *grade;
    uint32_t *bucket;
    size_t count;
    uint32_t *found; /* of the view */
    double *rank, *u, *sums;
    size_t *taken;
} iv_known_sample;

#define IV_NO_PLACE UINT32_MAX

iv_known_sample iv_known_sample_take(iv_arena *own, const iv_known_frame *f);

/* Draws a topic's sample by its scheme, and keeps all of it or the relevant documents,
 * which alone matter for AP. */
void iv_known_sample_draw(iv_known_sample *s, const iv_known_topic *t, const iv_scheme *scheme,
                          bool relevant_only, iv_stream *stream);

/* The sample beside a ranking, relevant documents only. */
iv_sampled_view iv_known_sample_view(const iv_known_sample *s, const iv_label_ranking *r);

/* Stevens' scheme on a topic, at most as many draws as documents; the arena's. */
IV_MUST_CHECK int iv_known_scheme(iv_scheme **out, iv_arena *own, const iv_known_topic *t,
                                  size_t draws, iv_err *err);

/* Makes a scheme the arena's. */
iv_scheme *iv_own_scheme(iv_arena *own, iv_scheme *scheme);

#endif
