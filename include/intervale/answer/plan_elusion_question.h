/* SPDX-License-Identifier: Apache-2.0 */
/* How many of the documents left behind must be judged to show that few are relevant? */
#ifndef INTERVALE_ANSWER_PLAN_ELUSION_QUESTION_H
#define INTERVALE_ANSWER_PLAN_ELUSION_QUESTION_H

#include "intervale/base.h"

IV_BEGIN_C

/* The first two must be given. */
typedef struct iv_plan_elusion_question {
    int64_t population;  /* documents not retrieved */
    double below;        /* elusion to be shown not to be reached */
    iv_integers accept;  /* relevant documents that may be found; none: 0, 1, 2, 3, 5, 10 */
    double elusion;      /* what it may really be, for P(acceptance); 0: a quarter of below */
    double assurance;    /* P(acceptance) wanted then; 0: .9 */
    double confidence;
} iv_plan_elusion_question;

/* The answer: tables plan and curve.  Errors as those of iv_elusion_size(). */
IV_API IV_MUST_CHECK int iv_answer_plan_elusion(iv_result *out,
                                                const iv_plan_elusion_question *q,
                                                const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_ANSWER_PLAN_ELUSION_QUESTION_H */
