/* SPDX-License-Identifier: Apache-2.0 */
/* What the answers of two classes and of more share. */
#ifndef IV_ANSWER_ROC_PARTS_H
#define IV_ANSWER_ROC_PARTS_H

#include "base/memory.h"
#include "intervale/answer/scored_question.h"
#include "intervale/trec.h"

typedef struct iv_roc_measure {
    const char *system, *measure;
    iv_scored_value x;
} iv_roc_measure;

typedef struct iv_roc_pair {
    const char *a, *b;
    iv_auc_difference x;
} iv_roc_pair;

enum { IV_ROC_MOST_SYSTEMS = 1000 };

/* Reads a column of scores for each of the systems; their names are those of the columns. */
IV_MUST_CHECK int iv_roc_scores(iv_scored_system *systems, const size_t *columns, size_t count,
                                const iv_csv *t, const char *path, iv_arena *memory, iv_err *err);

/* The answer of a table whose gold labels are three classes or more. */
IV_MUST_CHECK int iv_roc_classes(iv_result *out, const iv_roc_question *q, const iv_csv *t,
                                 const char *path, const iv_work *work, iv_err *err);

#endif /* IV_ANSWER_ROC_PARTS_H */
