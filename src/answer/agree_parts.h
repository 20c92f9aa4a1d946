/* SPDX-License-Identifier: Apache-2.0 */
/* What agree answers: about rankings, and about judges beside a reference. */
#ifndef IV_ANSWER_AGREE_PARTS_H
#define IV_ANSWER_AGREE_PARTS_H

#include "base/memory.h"
#include "intervale/answer.h"

/* How rankings and verdicts change, in numbers. */
typedef struct iv_verdicts {
    iv_orders orders;
    size_t systems, pairs, flips, lost, fresh;
} iv_verdicts;

/* Reads and compares two sets of scores, and reports nothing but what is excluded. */

/* The answers about rankings, judges, and several assessors. */
IV_MUST_CHECK int iv_agree_assessors(iv_result *out, const iv_agree_question *q,
                                     const iv_work *work, iv_err *err);

#endif /* IV_ANSWER_AGREE_PARTS_H */
