/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many documents must be judged for a wanted precision, when they are
 * drawn by Stevens' scheme: the question that Aslam and Pavlu (2008) left
 * open.
 *
 * From runs and judgments, complete or a pilot sample, the contribution of
 * each relevant document to each estimate is known or estimated; the design's
 * exact probabilities give the variance at any budget, and the smallest budget
 * that is good enough is searched.  Where the judgments are complete, samples
 * of that size are drawn and the budget corrected by what they really give; of a
 * pilot sample the formula is scaled to agree, at the pilot's size, with what
 * iv_evaluate() says of the noise of its estimates.
 */
#ifndef INTERVALE_PLAN_SAMPLE_H
#define INTERVALE_PLAN_SAMPLE_H

#include "intervale/design.h"
#include "intervale/estimate.h"

IV_BEGIN_C

/* Whose standard error is wanted. */
typedef enum iv_sample_goal {
    IV_GOAL_MEAN,      /* a run's mean over topics */
    IV_GOAL_TOPIC,     /* a topic's average precision */
    IV_GOAL_DIFFERENCE /* the difference of two runs' means */
} iv_sample_goal;

/* Their names in that order, ending with NULL. */
IV_API const char *const *iv_sample_goal_names(void);

/* For which runs (or pairs of runs, and topics) it must hold. */
typedef enum iv_sample_scope {
    IV_SCOPE_TYPICAL, /* root mean square over them */
    IV_SCOPE_EVERY    /* the worst of them */
} iv_sample_scope;

enum { IV_PLAN_CHECKS = 200 };

typedef struct iv_sample_plan_options {
    iv_sample_goal goal;
    size_t depth;      /* of the frame; 0: IV_FRAME_DEPTH */
    size_t topics;     /* whose mean is planned, like the pilot's; 0: as many as it has */
    double se;         /* wanted standard error, of judging alone, or 0 ... */
    double halfwidth;  /* ... and half the width of the interval of iv_evaluate(), which
                          allows for the choice of topics, or 0 */
    double confidence; /* of that interval; 0: .95 */
    int64_t check;     /* samples drawn to check a budget; 0: IV_PLAN_CHECKS,
                          IV_ZERO: none */
} iv_sample_plan_options;

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

/* One topic's own budget, typical over runs, for the goal of a topic; the others have theirs. */
typedef struct iv_sample_topic_budget {
    iv_str topic;        /* borrowed from the runs */
    size_t frame;
    double relevant;     /* in the frame, estimated */
    iv_sample_budget at;
} iv_sample_topic_budget;

/* What other budgets would give: typical, by formula, which no sample corrected. */
typedef struct iv_sample_curve {
    size_t budget;
    double topic, mean, difference; /* standard errors; NaN: one run only */
} iv_sample_curve;

typedef struct iv_sample_plan {
    iv_sample_budget typical, every; /* by scope */
    iv_sample_topic_budget *topics; /* NULL unless the goal is a topic */
    size_t topic_count;
    iv_sample_curve *curve;
    size_t curve_count;
    size_t frame;        /* documents of all frames */
    size_t inside;       /* relevant documents of the pilot in the frames ... */
    size_t outside;      /* ... and outside, for topics of the runs: the AP of
                            the plan, and of estimates from its samples, knows
                            nothing of these */
    size_t planned;      /* topics whose mean is planned */
    size_t without;      /* topics without a relevant document: AP is 0 there; where the goal is
                            a topic they are left out */
    bool complete;       /* the judgments are */
    double topics_se;    /* what judging everything leaves of a mean's standard
                            error: typical over runs (differences) */
} iv_sample_plan;

/*
 * Fills *out; iv_sample_plan_clear() frees what it points to.  The runs must
 * outlive it.  IV_EARG unless one of se and halfwidth is given, IV_ENODATA when no
 * topic has a relevant document in the frame, or for a difference of one run.
 */
IV_API IV_MUST_CHECK int iv_sample_plan_make(iv_sample_plan *out, const iv_run *const *runs,
                                             size_t count, const iv_sampling *judged,
                                             const iv_sample_plan_options *options,
                                             const iv_work *work, iv_err *err);
IV_API void iv_sample_plan_clear(iv_sample_plan *plan);

IV_END_C

#endif /* INTERVALE_PLAN_SAMPLE_H */
