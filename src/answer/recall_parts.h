/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the answer to a question about recall. */
#ifndef IV_ANSWER_RECALL_PARTS_H
#define IV_ANSWER_RECALL_PARTS_H

#include "answer/answer_parts.h"
#include "intervale/answer/recall_question.h"
#include "intervale/trec.h"

/* That recall is at least the target: of one case. */
typedef struct iv_recall_claim {
    iv_verdict verdict;
    iv_recall_interval limits; /* each by itself */
    int64_t more;              /* documents that would decide it; -1: not known */
    bool unretrieved_only;     /* and whether all of them are */
    size_t grown;              /* samples that they are shared by */
} iv_recall_claim;

/* A review that is being judged: what holds however it is stopped. */
typedef struct iv_recall_watched {
    iv_strata *file;
    iv_review_log *log;        /* NULL: counts alone */
    bool anytime;              /* the rest is set */
    iv_recall_interval limits; /* each by itself */
    double e;                  /* log of the evidence against a recall below the target; NaN */
    double needed;             /* to show it */
    int64_t documents, blocks, pending;
} iv_recall_watched;

typedef struct iv_recall_told {
    const iv_recall_question *q;
    iv_recall_options how;
    iv_recall_method method; /* that answers, or IV_RECALL_ALL */
    double confidence;
    double least; /* coverage over truths, of one review; NaN: not known */
    const iv_review_case *cases;
    size_t case_count;
    bool ranked; /* topics and cut-offs mean something */
    const iv_review_findings *found;
    const iv_recall_claim *claims; /* of the cases; NULL: there is no target */
    const iv_recall_watched *watched; /* NULL: nobody asked what holds while one looks */
} iv_recall_told;

/* The answer in a sentence, and all that a reader must know. */
void iv_recall_words(iv_result *out, const iv_recall_told *t);

/* What becomes of the target: *out is the caller's, to be freed. */
IV_MUST_CHECK int iv_recall_claims(iv_recall_claim **out, const iv_recall_told *t, iv_err *err);

/* A row of the table recall: an interval, and what becomes of the target in its case. */
typedef struct iv_recall_line {
    iv_review_interval is;
    const char *verdict; /* NULL: no target, or another method decides */
    double limit;        /* that the verdict rests on, by itself; NaN: none does */
} iv_recall_line;

/* *out is the caller's, to be freed; a row an interval that was found. */
IV_MUST_CHECK int iv_recall_rows(iv_recall_line **out, const iv_recall_told *t, iv_err *err);

/* Tells the result, and says it in a sentence; nothing without a target. */
void iv_recall_say_verdict(iv_result *out, iv_wording *w, const iv_recall_told *t);

/*
 * Reads the log of a review, and its strata, into *w, which starts as {0} and is freed in any
 * case.
 */
IV_MUST_CHECK int iv_recall_read_log(iv_review **out, iv_recall_watched *w, iv_result *r,
                                     const iv_recall_question *q, const iv_work *work,
                                     iv_err *err);
void iv_recall_watched_free(iv_recall_watched *w);

/* Finds what holds at any time, if asked; its table and its notes. */
IV_MUST_CHECK int iv_recall_watch(iv_recall_watched *w, const iv_recall_told *t, iv_err *err);
void iv_recall_watched_table(iv_result *out, const iv_recall_told *t);
void iv_recall_say_watched(iv_wording *said, const iv_recall_told *t);

/* May a review end by the hypergeometric rule?  Table stop. */
IV_MUST_CHECK int iv_recall_stop_random(iv_result *out, const iv_recall_question *q,
                                        iv_err *err);

/* Answers where a ranked review may end: table stop. */
IV_MUST_CHECK int iv_recall_stop(iv_result *out, const iv_recall_question *q, const iv_run *run,
                                 const iv_judgments *known, iv_err *err);

/* The error of a one-sided limit at the look that was asked for; 0: none was. */
IV_MUST_CHECK int iv_recall_look(double *error, iv_result *out, const iv_recall_question *q,
                                 iv_err *err);

/* Of the unretrieved segment alone. */
IV_MUST_CHECK int iv_answer_elusion(iv_result *out, const iv_recall_question *q, iv_err *err);

/* The charts, once the tables are there. */
void iv_recall_charts(iv_result *out, const iv_recall_told *t);

/* Of an answer that names how many more documents it takes. */
void iv_tell_second_look(iv_result *out, bool middling);

#endif /* IV_ANSWER_RECALL_PARTS_H */
