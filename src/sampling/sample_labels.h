/* SPDX-License-Identifier: Apache-2.0 */
/* sample of documents that have automatic labels. */
#ifndef IV_SAMPLING_SAMPLE_LABELS_H
#define IV_SAMPLING_SAMPLE_LABELS_H

#include "intervale/sampling.h"

/* Grades of documents that a sample chooses (q->labels), or NULL. */
typedef struct iv_sample_grades {
    const iv_judgments *known;
    size_t chosen, filled; /* documents asked for, and those with a grade */
} iv_sample_grades;

/* The grade of a chosen document, which is counted, or -1. */
int32_t iv_sample_grade(iv_sample_grades *g, iv_str topic, iv_str docno);

/* Writes a chosen document as a line of qrels, with that grade; f NULL: only counts it. */
IV_MUST_CHECK int iv_sample_put(FILE *f, iv_sample_grades *g, iv_str topic, iv_str docno,
                                iv_err *err);

/* " Labels fill in 700 of them; 360 are left to judge.", or "" without labels.  Returns out. */
enum { IV_SAMPLE_FILLED_SIZE = 128 };
const char *iv_sample_filled(char out[IV_SAMPLE_FILLED_SIZE], const iv_sample_grades *g);

/* sample of documents that have automatic labels. */
IV_MUST_CHECK int iv_sample_labels(iv_result *out, const iv_sample_question *q,
                                   iv_sample_grades *grades, const iv_work *work, iv_err *err);

/* From a list of documents (q->ids): whole families at random, of each segment as many documents,
 * as qrels with grade -1. */
IV_MUST_CHECK int iv_sample_ids(iv_result *out, const iv_sample_question *q,
                                iv_sample_grades *grades, const iv_work *work, iv_err *err);

#endif
