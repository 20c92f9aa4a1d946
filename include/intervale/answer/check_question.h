/* SPDX-License-Identifier: Apache-2.0 */
/* What files are, and what is wrong with them. */
#ifndef INTERVALE_ANSWER_CHECK_QUESTION_H
#define INTERVALE_ANSWER_CHECK_QUESTION_H

#include "intervale/trec.h"

IV_BEGIN_C

typedef struct iv_check_question {
    iv_texts files;
    iv_judgments_format format; /* to take the files for */
    int64_t most; /* problems to list of each file; 0: 100; IV_ZERO: all */
} iv_check_question;

/*
 * Fills the sentence, the tables `files`, `details` and `problems`, and notes on topics
 * that runs and judgments share.  IV_EPARSE when a file has an error, IV_EIO when one
 * cannot be read: err is about the first, and the result is about all that could be read.
 */
IV_API IV_MUST_CHECK int iv_answer_check(iv_result *out, const iv_check_question *question,
                                         const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_ANSWER_CHECK_QUESTION_H */
