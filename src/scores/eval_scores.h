/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of eval where scores are given. */
#ifndef IV_SCORES_EVAL_SCORES_H
#define IV_SCORES_EVAL_SCORES_H

#include "intervale/retrieval.h"

/* The answer where scores are given. */
IV_MUST_CHECK int iv_eval_scores(iv_result *out, const iv_eval_question *q, const iv_work *work,
                                 iv_err *err);

#endif
