/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does judging little work?  The experiments of Carterette and Smucker (2007)
 * on any collection with judgments, which are taken for the truth: documents
 * without one are not relevant.
 *
 *   certainty  is the sign of a difference right as often as the confidence
 *              says? (their figure 4)
 *   judgments  how many judgments a confidence takes, by number of topics, and
 *              the model fitted to it (figure 5)
 *   costs      for each pair, a pilot's prediction beside what judging then
 *              took (section 5.2)
 *   powers     how often the sign test finds a true effect with many topics
 *              judged little, beside few judged to certainty (figures 7, 8)
 *   moments    plain and delta moments beside exact ones, by size of the pool
 *              and prevalence
 */
#ifndef INTERVALE_STUDY_JUDGING_H
#define INTERVALE_STUDY_JUDGING_H

#include "base/memory.h"
#include "intervale/design/inquiry.h"
#include "intervale/estimate.h"
#include "intervale/plan/pilot.h"
#include "plan/pilot_training.h"

typedef struct iv_judging_study_options {
    iv_prior prior;
    iv_moments_form form; /* exact counts as delta */
    iv_judging_order order;
    size_t pairs;         /* of runs, drawn at random; 0: all */
    size_t start;         /* calibration: a pool of this depth is judged before the first look */
    size_t topics;        /* n at certainty; 0: 25, as in the paper */
    size_t pilot;         /* topics of a pilot; 0: 10, as in the paper */
    size_t trials;        /* samples of topics for each pair; 0: 4 */
    double alpha;         /* of the sign test, one-sided; 0: .05 */
    iv_prices prices;
    size_t forecasts;     /* simulated experiments for a pilot's interval, >= 10; 0: 200 */
    double confidence;    /* of that interval; 0: .95 */
} iv_judging_study_options;

/* Points of confidence in [from, to): one a pair and moment of judging. */
enum { IV_CERTAINTY_BINS = 10 };
typedef struct iv_certainty_bin {
    double from, to;
    size_t points;
    double confidence;     /* mean */
    double accuracy;       /* share of right signs of the mean difference */
    double topic_accuracy; /* share of right signs of topics' differences */
} iv_certainty_bin;

/* One pair, one trial. */
typedef struct iv_cost_trial {
    size_t a, b;           /* runs */
    size_t topics;         /* that the pilot recommends */
    double certainty;
    double predicted;      /* by the pilot's model */
    size_t actual;         /* SIZE_MAX: never reached */
    size_t certain;        /* n topics to certainty; SIZE_MAX: never reached */
    double lower, upper;   /* where the pilot forecasts it; NaN: it cannot */
    size_t start_up;       /* of the pilot */
} iv_cost_trial;

/* Trials with a true effect in [from, to). */
enum { IV_POWER_BINS = 10, IV_POWER_DESIGNS = 3 };
typedef struct iv_power_bin {
    double from, to;
    size_t trials;
    double effect;            /* true, mean */
    double adjusted;          /* what the certainty should leave of it, mean */
    double observed_effect;   /* seen in the trials, mean */
    double power;             /* share of trials in which the test rejects */
    double predicted;         /* power of n certain topics, mean */
} iv_power_bin;

typedef struct iv_judging_study {
    iv_arena own;
    size_t pairs, pairs_without_model; /* studied; whose pilot said nothing */
    iv_certainty_bin certainty[IV_CERTAINTY_BINS];
    iv_pilot_row *row;   /* judgments by certainty and topics, mean over pairs */
    size_t rows;
    iv_cost_model model; /* fitted to them */
    iv_cost_choice choice;
    iv_cost_trial *trial;
    size_t trials;
    /* Judged as the model of all pairs says, as each pilot says, to certainty. */
    iv_power_bin power[IV_POWER_DESIGNS][IV_POWER_BINS];
} iv_judging_study;

/*
 * Runs it all on the runs of p, which has the judgments.  IV_ENODATA for fewer
 * than two runs or fewer topics than a pilot has, plus one.
 */
IV_MUST_CHECK int iv_judging_study_run(iv_judging_study *out, const iv_pooled *p,
                                       const iv_judging_study_options *options,
                                       const iv_work *work, iv_err *err);
void iv_judging_study_clear(iv_judging_study *s);

/* ------------------------------------------------- is confidence accuracy -- */

typedef struct iv_calibration_row {
    double from, to; /* confidence */
    size_t points;   /* pairs of runs at some stage of judging */
    double confidence, accuracy;
    double gap, lower, upper; /* accuracy less confidence; over resamples of runs */
    double brier, log_loss;
} iv_calibration_row;

typedef struct iv_judging_calibration {
    size_t pairs;
    iv_calibration_row row[IV_CERTAINTY_BINS], high, all; /* from .9 on; all */
    double start;    /* the highest confidence of a pair with nothing judged */
} iv_judging_calibration;

/* By either model, from nothing, in the order asked for; what the judgments of p do not
 * have is not relevant.  At most 100 looks at a pair, one a round of the pool or one
 * after as many judgments as there are topics. */
IV_MUST_CHECK int iv_calibrate_judging(iv_judging_calibration *out, const iv_pooled *p,
                                       const iv_judging_study_options *o, const iv_work *work,
                                       iv_err *err);

/* --------------------------------------------------- how good moments are -- */

typedef struct iv_moments_error {
    size_t documents;
    double prevalence;
    /* Of plain and delta: error of the mean in standard deviations (root mean
     * square), and mean ratio of the standard deviation to the exact one. */
    double plain_mean, plain_sd, delta_mean, delta_sd;
} iv_moments_error;

/*
 * Over `rankings` pairs of random rankings: a returns m documents, whose
 * relevance falls linearly from 2 prevalence (at most .98) to 0 along it, b
 * half of them in another order.
 */
IV_MUST_CHECK int iv_moments_study(iv_moments_error *out, size_t m, double prevalence,
                                          size_t rankings, uint64_t seed, iv_err *err);

/* ---------------------------------------------------------------- the answer -- */

typedef struct iv_study_judging_question {
    iv_source from;
    iv_belief_model model;
    const char *relevance; /* as that of other questions on incomplete judgments */
    size_t depth;          /* of the runs; 0: all of it */
    int32_t level;         /* lowest relevant grade; 0: 1, IV_ZERO: 0 */
    size_t rankings;       /* for each row of the table moments; 0: 10 */
    iv_judging_study_options how; /* its prior is that of relevance */
} iv_study_judging_question;

/* The answer: tables certainty, judgments, model, fit, costs, trials, power, moments. */
IV_MUST_CHECK int iv_study_answer_judging(iv_result *out, const iv_study_judging_question *q,
                                          const iv_work *work, iv_err *err);

/* What a study of judging finds on one pair of runs. */

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
    const iv_work *inner; /* of what is done on a pair */
} iv_judging_setting;

enum { IV_DESIGN_MODEL, IV_DESIGN_PILOT, IV_DESIGN_CERTAIN };

/* Without a choice: all but the trials at the common model's choice; with it, those. */
IV_MUST_CHECK int iv_judging_pair_study(iv_judging_pair *x, const iv_judging_setting *s,
                                        const iv_cost_choice *choice, iv_err *err);

#endif /* INTERVALE_STUDY_JUDGING_H */
