/* SPDX-License-Identifier: Apache-2.0 */
/* How much is enough: the questions of the commands plan power, topics, cost, pilot,
 * sample and looks. */
#ifndef INTERVALE_ANSWER_PLANNING_H
#define INTERVALE_ANSWER_PLANNING_H

#include "intervale/answer/score_input.h"
#include "intervale/estimate.h"
#include "intervale/plan.h"
#include "intervale/stat/sequential.h"

IV_BEGIN_C

/*
 * Two of topics, effect and power: what is the third?  All combinations are
 * answered.  An effect may be given as a difference in the measure's units.
 */
typedef struct iv_plan_power_question {
    iv_texts tests;      /* of iv_planned_test_names(); none: t */
    iv_integers topics;
    iv_reals effect, power;
    iv_reals difference; /* instead of effects, with ... */
    double sd;           /* ... the standard deviation of differences over topics */
    iv_reals certainty;  /* none: 1 */
    iv_sides sides;
    double alpha;        /* 0: .05 */
    double ties;         /* of sign tests: the proportion of topics that tie */
    size_t runs;         /* to be compared, all pairs; 0: two */
} iv_plan_power_question;

/* Table power; curve has the power of other numbers of topics.  IV_EARG unless two
 * of the three are given, and a difference with sd; otherwise as iv_power_at() and
 * its kin. */
IV_API IV_MUST_CHECK int iv_answer_plan_power(iv_result *out, const iv_plan_power_question *q,
                                              const iv_work *work, iv_err *err);

/* How many topics does a difference seen in a pilot take? */
typedef struct iv_plan_topics_question {
    iv_score_input scores; /* scores of any kind ... */
    iv_source from;      /* ... or judgments and runs, scored by ... */
    iv_evaluating scoring; /* ... the first of its measures; none: AP */
    const char *baseline; /* each system against this one; NULL: all pairs */
    iv_texts tests;      /* of iv_planned_test_names(); none: t */
    iv_sides sides;
    double power;        /* 0: .8 */
    double alpha;        /* 0: .05 */
    bool alone;          /* each pair as if it were the only one */
    double certainty;    /* 0: 1 */
    double confidence;   /* of the effect's interval; 0: .95 */
} iv_plan_topics_question;

/* Table topics; of scores with repeats also design: what more items and what more repeats
 * buy.  IV_EARG for a baseline that is not there, or numbers outside their
 * domains; IV_ENODATA for fewer than two systems or topics; else as iv_evaluate(). */
IV_API IV_MUST_CHECK int iv_answer_plan_topics(iv_result *out,
                                               const iv_plan_topics_question *q,
                                               const iv_work *work, iv_err *err);

/* Many topics with few judgments, or few with many? */
typedef struct iv_plan_cost_question {
    const char *pilot;     /* table with columns certainty, topics and judgments ... */
    iv_reals coefficients; /* ... or the three of the model */
    double topics;         /* that would be enough if judged to certainty; 0: 25 */
    iv_prices prices;
    double certainty;      /* above 1/2; 0: the cheapest */
    iv_reals errors;       /* costs of a false positive and a false negative: topics follow ... */
    double effect;         /* ... at this effect; none: topics are given */
    double confidence;     /* 0: .95 */
} iv_plan_cost_question;

/* Tables plan, model, fit and curve.  IV_EARG unless either a pilot or coefficients
 * are given; otherwise as iv_cost_fit() and iv_cost_least(). */
IV_API IV_MUST_CHECK int iv_answer_plan_cost(iv_result *out, const iv_plan_cost_question *q,
                                             const iv_work *work, iv_err *err);

/* What do a few judged topics say of a whole experiment? */
typedef struct iv_plan_pilot_question {
    iv_source from;         /* the pilot's judgments, and two runs */
    double effect;          /* to find by the one-sided sign test, with ... */
    double power, alpha;    /* ... these; 0: .8 and .05 */
    const char *relevance;  /* as in iv_next_question */
    size_t depth;           /* of the runs to look at; 0: all */
    int32_t level;          /* the lowest relevant grade; 0: 1, IV_ZERO: 0 */
    iv_pilot_options how;   /* topics only without an effect; no prior */
} iv_plan_pilot_question;

/* Tables plan, model, fit, training and curve.  IV_EARG for topics and an effect;
 * otherwise as iv_pilot_study(). */
IV_API IV_MUST_CHECK int iv_answer_plan_pilot(iv_result *out, const iv_plan_pilot_question *q,
                                              const iv_work *work, iv_err *err);

/* How many documents must be judged, when they are sampled? */
typedef struct iv_plan_sample_question {
    iv_source from;        /* judgments to learn from, complete or a sample; runs */
    iv_unjudged unjudged;  /* documents of a sampled pilot */
    iv_sample_plan_options how;
} iv_plan_sample_question;

/* Tables budget, topics (if a topic is the goal) and curve.  As
 * iv_sample_plan_make(). */
IV_API IV_MUST_CHECK int iv_answer_plan_sample(iv_result *out,
                                               const iv_plan_sample_question *q,
                                               const iv_work *work, iv_err *err);

/* When to look at a review or an experiment that may be stopped early, and what to ask then. */
typedef struct iv_plan_looks_question {
    iv_look_shape shape;
    size_t looks;       /* equally spaced; 0: 5 */
    iv_reals fractions; /* of the largest sample, instead */
    int64_t documents;  /* the largest sample; 0: not said */
    double confidence;  /* of the whole plan; 0: .95 */
} iv_plan_looks_question;

/* Table looks.  IV_EARG as iv_looks_of(). */
IV_API IV_MUST_CHECK int iv_answer_plan_looks(iv_result *out, const iv_plan_looks_question *q,
                                              const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_ANSWER_PLANNING_H */
