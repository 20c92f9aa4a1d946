/* SPDX-License-Identifier: Apache-2.0 */
/* How complete was the search, and how sure are we? */
#ifndef INTERVALE_ANSWER_RECALL_QUESTION_H
#define INTERVALE_ANSWER_RECALL_QUESTION_H

#include "intervale/estimate/review.h"

IV_BEGIN_C

/*
 * What was judged is one of: two segments; the unretrieved segment alone, which tells of
 * elusion; strata, in a file or in memory; a
 * ranking and a sample, in files or in memory.  All else may be left at 0.
 */
typedef struct iv_recall_question {
    iv_integers retrieved, unretrieved; /* N, n, r of each segment */
    const char *strata, *runs;          /* as iv_strata_load() takes them */
    const iv_strata_table *table;       /* instead of strata */
    const char *run, *sample;           /* paths */
    const iv_run *ranking;              /* instead of run; run is then its name */
    const iv_judgments *judged;         /* instead of sample, in the same way */
    const char *collection;             /* documents in it; "run": those ranked */
    iv_integers at;                     /* these six: see iv_review_sample */
    int64_t drawn_at, level;
    iv_unsampled unsampled;
    iv_unjudged unjudged;
    iv_judgments_format judgments_format;
    iv_recall_method method;
    double confidence;
    bool one_sided;
    bool guaranteed;                    /* the method exact: held whatever the truth */
    iv_reals prior;                     /* a, b; none: 1/2 each */
    double target;                      /* asks for P(recall >= target), or with exact
                                           whether it is held */
    double max_elusion;                 /* of the unretrieved alone: is elusion below this? */
    double beta;                        /* asks for F-beta too */
    int64_t draws;                      /* of Monte Carlo beside it */
    bool density;                       /* asks for a sketch of the posterior */
} iv_recall_question;

/*
 * The answer: tables recall, chart (of several rows), measures, yield, data, draws,
 * density, curves; of the unretrieved alone: elusion and missed, by the exact method.  Errors as those of estimate/review.h.
 */
IV_API IV_MUST_CHECK int iv_answer_recall(iv_result *out, const iv_recall_question *q,
                                          const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_ANSWER_RECALL_QUESTION_H */
