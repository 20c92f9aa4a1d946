/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest sample that is precise enough. */
#ifndef IV_RETRIEVAL_SAMPLE_PLAN_H
#define IV_RETRIEVAL_SAMPLE_PLAN_H

#include "intervale/retrieval.h"

/* For which runs (or pairs of runs, and topics) it must hold. */
typedef enum iv_sample_scope {
    IV_SCOPE_TYPICAL, /* root mean square over them */
    IV_SCOPE_EVERY    /* the worst of them */
} iv_sample_scope;

/* An answer.  NaN: not known. */
typedef struct iv_sample_budget {
    iv_sample_scope scope;
    bool reached;        /* else not even judging the frame is enough */
    size_t budget;       /* documents of a topic */
    size_t documents;    /* in all: topics with a smaller frame need fewer */
    double wanted;       /* the standard error that the goal comes to there */
    double predicted;    /* what the formula gives at the budget */
    double achieved;     /* what samples gave; NaN: judgments not complete */
    double noise;        /* of achieved, a standard error: samples are few; NaN as it is */
    double factor;       /* what samples gave over the formula, without the part
                            of the topics; NaN: not checked, or nothing is left
                            to chance */
} iv_sample_budget;

/* What other budgets would give: typical, by formula, which no sample corrected. */
typedef struct iv_sample_curve {
    size_t budget;
    double topic, mean, difference; /* standard errors; NaN: one run only */
} iv_sample_curve;

typedef struct iv_sample_plan {
    iv_sample_budget typical, every; /* by scope */
    iv_sample_curve *curve;
    size_t curve_count;
    size_t frame;        /* documents of all frames */
    size_t inside;       /* relevant documents of the pilot in the frames ... */
    size_t outside;      /* ... and outside, for topics of the runs: the AP of
                            the plan, and of estimates from its samples, knows
                            nothing of these */
    size_t planned;      /* topics whose mean is planned */
    size_t without;      /* topics without a relevant document: AP is 0 there */
    bool complete;       /* the judgments are */
    double topics_se;    /* what judging everything leaves of a mean's standard
                            error: typical over runs (differences) */
} iv_sample_plan;

/*
 * Fills *out; iv_sample_plan_clear() frees what it points to.  The runs must
 * outlive it.  IV_EARG unless one of se and halfwidth is given, IV_ENODATA when no
 * topic has a relevant document in the frame, or for a difference of one run.
 */
IV_MUST_CHECK int iv_sample_plan_make(iv_sample_plan *out, const iv_run *const *runs,
                                             size_t count, const iv_sampling *judged,
                                             const iv_sample_plan_options *options,
                                             const iv_work *work, iv_err *err);
void iv_sample_plan_clear(iv_sample_plan *plan);

#endif
