/* SPDX-License-Identifier: Apache-2.0 */
/* How complete was the search, and how sure are we? */
#ifndef INTERVALE_ANSWER_RECALL_QUESTION_H
#define INTERVALE_ANSWER_RECALL_QUESTION_H

#include "intervale/estimate/review.h"
#include "intervale/stat/sequential.h"

IV_BEGIN_C

/* Where may a ranked review end? */
typedef enum iv_review_stop {
    IV_REVIEW_STOP_NONE, /* not asked */
    IV_REVIEW_STOP_QBCB, /* when enough of the relevant ones known before are met */
    IV_REVIEW_STOP_HYPERGEOMETRIC /* when a random sample of what is left makes it unlikely
                            that the target is missed: two segments, the retrieved one read
                            whole.  Exact at one look, approximate when watched */
} iv_review_stop;

/* "none", "qbcb", "hypergeometric", NULL. */
IV_API const char *const *iv_review_stop_names(void);

/*
 * What was judged is one of: two segments; the unretrieved segment alone, which gives
 * elusion; strata, in a file or in memory; a
 * ranking and a sample, in files or in memory.  All else may be left at 0.
 */
typedef struct iv_recall_question {
    iv_integers retrieved, unretrieved; /* N, n, r of each segment */
    iv_integers rechecked;              /* k, c, m, d of each: of the r relevant k were rechecked
                                           and c are, of the other n - r m and d are */
    iv_integers control;                /* control documents found and in all: with the target,
                                           may the review stop? */
    iv_integers proportion;             /* r, n: intervals of one proportion */
    const char *strata, *runs;          /* as iv_strata_load() takes them */
    const iv_strata_table *table;       /* instead of strata */
    const char *run, *sample;           /* paths */
    const iv_run *ranking;              /* instead of run; run is then its name */
    const iv_judgments *judged;         /* instead of sample, in the same way */
    const char *collection;             /* documents in it; "run": those ranked */
    iv_integers at;                     /* these six: see iv_review_sample */
    int64_t drawn_at, level;
    const char *machine;                /* a file of a machine's labels; see iv_review_sample */
    int64_t machine_level;
    iv_unsampled unsampled;
    iv_unjudged unjudged;
    iv_recall_method method;
    double confidence;
    bool one_sided;
    bool guaranteed;                    /* the method exact: held whatever the truth */
    iv_reals prior;                     /* a, b; none: 1/2 each */
    double target;                      /* asks for P(recall >= target), or with exact
                                           whether it is held */
    double max_elusion;                 /* of the unretrieved alone: is elusion below this? */
    /* While it is being judged: */
    const char *log;                    /* the judgments in their order, a file as
                                           iv_review_log_load() takes it; segments may then
                                           be N alone */
    bool anytime;                       /* limits that are valid however one stops; without a log
                                           when one stratum is left to sample */
    size_t looks, look;                 /* planned, and which this one is; 0: none */
    iv_look_shape shape;                /* of the plan */
    const char *found;                  /* with qbcb: a file of the review's judgments so far, whose
                                           relevant documents check that the control is random */
    iv_review_stop stop;                /* with a target; qbcb: of a ranking and a sample, the
                                           collection is not asked for */
} iv_recall_question;

/*
 * The answer: tables recall, measures, yield, data, curves, anytime; of
 * stop and control tables stop or control alone; of the unretrieved alone elusion and missed; of a
 * proportion the table proportion; of rechecked judgments the table rechecked.  IV_EARG for what
 * makes no sense, IV_ENODATA where there is no recall, IV_EPARSE and IV_EIO of files.
 */
IV_API IV_MUST_CHECK int iv_answer_recall(iv_result *out, const iv_recall_question *q,
                                          const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_ANSWER_RECALL_QUESTION_H */
