/* SPDX-License-Identifier: Apache-2.0 */
/* A review while it is put together, and what is drawn of its findings. */
#ifndef IV_ESTIMATE_REVIEW_STATE_H
#define IV_ESTIMATE_REVIEW_STATE_H

#include "base/memory.h"
#include "intervale/estimate/review.h"

/* -------------------------------------------------------- review parts -- */

/* Inside a review, for the ways into one. */
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

/* -------------------------------------------------------- review drawn -- */

/* A posterior as something to look at: bins, and points of curves. */

/* free() both. */
typedef struct iv_review_densities {
    iv_review_bin *bins;
    iv_review_point *points; /* their name is left to the caller */
    size_t bin_count, point_count;
} iv_review_densities;

/* Recall, in steps that people like. */
IV_MUST_CHECK int iv_review_bins_of(iv_review_densities *out, iv_review_place of,
                                    const iv_recall_posterior *p, iv_err *err);

/* Recall, precision and F; with one-sided limits all above the lower one counts. */
IV_MUST_CHECK int iv_review_curves_of(iv_review_densities *out, const iv_recall_posterior *p,
                                      const iv_segments *s, const iv_recall_options *o,
                                      double beta, iv_err *err);

#endif /* IV_ESTIMATE_REVIEW_STATE_H */
