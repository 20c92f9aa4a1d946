/* SPDX-License-Identifier: Apache-2.0 */
/* The votes that prefer reads, and what is fitted to them. */
#ifndef IV_SCORES_VOTING_H
#define IV_SCORES_VOTING_H

#include "base/ids.h"
#include "base/memory.h"
#include "intervale/scores.h"
#include "stat/preference.h"
#include "trec/csv.h"

typedef struct iv_voting {
    const iv_prefer_question *q;
    const char *path;
    iv_str asked[5]; /* columns of the roles a, b, winner, item, judge */
    iv_str covariates[IV_PREFERENCE_COVARIATES];
    size_t covariate_count;
    iv_arena *own;
    iv_ids systems, items, judges;
    iv_vote *votes;
    double *x;       /* [vote * covariate_count + k] */
    size_t count, capacity, x_room, skipped, others;
    bool has_item, has_judge;
    uint32_t human;  /* number of the judge that is people; IV_NO_ID: none */
    double scale[IV_PREFERENCE_COVARIATES]; /* what x was divided by */
    iv_preferences fit;
    iv_preferences *plain, *people; /* without covariates or of judges alone; of people; NULL */
    iv_corrected_votes corrected;
} iv_voting;

/* Reads the file or table of the question. */
IV_MUST_CHECK int iv_voting_read(iv_voting *v, iv_result *out, const iv_work *work, iv_err *err);

/* Table judges: each one's votes, circular triads, and agreement with people or with others. */
IV_MUST_CHECK int iv_voting_judges(iv_result *out, iv_voting *v, double confidence, iv_err *err);

#endif
