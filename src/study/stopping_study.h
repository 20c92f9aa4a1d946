/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often is a review that stops when its answer pleases wrong, and what does it cost?
 *
 * Reviews whose truth is known are judged in random order, and each rule stops where it says
 * that the target is reached.  With a truth just below the target every stop is an error; with
 * truths above it the share of stops is power.
 */
#ifndef INTERVALE_STUDY_STOPPING_H
#define INTERVALE_STUDY_STOPPING_H

#include "base/parallel.h"
#include "stat/sequential/sequential_parts.h"

typedef enum iv_stopping_rule {
    IV_STOP_WATCHED,        /* the posterior's one-sided limit, looked at 60 times */
    IV_STOP_POCOCK,         /* five planned looks at it */
    IV_STOP_OBRIEN_FLEMING,
    IV_STOP_POCOCK_EXACT,   /* five planned looks at the exact limit */
    IV_STOP_OBRIEN_EXACT,
    IV_STOP_EVIDENCE,       /* the e-value, after every block */
    IV_STOP_RATIO,          /* prior over posterior of the number left, after every block */
    IV_STOP_HYPERGEOMETRIC, /* the hypergeometric rule, after every block */
    IV_STOP_QBCB,
    IV_STOPPING_RULES
} iv_stopping_rule;

/* "watched", "pocock", ...; ends with NULL. */
const char *const *iv_stopping_rule_names(void);

/* Does it hold its level by proof? */
bool iv_stopping_rule_exact(iv_stopping_rule rule);

typedef struct iv_study_stopping_question {
    size_t reviews;    /* of each setting; 0: 1,000; of truths above the target 2,000 at most */
    double confidence; /* 0: .95 */
    const char *setting; /* one of them; NULL: all */
} iv_study_stopping_question;

typedef struct iv_stopping_cell {
    const char *setting;
    iv_stopping_rule rule;
    double target, truth; /* of recall */
    double stopped;       /* share of reviews that the rule ended: errors where truth < target */
    double se;
    double documents;     /* mean number judged */
} iv_stopping_cell;

/* Cells in the order of settings, truths and rules, in the arena. */
IV_MUST_CHECK int iv_stopping_study(iv_stopping_cell **out, size_t *count, iv_arena *own,
                                    const iv_study_stopping_question *q, const iv_work *work,
                                    iv_err *err);

/* The answer: tables errors and power. */
IV_MUST_CHECK int iv_study_answer_stopping(iv_result *out, const iv_study_stopping_question *q,
                                           const iv_work *work, iv_err *err);

#endif /* INTERVALE_STUDY_STOPPING_H */
