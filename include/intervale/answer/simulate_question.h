/* SPDX-License-Identifier: Apache-2.0 */
/* A made-up test collection, written to files.  Experimental, as simulate.h. */
#ifndef INTERVALE_ANSWER_SIMULATE_QUESTION_H
#define INTERVALE_ANSWER_SIMULATE_QUESTION_H

#include "intervale/simulate.h"

IV_BEGIN_C

typedef struct iv_simulate_question {
    const char *directory; /* that appears when it is complete */
    iv_simulation_options collection;
    iv_simulation_files files;
} iv_simulate_question;

/* Writes the directory; fills the sentence, the table `runs` and a chart of it. */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_answer_simulate(
    iv_result *out, const iv_simulate_question *question, const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_ANSWER_SIMULATE_QUESTION_H */
