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

/*
 * Ten bins of each kind.  Of the confidence in [from, from + 0.05): one point a pair and stage of
 * judging, and whether the sign is right.  Of the true effect in [from, from + 0.1): one a trial,
 * of topics judged to certainty and of more topics judged to the certainty of least cost, and
 * whether the test rejects.
 */
enum { IV_BINS_CONFIDENCE, IV_BINS_CERTAIN, IV_BINS_CHEAPEST, IV_BIN_KINDS, IV_BINS = 10 };
typedef struct iv_judging_bin {
    size_t points, right;
    size_t topics, topic_right; /* of confidence */
    double at, predicted;       /* sums: of confidence or effect; of the power */
} iv_judging_bin;

typedef struct iv_judging_found {
    size_t pairs;
    iv_judging_bin bin[IV_BIN_KINDS][IV_BINS];
    iv_pilot_row *row;   /* judgments by certainty and topics, mean over pairs */
    size_t rows;
    iv_cost_model model; /* fitted to them */
    iv_cost_choice choice;
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
