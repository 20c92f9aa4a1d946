/* SPDX-License-Identifier: Apache-2.0 */
/* A posterior as something to look at: bins, and points of curves. */
#ifndef IV_ESTIMATE_REVIEW_DRAWN_H
#define IV_ESTIMATE_REVIEW_DRAWN_H

#include "estimate/review_parts.h"

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

#endif /* IV_ESTIMATE_REVIEW_DRAWN_H */
