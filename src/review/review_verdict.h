/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict of a review on its target, by the rule that the review was planned with. */
#ifndef IV_REVIEW_REVIEW_VERDICT_H
#define IV_REVIEW_REVIEW_VERDICT_H

#include "intervale/result/decisions.h"

struct iv_wording;

enum { IV_REVIEW_VERDICT_SIZE = 400 };

typedef struct iv_review_verdict {
    iv_verdict verdict;       /* IV_VERDICT_NONE: there is none */
    char rule[24];            /* "plan:3", "anytime", "qbcb" */
    double target, confidence;
    double lower, upper;      /* one-sided limits by the rule: 0 and 1 where there is none yet */
    int64_t judged, relevant; /* documents of the table */
    int64_t undecided;        /* judged documents whose grade may still change */
    double order;             /* the p-value of random order within strata, which the limits of
                                 "plan:" and "anytime" assume; 1: no matter */
} iv_review_verdict;

/* The verdict from the limits; open while documents are not decided, or where they were not judged
 * in random order. */
void iv_review_verdict_decide(iv_review_verdict *v);

/* As a claim, to be added to a result. */
iv_claim iv_review_verdict_claim(const iv_review_verdict *v);

/* "Yes, certified: recall is at least 75 % (95 % confidence, ...)." */
void iv_review_verdict_say(struct iv_wording *w, const iv_review_verdict *v);

/* As a text in a table of strata, and back; false: it is none. */
void iv_review_verdict_write(char out[IV_REVIEW_VERDICT_SIZE], const iv_review_verdict *v);
bool iv_review_verdict_read(iv_review_verdict *out, iv_str text);

#endif
