/* SPDX-License-Identifier: Apache-2.0 */
/* How many documents to judge for a recall interval, and which? */
#ifndef INTERVALE_ANSWER_PLAN_RECALL_QUESTION_H
#define INTERVALE_ANSWER_PLAN_RECALL_QUESTION_H

#include "intervale/plan/recall_size.h"

IV_BEGIN_C

/*
 * The first four must be given, precision unless retrieved_judged is.  Of recall and precision two
 * numbers are a range, of which the middle is tried as well; at most 7 of each.
 */
typedef struct iv_plan_recall_question {
    int64_t population, retrieved; /* documents */
    iv_reals recall, precision;    /* what they might be */
    iv_integers total;    /* documents to judge; none: 500, 1000, 2000 and 5000 */
    double width;         /* wanted, instead of totals */
    double lower;         /* a lower limit wanted, instead ... */
    double assurance;     /* ... with this probability; 0: on average */
    double target;        /* to be shown by a one-sided limit with the assurance, 0: 0.8 */
    bool guaranteed;      /* by guaranteed limits */
    iv_recall_method method;
    double confidence;
    bool one_sided;
    int64_t retrieved_judged; /* all retrieved are read and so many are relevant: only the others
                                 are to be judged, totals count these, and there is no precision
                                 to guess; 0: not so */
} iv_plan_recall_question;

/* The answer: tables plan, split, size.  Errors as those of plan/recall_size.h. */
IV_API IV_MUST_CHECK int iv_answer_plan_recall(iv_result *out, const iv_plan_recall_question *q,
                                               const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_ANSWER_PLAN_RECALL_QUESTION_H */
