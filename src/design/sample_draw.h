/* SPDX-License-Identifier: Apache-2.0 */
/* What a sample keeps of each topic. */
#ifndef IV_DESIGN_SAMPLE_DRAW_H
#define IV_DESIGN_SAMPLE_DRAW_H

#include "intervale/design/sample.h"

typedef struct iv_drawn_topic {
    iv_str id;
    iv_sample_document *all; /* fixed and drawn, then the rest of the frame */
    size_t fixed, drawn, judged, count, rest_count;
    iv_frame_document *open; /* may be drawn, in the order of their buckets */
    size_t open_count;
    size_t pool;             /* documents of the pool that sets the budget */
    size_t asked;
    iv_scheme *scheme;
} iv_drawn_topic;

struct iv_sample {
    iv_design design;
    iv_drawn_topic *topics;
    size_t topic_count, foreign;
};

/* The name of a topic's random stream. */
uint64_t iv_topic_key(iv_str id);

enum { IV_STRATA_MAX = 64 };

/* Orders t->open by stratum and makes the scheme; empty strata are left out. */
int iv_stratify(iv_drawn_topic *t, const iv_sample_options *o, iv_err *err);

#endif /* IV_DESIGN_SAMPLE_DRAW_H */
