/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judging little (Carterette and Smucker 2007) on a collection with judgments, which are the
 * truth: is the sign of a difference right as often as the confidence says (figure 4), how
 * many judgments does a confidence take (figure 5), and what power is left (figures 7, 8)?
 */
#ifndef IV_STUDY_STUDY_JUDGING_H
#define IV_STUDY_STUDY_JUDGING_H

#include "intervale/plan.h"
#include "plan/pilot_training.h"
#include "study/study.h"

/* Points of confidence in [from, from + 0.05): one a pair and stage of judging. */
enum { IV_CERTAINTY_BINS = 10, IV_POWER_BINS = 10 };
typedef struct iv_certainty_bin {
    size_t points, right, topic_right, topics;
    double confidence; /* sum */
} iv_certainty_bin;

/* Trials with a true effect in [from, from + 0.1): topics judged to certainty, and more
 * topics judged to the certainty of least cost. */
typedef struct iv_power_bin {
    size_t trials, rejected;
    double effect, predicted; /* sums */
} iv_power_bin;

enum { IV_DESIGN_CERTAIN, IV_DESIGN_CHEAPEST, IV_DESIGNS };

typedef struct iv_judging_found {
    size_t pairs;
    iv_certainty_bin certainty[IV_CERTAINTY_BINS];
    iv_pilot_row *row;   /* judgments by certainty and topics, mean over pairs */
    size_t rows;
    iv_cost_model model; /* fitted to them */
    iv_cost_choice choice;
    iv_power_bin power[IV_DESIGNS][IV_POWER_BINS];
} iv_judging_found;

/* The paper's way: pools of growing depth, independent documents, relevance 1/2. */
IV_MUST_CHECK int iv_judging_experiment(iv_judging_found *out, iv_arena *own,
                                        const iv_collection *c, size_t pairs, size_t topics,
                                        const iv_work *work, iv_err *err);

/* Rows of plan cost: the power of both designs, as in study judging. */
IV_MUST_CHECK int iv_study_cost_plans(iv_study *s, const iv_collection *c, iv_err *err);

/* Rows of plan pilot: does the interval of a pilot's forecast contain what 25 topics take? */
IV_MUST_CHECK int iv_study_pilot_plans(iv_study *s, const iv_collection *c, iv_err *err);

#endif /* IV_STUDY_STUDY_JUDGING_H */
