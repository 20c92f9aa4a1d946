/* SPDX-License-Identifier: Apache-2.0 */
/* eval, compare and sample with automatic labels beside human ones. */
#ifndef IV_ANSWER_TWO_PHASE_ANSWER_H
#define IV_ANSWER_TWO_PHASE_ANSWER_H

#include "intervale/answer.h"

IV_MUST_CHECK int iv_eval_two_phase(iv_result *out, const iv_eval_question *q,
                                    const iv_work *work, iv_err *err);
IV_MUST_CHECK int iv_compare_two_phase(iv_result *out, const iv_compare_question *q,
                                       const iv_work *work, iv_err *err);

/* sample of documents that have automatic labels. */
IV_MUST_CHECK int iv_sample_labels(iv_result *out, const iv_sample_question *q, const iv_work *work,
                                   iv_err *err);

#endif /* IV_ANSWER_TWO_PHASE_ANSWER_H */
