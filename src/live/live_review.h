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

/*
 * Recall corrected for errors of assessors.  Of the documents that were chosen at random to be
 * judged by two, the label of who was first is compared with the decided one, which counts as
 * right: equal labels, or that of the adjudicator.
 */
typedef struct iv_live_error {
    size_t twice;               /* documents that are compared */
    size_t called, wrong_called; /* labels that said relevant, and those that were wrong */
    size_t other, wrong_other;  /* labels that said not relevant, likewise */
    bool has;                   /* the two that follow are known */
    iv_corrected now, guaranteed;
    char why[200];              /* or why not */
} iv_live_error;

IV_MUST_CHECK int iv_live_correct(iv_live_error *out, iv_arena *a, iv_store *s, const iv_live *l,
                                  const iv_combined *c, const iv_store_first *firsts,
                                  const iv_work *work, iv_err *err);

#endif
