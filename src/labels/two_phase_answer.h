/* SPDX-License-Identifier: Apache-2.0 */
/* eval and compare with automatic labels beside human ones. */
#ifndef IV_LABELS_TWO_PHASE_ANSWER_H
#define IV_LABELS_TWO_PHASE_ANSWER_H

#include "intervale/scores.h"

IV_MUST_CHECK int iv_eval_two_phase(iv_result *out, const iv_eval_question *q,
                                    const iv_work *work, iv_err *err);
IV_MUST_CHECK int iv_compare_two_phase(iv_result *out, const iv_compare_question *q,
                                       const iv_work *work, iv_err *err);

#endif
