/* SPDX-License-Identifier: Apache-2.0 */
/* What the answers of two classes and of more share. */
#ifndef IV_ANSWER_ROC_PARTS_H
#define IV_ANSWER_ROC_PARTS_H

#include "base/listing.h"
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

/* Items of two classes. */
typedef struct iv_roc_items {
    iv_scored_system *systems;
    size_t count, items, positives;
    bool *positive;
    iv_str ids;      /* a column that was taken for them, by what it holds */
    iv_str gold;     /* that of gold, of a table */
    iv_listing left; /* columns called as gold */
    iv_listing rest; /* columns beside those of the positive class */
} iv_roc_items;

enum { IV_ROC_MOST_SYSTEMS = 1000 };

/* Reads a column of scores for each of the systems; their names are those of the columns. */
IV_MUST_CHECK int iv_roc_scores(iv_scored_system *systems, const size_t *columns, size_t count,
                                const iv_csv *t, const char *path, iv_arena *memory, iv_err *err);

/* Start from {0}; t is NULL where the question has the items.  What it reads lives in memory, and names of
 * columns as long as the table. */
IV_MUST_CHECK int iv_roc_read(iv_roc_items *s, const iv_roc_question *q, const iv_csv *t,
                              const char *path, iv_arena *memory, iv_err *err);

/* What columns were taken for, where nobody said. */
void iv_roc_tell_columns(iv_result *out, iv_roc_items *s, const iv_roc_question *q,
                         const char *path);

/* The answer of a table whose gold labels are three classes or more. */
IV_MUST_CHECK int iv_roc_classes(iv_result *out, const iv_roc_question *q, const iv_csv *t,
                                 const char *path, const iv_work *work, iv_err *err);

#endif /* IV_ANSWER_ROC_PARTS_H */
