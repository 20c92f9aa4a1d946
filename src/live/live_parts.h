/* SPDX-License-Identifier: Apache-2.0 */
/* From what is judged to numbers. */
#ifndef IV_LIVE_LIVE_PARTS_H
#define IV_LIVE_LIVE_PARTS_H

#include "stat/sequential/sequential_parts.h"
#include "live/live.h"
#include "store/combined.h"

#define IV_LIVE_CONFIDENCE 0.95

/* A review's strata with the first `items` of its order judged. */
typedef struct iv_live_review {
    const iv_store_stratum *strata;
    size_t count;
    iv_stratum *cells;      /* retrieved ones first */
    const size_t *place;    /* of each stratum in cells */
    iv_segments segments;
} iv_live_review;

IV_MUST_CHECK int iv_live_review_read(iv_live_review *out, iv_arena *a, iv_store *s, iv_err *err);

/* Counts the first `items` of c. */
void iv_live_review_count(iv_live_review *r, const iv_combined *c, size_t items, int32_t level);

/* Recall, from what was counted; NaN where nothing can be told. */
IV_MUST_CHECK int iv_live_recall(iv_live_value *out, const iv_live_review *r, iv_err *err);

/* now, guaranteed and plan of a review. */
IV_MUST_CHECK int iv_live_of_review(iv_live *out, iv_arena *a, iv_store *s, const iv_combined *c,
                                    iv_err *err);

/* The relevant documents that a sample stands for, as eval finds them in the export. */
IV_MUST_CHECK int iv_live_of_sample(iv_live_value *out, size_t *prefix, iv_store *s,
                                    const char *combine, const iv_work *work, iv_err *err);

#endif /* IV_LIVE_LIVE_PARTS_H */
