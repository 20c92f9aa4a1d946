/* SPDX-License-Identifier: Apache-2.0 */
/* Lines by topic, larger than memory. */
#ifndef INTERVALE_ANSWER_SORT_QUESTION_H
#define INTERVALE_ANSWER_SORT_QUESTION_H

#include <stdio.h>

#include "intervale/trec/sorting.h"

IV_BEGIN_C

typedef struct iv_sort_question {
    const char *file;   /* "-": standard input */
    const char *sorted; /* a file to write, which appears whole or not at all ... */
    FILE *lines;        /* ... or where lines go */
    iv_sorting how;
} iv_sort_question;

/* Sorts, and says how many lines of how many topics there were.  Fails as
 * iv_sort_lines(), and with IV_EARG unless there is one place for the lines. */
IV_API IV_MUST_CHECK int iv_answer_sort(iv_result *out, const iv_sort_question *q,
                                        const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_ANSWER_SORT_QUESTION_H */
