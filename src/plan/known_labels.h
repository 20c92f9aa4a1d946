/* SPDX-License-Identifier: Apache-2.0 */
/* Rectified labels of samples of topics whose relevant documents are known. */
#ifndef IV_PLAN_KNOWN_LABELS_H
#define IV_PLAN_KNOWN_LABELS_H

#include "estimate/rectified.h"
#include "plan/known_sample.h"

/* Samples of as many topics as the frame has, and memory for them; one a thread.  A topic's
 * place may be taken by any topic. */
typedef struct iv_known_labels {
    const iv_known_frame *frame;
    iv_rectified labels;     /* of the places; a document's judgment is its bucket */
    size_t *which;           /* the topic in each place */
    const double **traits;
    int32_t **grade;         /* below 0: not in the sample */
    double *all_traits;      /* of all topics, one after the other */
    size_t *first;           /* where a topic's begin */
    double *change;          /* room for the change of a value with each label */
    iv_known_sample sample;
} iv_known_labels;

/* False when memory is out. */
bool iv_known_labels_take(iv_known_labels *l, iv_arena *own, const iv_known_frame *f);

/* Puts a sample of a topic into a place. */
void iv_known_labels_draw(iv_known_labels *l, size_t place, size_t topic, const iv_scheme *scheme,
                          iv_stream *stream);

/* Labels of all places, once each has its sample. */
IV_MUST_CHECK int iv_known_labels_make(iv_known_labels *l, iv_err *err);

#endif /* IV_PLAN_KNOWN_LABELS_H */
