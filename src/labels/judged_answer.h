/* SPDX-License-Identifier: Apache-2.0 */
/* eval and compare of a judge's scores with human labels of some. */
#ifndef IV_LABELS_JUDGED_ANSWER_H
#define IV_LABELS_JUDGED_ANSWER_H

#include "intervale/scores.h"

/* Tables measures, or pairs; and the claims of --at-least, or of a gate. */
IV_MUST_CHECK int iv_eval_judged(iv_result *out, const iv_eval_question *q, const iv_work *work,
                                 iv_err *err);
/* Table measures: scores of 0 and 1, corrected by the judge's errors on other answers. */
IV_MUST_CHECK int iv_eval_calibrated(iv_result *out, const iv_eval_question *q,
                                     const iv_work *work, iv_err *err);
IV_MUST_CHECK int iv_compare_judged(iv_result *out, const iv_compare_question *q,
                                    const iv_work *work, iv_err *err);

#endif
