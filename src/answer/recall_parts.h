/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the answer to a question about recall. */
#ifndef IV_ANSWER_RECALL_PARTS_H
#define IV_ANSWER_RECALL_PARTS_H

#include "intervale/answer/recall_question.h"

typedef struct iv_recall_told {
    const iv_recall_question *q;
    iv_recall_method method; /* that answers, or IV_RECALL_ALL */
    double confidence;
    double least; /* coverage over truths, of one review; NaN: not known */
    const iv_review_case *cases;
    size_t case_count;
    bool ranked; /* topics and cut-offs mean something */
    const iv_review_findings *found;
} iv_recall_told;

/* The answer in a sentence, and all that a reader must know. */
void iv_recall_words(iv_result *out, const iv_recall_told *t);

/* The charts, once the tables are there. */
void iv_recall_charts(iv_result *out, const iv_recall_told *t);

#endif /* IV_ANSWER_RECALL_PARTS_H */
