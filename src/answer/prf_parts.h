/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of an answer about precision, recall and F. */
#ifndef IV_ANSWER_PRF_PARTS_H
#define IV_ANSWER_PRF_PARTS_H

#include "intervale/answer/prf_question.h"

/* The tables, in the order in which they are shown; only of some metrics, if any are named. */
IV_MUST_CHECK int iv_prf_tables(iv_result *out, const iv_prf_evaluation *e,
                                const iv_texts *metrics, iv_err *err);

/* Is the metric among those that are named, if any are?  f1 names f1[...] too. */
bool iv_prf_named(const iv_texts *metrics, const char *metric);

/* Of categories and classes: a line each with its averages, and the confusion matrix. */
IV_MUST_CHECK int iv_prf_class_tables(iv_result *out, const iv_prf_evaluation *e, iv_err *err);

/* The name of a column of a class or system, with a '_' where one of the two columns before them has
 * that name. */
const char *iv_prf_column(iv_result *out, const iv_field *fields, const char *name);

/* What the reader must know of the metrics that are named, or all. */
void iv_prf_notes(iv_result *out, const iv_prf_evaluation *e, const iv_prf_question *q);

/* What a page draws, and the table of curves; pages open on the metric that the sentence is about. */
IV_MUST_CHECK int iv_prf_charts(iv_result *out, const iv_prf_evaluation *e, const char *headline,
                                iv_err *err);

/* The answer of a list that a machine labelled and people sampled. */
IV_MUST_CHECK int iv_prf_checked(iv_result *out, const iv_prf_question *q, const iv_work *work,
                                 iv_err *err);

#endif /* IV_ANSWER_PRF_PARTS_H */
