/* SPDX-License-Identifier: Apache-2.0 */
/* A review while it is judged: counts of its strata, interim analyses, errors of assessors. */
#ifndef IV_LIVE_LIVE_REVIEW_H
#define IV_LIVE_LIVE_REVIEW_H

#include "live/live.h"
#include "review/recall_corrected.h"
#include "store/combined.h"
#include "store/record.h"

/* A review's strata with the first `items` of its order judged. */
typedef struct iv_live_review {
    const iv_strata_table *strata;
    size_t count;
    iv_stratum *cells;      /* retrieved ones first */
    const size_t *place;    /* of each stratum in cells */
    iv_segments segments;
} iv_live_review;

IV_MUST_CHECK int iv_live_read_review(iv_live_review *out, iv_arena *a, iv_store *s, iv_err *err);
void iv_live_count_review(iv_live_review *r, const iv_combined *c, size_t items, int32_t level);

/* Has every stratum a judged document? */
bool iv_live_all_seen(const iv_live_review *r);

/* Documents judged at look k of a plan, from 1. */
size_t iv_live_look_at(const iv_live *l, size_t k);

/* " by the first 500 documents (analysis 2 of 3), 72 % by all 750 (analysis 3 of 3)": what the
 * limit of a plan is from that was met before the last analysis, and the latest one; else "". */
void iv_live_say_early(struct iv_wording *w, const iv_live *l);

/* Recall, and the one-sided limits of the stopping rule, if all documents that are not decided went
 * against the review: relevant where they were not retrieved, and not relevant where they were; and
 * if all went for it.  Of a review. */
typedef struct iv_live_end {
    double recall, lower, upper;
} iv_live_end;
IV_MUST_CHECK int iv_live_ends(iv_live_end out[2], iv_arena *a, iv_store *s,
                               const iv_combined *c, iv_err *err);

/*
 * Recall corrected for errors of assessors.  Of the documents that were chosen at random to be
 * judged by two, the label of who was first is compared with the decided one, which counts as
 * right: equal labels, or that of the adjudicator.
 */
typedef struct iv_live_error {
    size_t twice;               /* documents that are compared */
    int64_t rechecked[2][4];    /* unretrieved and retrieved documents: k, c, m, d of
                                   iv_rechecked_of() */
    bool all;                   /* all of the estimate are, and decided: it needs no correction */
    bool has;                   /* the two that follow are known; all: the first label's alone */
    iv_corrected now, guaranteed;
    char why[200];              /* or why not */
} iv_live_error;

IV_MUST_CHECK int iv_live_correct(iv_live_error *out, iv_arena *a, iv_store *s, const iv_live *l,
                                  const iv_combined *c, const iv_store_first *firsts,
                                  const iv_work *work, iv_err *err);

#endif
