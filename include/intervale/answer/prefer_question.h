/* SPDX-License-Identifier: Apache-2.0 */
/* prefer -- which system do people, or a judge, prefer? */
#ifndef INTERVALE_ANSWER_PREFER_QUESTION_H
#define INTERVALE_ANSWER_PREFER_QUESTION_H

#include "intervale/trec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* {0} but for a file is what the tool does without options. */
typedef struct iv_prefer_question {
    const char *file;    /* votes: a table with a header, or JSON lines */
    const iv_csv *table; /* instead of the file */
    iv_texts columns;    /* ROLE=NAME with a role of a, b, winner, item, judge */
    iv_texts judges;     /* only votes of these; none: all */
    const char *human;   /* the judge that others are compared with; NULL: human */
    bool position;       /* strengths with an effect of the position */
    double confidence;   /* 0: 0.95 */
} iv_prefer_question;

/*
 * Tables: systems (strength, interval, ranks, wins), position, judges.  Where there is no estimate
 * the answer says why, and strengths are missing.  IV_EPARSE for a bad file, IV_ENODATA for one
 * without votes, IV_EARG for more than 2,000 systems.
 */
IV_API IV_MUST_CHECK int iv_answer_prefer(iv_result *out, const iv_prefer_question *question,
                                          const iv_work *work, iv_err *err);

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_ANSWER_PREFER_QUESTION_H */
