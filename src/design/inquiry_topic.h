/* SPDX-License-Identifier: Apache-2.0 */
/* One topic of an inquiry: the documents of its runs, and what is believed. */
#ifndef IV_DESIGN_INQUIRY_TOPIC_H
#define IV_DESIGN_INQUIRY_TOPIC_H

#include "base/memory.h"
#include "intervale/design/inquiry.h"

typedef struct iv_inquiry_topic {
    iv_arena memory;
    size_t documents; /* that the runs return */
    size_t all;       /* and documents known to be relevant elsewhere */
    uint32_t *pooled; /* the number of each in the pool */
    uint32_t *rank;   /* runs x all */
    bool *allowed;    /* may be chosen */
    iv_ap_belief *belief;
} iv_inquiry_topic;

/* Fills *out, which starts as {0}; freed by iv_inquiry_topic_clear() also then
 * when this fails. */
IV_MUST_CHECK int iv_inquiry_topic_fill(iv_inquiry_topic *out, const iv_pooled *p, size_t t,
                                        const size_t *runs, size_t count,
                                        const iv_inquiry_options *options, iv_err *err);
void iv_inquiry_topic_clear(iv_inquiry_topic *x);

/* The best rank of a document in any of `count` runs. */
uint32_t iv_inquiry_topic_best(const iv_inquiry_topic *x, size_t count, size_t document);

#endif /* IV_DESIGN_INQUIRY_TOPIC_H */
