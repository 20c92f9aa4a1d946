/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live -- from a judging session to numbers: what is known now, what is guaranteed however
 * one stops, what the plan says, and how far assessors agree.
 *
 * All of it is computed from the judged prefix of the random order, which is a probability
 * sample whatever was put off behind it.  A call takes from under a millisecond (recall) to
 * some (a sample of many topics and runs): for a worker thread.
 */
#ifndef IV_LIVE_LIVE_H
#define IV_LIVE_LIVE_H

#include "intervale/result/result_tables.h"
#include "review/review_verdict.h"
#include "store/session.h"
#include "store/session_export.h"

enum { IV_CURVE = 50, IV_LIVE_LOOKS = 100 }; /* interim analyses, at most */

/* One number with its interval; NaN where there is none. */
typedef struct iv_live_value {
    char of[96];    /* "recall", "relevant documents in 2 topics, estimated" */
    double value, lower, upper;
    double rule_lower;   /* the one-sided limit of the stopping rule; NaN: none yet */
    size_t ruled;        /* documents that it is from */
    size_t documents; /* judged, that it is from */
} iv_live_value;

/* A control sample: its documents in the session, those of them that are not judged; relevant ones,
 * those above the first document that is not judged, and how many of these the rule needs. */
typedef struct iv_live_control {
    size_t items, open, relevant, met, needed; /* needed 0: there are too few */
    size_t cannot; /* documents that nobody could judge: the rule needs as many as if they were
                      relevant and not found */
} iv_live_control;

typedef struct iv_live {
    int64_t seq;               /* of the log, when it was computed */
    size_t items, judged, relevant;
    size_t open;               /* judgments that are to come */
    size_t control;            /* relevant control documents that are not among the items */
    iv_live_control qbcb;      /* the control sample of that rule */
    size_t streak;             /* of a queue: documents that are not relevant, since the last
                                  relevant one */
    size_t curve[IV_CURVE + 1]; /* of a queue: relevant ones found after k / IV_CURVE of prefix */
    size_t prefix;             /* items of the judged prefix, which the numbers are of */
    double confidence;         /* .95 */
    double target;             /* 0: none */
    /* now: for a sample of this size; never to stop by. */
    iv_live_value now;         /* review: recall; sample and queue: relevant documents */
    /* guaranteed: holds however one stops. */
    bool has_guaranteed;
    size_t whole;              /* documents of blocks that are whole, which these are of */
    double guaranteed;         /* recall is at least this, with the confidence one-sided */
    double guaranteed_upper;   /* recall is at most this, likewise */
    double evidence;           /* e-value against "recall is below the target"; NaN: no target */
    double evidence_needed;    /* 1 / (1 - confidence) */
    /* plan */
    size_t look, looks;        /* the look that comes next, from 1, of how many; 0: no plan */
    size_t look_at;            /* judged documents at it; it is taken when prefix is there */
    size_t judged_at_last;     /* documents judged at the look that decides, else at the last one;
                                  0: none */
    double look_lower;         /* the limit of that look; NaN: none yet */
    double look_error[IV_LIVE_LOOKS];  /* of the limit of each look, from the first */
    double look_limit[IV_LIVE_LOOKS];  /* NaN: it is to come, or has none */
    size_t conflicts, one_of_two; /* judged documents that are not decided: grades differ and the
                                     owner has not adjudicated; a second assessor is to judge */
    size_t ruled;              /* documents that the stopping rule uses */
    size_t undecided;          /* of the documents that the stopping rule uses */
    /* advice */
    bool invalid;              /* the labels contradict what the rule assumes of the order */
    bool may_stop;             /* by the rule the session was made with */
    char verdict[600];         /* on the target, the sentence that recall gives; "" if none */
    iv_review_verdict review;  /* on the target; IV_VERDICT_NONE: none */
    double lower, upper;       /* the one-sided limits that decide; NaN: none yet */
    char advice[800];          /* the verdict and what to do, in plain words; "" if none */
    double minutes_left;       /* of active time, for all that is open; NaN: not known */
} iv_live;

/* The numbers as they stand. */
IV_MUST_CHECK int iv_live_of(iv_live *out, iv_store *s, const iv_work *work, iv_err *err);

/* Two assessors who judged the same items. */
typedef struct iv_live_pair {
    const char *a, *b;
    size_t items;               /* that both graded */
    double agreement, agreement_lower, agreement_upper;
    double kappa, kappa_lower, kappa_upper; /* linear weights with more than two grades */
    bool few;                   /* too few for the interval to hold */
} iv_live_pair;

typedef struct iv_live_agreement {
    const iv_live_pair *pairs;  /* of the arena */
    size_t pair_count;
    size_t items;               /* graded by two or more */
    double prevalence;          /* share of their grades that are relevant */
    const iv_live_value *under; /* the answer under each assessor alone and the majority */
    size_t under_count;
} iv_live_agreement;

IV_MUST_CHECK int iv_live_agree(iv_live_agreement *out, iv_arena *a, iv_store *s,
                                const iv_work *work, iv_err *err);

/* iv_store_export(), with the verdict of a review in its table of strata. */
IV_MUST_CHECK int iv_live_export(iv_exported *done, FILE *out, iv_store *s,
                                 const iv_export_options *o, const iv_work *work, iv_err *err);

/* All of it as a result, for every --format: tables numbers, topics, assessors and, where two have
 * judged the same, agreement and under. */
IV_MUST_CHECK int iv_live_status(iv_result *out, iv_store *s, const iv_work *work, iv_err *err);

/* The session as a report to hand over: also decision, interim, frame, errors, labels, session,
 * inputs and guidelines.  IV_EPARSE: the session is damaged. */
IV_MUST_CHECK int iv_live_report(iv_result *out, iv_store *s, const iv_work *work, iv_err *err);

#endif /* IV_LIVE_LIVE_H */
