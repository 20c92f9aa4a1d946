/* SPDX-License-Identifier: Apache-2.0 */
/* Which measures there are, and what each one is. */
#ifndef INTERVALE_ANSWER_MEASURES_QUESTION_H
#define INTERVALE_ANSWER_MEASURES_QUESTION_H

#include "intervale/measure.h"

IV_BEGIN_C

typedef struct iv_measures_question {
    iv_texts names; /* with or without parameters, or of sets; none: all there are */
    FILE *prose;    /* explanations of names go there, and no table is made; NULL: none */
} iv_measures_question;

/* Fills the table `measures`.  IV_EARG for an unknown name. */
IV_API IV_MUST_CHECK int iv_answer_measures(iv_result *out, const iv_measures_question *question,
                                            const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_ANSWER_MEASURES_QUESTION_H */
