/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of an answer about precision, recall and F. */
#ifndef IV_ANSWER_PRF_PARTS_H
#define IV_ANSWER_PRF_PARTS_H

#include "intervale/answer/prf_question.h"

/* The tables, in the order in which they are shown. */
IV_MUST_CHECK int iv_prf_tables(iv_result *out, const iv_prf_evaluation *e, iv_err *err);

/* What the reader must know. */
void iv_prf_notes(iv_result *out, const iv_prf_evaluation *e, const iv_prf_options *how);

/* What a page draws, and the table of curves. */
IV_MUST_CHECK int iv_prf_charts(iv_result *out, const iv_prf_evaluation *e, iv_err *err);

#endif /* IV_ANSWER_PRF_PARTS_H */
