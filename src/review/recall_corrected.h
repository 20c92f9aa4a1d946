/* SPDX-License-Identifier: Apache-2.0 */
/* Recall corrected for assessor error, from documents that were judged twice. */
#ifndef IV_REVIEW_RECALL_CORRECTED_H
#define IV_REVIEW_RECALL_CORRECTED_H

#include "base/memory.h"
#include "intervale/review.h"
#include "stat/recall/recall_rechecked.h"

/* NaN where no document that was rechecked is relevant. */
typedef struct iv_corrected {
    iv_interval recall, precision, elusion;
    double first[3];          /* the same if the first assessor were always right */
    double reached;           /* the posterior probability of the target; NaN: no target */
    iv_limits one_sided;      /* of recall, each by itself: these decide on a target */
} iv_corrected;

/* Posterior intervals or, `guaranteed`, exact limits combined by Bonferroni's inequality. */
typedef struct iv_correcting {
    double confidence, target; /* 0: none */
    bool one_sided, guaranteed;
    uint64_t seed;
} iv_correcting;

IV_MUST_CHECK int iv_recall_corrected(iv_corrected *out, iv_arena *a, const iv_rechecked *retrieved,
                                      const iv_rechecked *unretrieved, const iv_correcting *how,
                                      iv_err *err);

/* The answer to a question with rechecked counts. */
IV_MUST_CHECK int iv_recall_answer_rechecked(iv_result *out, const iv_recall_question *q,
                                             const iv_work *work, iv_err *err);

#endif
