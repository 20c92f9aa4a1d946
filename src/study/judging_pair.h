/* SPDX-License-Identifier: Apache-2.0 */
/* What a study of judging finds on one pair of runs. */
#ifndef IV_STUDY_JUDGING_PAIR_H
#define IV_STUDY_JUDGING_PAIR_H

#include "study/judging_study.h"
#include "plan/pilot_training.h"

/* Sums that are added up over pairs, in the order of the pairs. */
typedef struct iv_certainty_sum {
    size_t points, right, topic_right, topic_all;
    double confidence;
} iv_certainty_sum;

typedef struct iv_power_sum {
    size_t trials, rejected;
    double effect, adjusted, observed, predicted;
} iv_power_sum;

typedef struct iv_judging_pair {
    size_t a, b, number; /* runs, and the number of the pair */
    iv_paths *paths; /* NULL between the two parts, as is: */
    size_t *order;   /* all topics by lot: those of its pilot come first */
    double truth;  /* the difference in mean average precision, a less b */
    double effect; /* true: (wins - losses) / (wins + losses) of a */
    size_t looked; /* moments of judging looked at */
    iv_certainty_sum certainty[IV_CERTAINTY_BINS];
    iv_pilot_row *row; /* judgments by certainty and topics */
    iv_cost_trial trial;
    bool has_trial;    /* the pilot gave a model */
    iv_power_sum power[IV_POWER_DESIGNS][IV_POWER_BINS];
} iv_judging_pair;

/* What all pairs share. */
typedef struct iv_judging_setting {
    const iv_pooled *p;
    const iv_judging_study_options *o; /* without defaults left */
    uint64_t seed;
    size_t sizes[IV_PILOT_SIZES], size_count; /* numbers of topics to look at */
} iv_judging_setting;

enum { IV_DESIGN_MODEL, IV_DESIGN_PILOT, IV_DESIGN_CERTAIN };

/* The first part: all but the trials at the common model's choice. */
IV_MUST_CHECK int iv_judging_pair_study(iv_judging_pair *x, const iv_judging_setting *s,
                                        iv_err *err);

/* The second: trials at it. */
IV_MUST_CHECK int iv_judging_pair_follow(iv_judging_pair *x, const iv_judging_setting *s,
                                         const iv_cost_choice *choice, iv_err *err);

#endif /* IV_STUDY_JUDGING_PAIR_H */
