/* SPDX-License-Identifier: Apache-2.0 */
/*
 * files -- what is wrong with files; sorting them.
 */
#ifndef INTERVALE_FILES_H
#define INTERVALE_FILES_H

#include "intervale/result/result_tables.h"
#include "intervale/trec/relevance_judgments.h"
#include "intervale/trec/sorted_lines.h"

IV_BEGIN_C

typedef struct iv_check_question {
    iv_texts files;
    iv_judgments_format format; /* to read the files in */
    int64_t most; /* problems to list of each file; 0: 100; IV_ZERO: all */
} iv_check_question;

/*
 * Fills the sentence, the tables `files`, `details` and `problems`, and notes on topics
 * that runs and judgments have in common.  IV_EPARSE if a file has an error, IV_EIO if one
 * cannot be read: err is about the first; the result has all files that could be read.
 */
IV_API IV_MUST_CHECK int iv_answer_check(iv_result *out, const iv_check_question *question,
                                         const iv_work *work, iv_err *err);

/* Sorts the lines of files, also larger than memory, by topic. */

typedef struct iv_sort_question {
    const char *file;   /* "-": standard input */
    const char *sorted; /* a file to write, completely or not at all ... */
    FILE *lines;        /* ... or where to write the lines */
    iv_sorting how;
} iv_sort_question;

/* Sorts, and says how many lines and topics there were.  Fails as
 * iv_sort_lines(), and with IV_EARG unless exactly one place for the lines is given. */
IV_API IV_MUST_CHECK int iv_answer_sort(iv_result *out, const iv_sort_question *q,
                                        const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_FILES_H */
