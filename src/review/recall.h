/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the answer to a question about recall. */
#ifndef IV_REVIEW_RECALL_H
#define IV_REVIEW_RECALL_H

#include <math.h>

#include "intervale/result/decisions.h"
#include "result/message.h"
#include "review/review_cases.h"
#include "review/review_log.h"
#include "review/review_verdict.h"

/* The claim that recall is at least the target, for one case. */
typedef struct iv_recall_claim {
    iv_verdict verdict;
    iv_claim claim;
    iv_limits limits; /* one-sided, each by itself */
    iv_verdict guaranteed;     /* the verdict of the method exact; IV_VERDICT_NONE: not computed */
    double guaranteed_lower;   /* its one-sided lower limit */
    int64_t more;              /* documents that would decide it; -1: unknown */
    bool unretrieved_only;     /* and whether all of them are unretrieved */
} iv_recall_claim;

typedef struct iv_recall_state {
    const iv_recall_question *q;
    iv_recall_options how;
    iv_recall_method method; /* as asked for; IV_RECALL_AUTO: the default */
    double confidence;
    const iv_review_case *cases;
    size_t case_count;
    bool ranked; /* cases have topics and cut-offs */
    const iv_review_findings *found;
    const iv_recall_claim *claims; /* of the cases; NULL: no target */
    /* Of a review that is being judged: its log (NULL: counts alone), and what is valid at any
     * time, if that is asked. */
    iv_review_log *log;
    iv_limits limits; /* one-sided, each by itself */
    double e;         /* log e-value against a recall below the target; NaN */
    double needed;    /* to reject it */
    int64_t documents, blocks, pending;
    iv_review_verdict session; /* of the judging session that the strata are exported from */
} iv_recall_state;

/* Fills t->session from a table that has a verdict, unless t->q asks another question.  IV_EPARSE
 * when the table was changed since it was exported. */
IV_MUST_CHECK int iv_review_verdict_of_table(iv_recall_state *t, const iv_strata_table *table,
                                             iv_err *err);

/* The rows of all notes, and one of them with texts for {s} and {t}. */
extern const iv_message iv_recall_messages[];
void iv_recall_say(iv_result *out, const char *id, size_t count, const char *s, const char *t);

/* Notes that the unretrieved sample has few relevant documents, of one case or of how many; missed:
 * the answer is that recall is too low. */
void iv_recall_note_few(iv_result *out, const iv_review_case *cases, size_t count, bool missed);

/* Names the bounds of planned interim analyses. */
void iv_looks_method(iv_result *out, iv_look_shape shape);

/* The answer, its notes and its method. */
void iv_recall_words(iv_result *out, const iv_recall_state *t);

/* What becomes of the target: t->claims. */
IV_MUST_CHECK int iv_recall_claims(iv_recall_state *t, iv_result *out, iv_err *err);

/* "yes", "probably yes", "no", "probably no" or "inconclusive"; the first and the third only of
 * a guaranteed method. */
const char *iv_recall_verdict_word(iv_verdict verdict, bool guaranteed);
bool iv_recall_is_guaranteed(const iv_recall_state *t);

/* Does the interval speak for its case?  Of all methods the default one does. */
bool iv_recall_speaks(const iv_recall_state *t, const iv_review_quantity *x);
iv_verdict iv_recall_verdict(iv_limits x, double target);

/* A claim on recall, or another measure, by one-sided limits. */
iv_claim iv_recall_claim_of(const char *measure, double estimate, iv_limits x, double target,
                            double confidence);

/* Reads strata, or takes the segments for them, and the log of the review, if there is one. */
IV_MUST_CHECK int iv_recall_read_strata(iv_review **out, iv_recall_state *t, iv_result *r,
                                        const iv_work *work, iv_err *err);

/* Computes the limits at any time, if asked; and their table. */
IV_MUST_CHECK int iv_recall_watch(iv_recall_state *t, iv_err *err);
void iv_recall_anytime_table(iv_result *out, const iv_recall_state *t);

/* Rules that say when a review may stop: table stop.  The hypergeometric rule; control
 * documents by counts; control documents in a ranking. */
IV_MUST_CHECK int iv_recall_stop_random(iv_result *out, const iv_recall_question *q,
                                        iv_err *err);
IV_MUST_CHECK int iv_recall_stop_control(iv_result *out, const iv_recall_question *q,
                                         iv_err *err);
IV_MUST_CHECK int iv_recall_stop(iv_result *out, const iv_recall_question *q, const iv_run *run,
                                 const iv_judgments *known, const iv_judgments *found,
                                 iv_err *err);

/* The error of a one-sided limit at this interim analysis; 0: there are none. */
IV_MUST_CHECK int iv_recall_look(double *error, iv_result *out, const iv_recall_question *q,
                                 iv_err *err);

/* Elusion, from the unretrieved segment alone: N, n, r. */
typedef struct iv_elusion_question {
    iv_integers unretrieved;
    double max_elusion; /* is it below this?  0: not asked */
    double confidence;  /* 0: 0.95, as below */
} iv_elusion_question;

IV_MUST_CHECK int iv_answer_elusion(iv_result *out, const iv_elusion_question *q, iv_err *err);

/* Intervals of one proportion, r of n. */
typedef struct iv_proportion_question {
    iv_integers counts;
    double confidence;
    bool one_sided;
} iv_proportion_question;

IV_MUST_CHECK int iv_answer_proportion(iv_result *out, const iv_proportion_question *q,
                                       iv_err *err);

#endif
