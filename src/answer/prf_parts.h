/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of an answer about precision, recall and F. */
#ifndef IV_ANSWER_PRF_PARTS_H
#define IV_ANSWER_PRF_PARTS_H

#include "intervale/answer.h"

/* The tables in the order in which they are shown, and charts, which open on the metric that the
 * sentence is about. */
IV_MUST_CHECK int iv_prf_tables(iv_result *out, const iv_prf_evaluation *e, const char *headline,
                                const iv_prf_options *how, iv_err *err);

/* The answer of a list that a machine labelled and people sampled. */
IV_MUST_CHECK int iv_prf_checked(iv_result *out, const iv_prf_question *q, const iv_work *work,
                                 iv_err *err);

#endif /* IV_ANSWER_PRF_PARTS_H */
