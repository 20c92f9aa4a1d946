/* SPDX-License-Identifier: Apache-2.0 */
/* prf -- how sure is a precision, recall or F, and which system is better? */
#ifndef INTERVALE_ANSWER_PRF_QUESTION_H
#define INTERVALE_ANSWER_PRF_QUESTION_H

#include "intervale/estimate/prf_evaluation.h"

IV_BEGIN_C

/* {0} but for the input is what the tool does without options. */
typedef struct iv_prf_question {
    iv_prf_input from;
    iv_prf_options how;
    iv_texts targets; /* "f1=0.8": the claim that it is at least that, one-sided at the confidence;
                         the result has a verdict then */
    /* The claim that no system is worse than the baseline (NULL: the first) by more than the margin
     * (IV_ZERO: 0) in how.metrics' first (none: F1, of classes macro F1), on the same items. */
    bool not_worse;
    const char *baseline;
    double margin;
    /* The column of a machine's labels: gold is then empty where nobody looked, and of
     * prevalence, precision, recall and F1 of each system people alone, with the machine, and the
     * machine alone are reported (estimate/checked.h).  NULL: none. */
    const char *machine;
    const char *probability; /* the column of probabilities to be looked at; NULL: pi */
} iv_prf_question;

/*
 * Fills a new result with the sentence, tables, notes and charts of the question.
 * Labels of two systems are compared on the same items unasked.  Tables: comparison, best, paired
 * (of a comparison), metrics, classes and confusion (of categories, or from labels), curves.  Fails
 * as iv_prf_evaluate().
 */
IV_API IV_MUST_CHECK int iv_answer_prf(iv_result *out, const iv_prf_question *question,
                                       const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_ANSWER_PRF_QUESTION_H */
