/* SPDX-License-Identifier: Apache-2.0 */
/* How many documents, or whole topics, should people label beside automatic labels? */
#ifndef INTERVALE_ANSWER_PLAN_MACHINE_QUESTION_H
#define INTERVALE_ANSWER_PLAN_MACHINE_QUESTION_H

#include "intervale/estimate.h"
#include "intervale/plan/machine_share.h"

IV_BEGIN_C

/* {0} but for the pilot, the machine, runs and the width. */
typedef struct iv_plan_machine_question {
    iv_source source;    /* a pilot's judgments, and runs */
    iv_machines machine; /* automatic labels, and how the pilot was chosen */
    iv_texts measures;   /* none: AP */
    int32_t level;       /* the lowest relevant grade; 0: 1, IV_ZERO: 0 */
    double width;        /* of the interval wanted, above 0 */
    double confidence;   /* 0: .95 */
} iv_plan_machine_question;

/* The answer: table plan, a row a measure.  Errors as iv_two_phase_new(). */
IV_API IV_MUST_CHECK int iv_answer_plan_machine(iv_result *out,
                                                const iv_plan_machine_question *question,
                                                const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_ANSWER_PLAN_MACHINE_QUESTION_H */
