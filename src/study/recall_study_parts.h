/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the answer to study recall share. */
#ifndef IV_STUDY_RECALL_PARTS_H
#define IV_STUDY_RECALL_PARTS_H

#include "base/parallel.h"
#include "study/recall_study.h"

typedef struct iv_recall_row {
    char scenario[48];
    iv_recall_method method;
    iv_recall_coverage x;
} iv_recall_row;

typedef struct iv_recall_studied {
    iv_result *out;
    iv_study_recall_question q; /* without defaults left */
    const iv_work *work;
    iv_recall_row *rows;
    size_t count, room;
} iv_recall_studied;

/* Rows of the table coverage: by method. */
IV_MUST_CHECK int iv_recall_tell(iv_recall_studied *s, const char *scenario,
                                 const iv_recall_coverage *by_method, iv_err *err);

/* Adds the table. */
void iv_recall_add_coverage(const iv_recall_studied *s);

/* Rankings and complete labels instead of scenarios: adds tables coverage and topics. */
IV_MUST_CHECK int iv_recall_review_study(iv_recall_studied *s, iv_err *err);

#endif /* IV_STUDY_RECALL_PARTS_H */
