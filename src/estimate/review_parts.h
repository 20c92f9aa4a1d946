/* SPDX-License-Identifier: Apache-2.0 */
/* Inside a review, for the ways into one. */
#ifndef IV_ESTIMATE_REVIEW_PARTS_H
#define IV_ESTIMATE_REVIEW_PARTS_H

#include "base/memory.h"
#include "intervale/estimate/review.h"

struct iv_review {
    iv_arena arena; /* of all that the cases point to, and of the notes */
    iv_review_case *cases;
    size_t count, capacity;
    const char **notes;
    size_t note_count, note_capacity;
    bool out_of_memory; /* told at the end */
};

/* An empty one, or NULL with err filled. */
iv_review *iv_review_new(iv_err *err);

/*
 * Hands over r, or frees it when rc or its memory failed.  Returns the code of
 * the whole.
 */
IV_MUST_CHECK int iv_review_done(iv_review **out, iv_review *r, int rc, iv_err *err);

/* Adds a case; texts and strata, retrieved ones first, are copied. */
void iv_review_add(iv_review *r, iv_str run, iv_str topic, int64_t cutoff,
                   const iv_stratum *strata, size_t retrieved, size_t unretrieved);

void iv_review_note(iv_review *r, const char *fmt, ...) IV_PRINTF(2, 3);

#endif /* IV_ESTIMATE_REVIEW_PARTS_H */
