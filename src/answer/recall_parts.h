/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the answer to a question about recall. */
#ifndef IV_ANSWER_RECALL_PARTS_H
#define IV_ANSWER_RECALL_PARTS_H

#include "answer/answer_parts.h"
#include "intervale/answer/recall_question.h"

/* That recall is at least the target: of one case. */
typedef struct iv_recall_claim {
    iv_verdict verdict;
    iv_recall_interval limits; /* each by itself */
    int64_t more;              /* documents that would decide it; -1: not known */
    bool unretrieved_only;     /* and whether all of them are */
} iv_recall_claim;

typedef struct iv_recall_told {
    const iv_recall_question *q;
    iv_recall_options how;
    iv_recall_method method; /* that answers, or IV_RECALL_ALL */
    double confidence;
    double least; /* coverage over truths, of one review; NaN: not known */
    const iv_review_case *cases;
    size_t case_count;
    bool ranked; /* topics and cut-offs mean something */
    const iv_review_findings *found;
    const iv_recall_claim *claims; /* of the cases; NULL: there is no target */
} iv_recall_told;

/* The answer in a sentence, and all that a reader must know. */
void iv_recall_words(iv_result *out, const iv_recall_told *t);

/* What becomes of the target: *out is the caller's, to be freed. */
IV_MUST_CHECK int iv_recall_claims(iv_recall_claim **out, const iv_recall_told *t, iv_err *err);

/* Tells the result, and says it in a sentence; nothing without a target. */
void iv_recall_say_verdict(iv_result *out, iv_wording *w, const iv_recall_told *t);

/* The charts, once the tables are there. */
void iv_recall_charts(iv_result *out, const iv_recall_told *t);

#endif /* IV_ANSWER_RECALL_PARTS_H */
