/* SPDX-License-Identifier: Apache-2.0 */
/* Score tables in which a judge scored all answers and people labelled some. */
#ifndef IV_LABELS_JUDGED_SCORES_H
#define IV_LABELS_JUDGED_SCORES_H

#include "intervale/retrieval.h"
#include "scores/score_tables.h"
#include "stat/machine/judged_mean.h"

/* Scores and labels, by system and item; one measure. */
typedef struct iv_judged_scores {
    iv_scored scored;
    iv_machines how;            /* its design is that in use; STATED: everything is labelled */
    size_t judges;              /* columns of scores, or measures */
    iv_judged_system *systems;  /* by judge, then system */
    iv_judged_design design;
    size_t *labels;             /* by judge, then system: items with a label */
    size_t labelled, items;     /* items of systems: with a label, in all */
    size_t outside;             /* labels of a file for which there is no score */
    double confidence;
} iv_judged_scores;

/* A mean or a difference three times, and why it has no interval. */
typedef struct iv_judged_estimate {
    iv_judged_mean both, human;
    double judge;       /* the judge alone */
    double few;         /* labels that differ from the judge, too few: both is of people alone;
                           NaN: there are enough */
    const char *reason; /* why there is no interval; NULL: there is one */
    double needed;      /* labels with which enough would differ; NaN: there are, or not known */
} iv_judged_estimate;

/* What a caller can get wrong in iv_machines: see base/arguments.h. */
#define IV_MACHINES_PARTS(T, of)                                                          \
    IV_PART_OF(T, of files, PATHS, "file of automatic labels"),                           \
    IV_CHOICE_OF(T, of format, iv_judgments_format_names, "the format of automatic labels"), \
    IV_CHOICE_OF(T, of design, iv_human_design_names, "the human design"),                \
    IV_PART_OF(T, of human_labels, PATH, "the file of human labels"),                     \
    IV_PART_OF(T, of calibration, PATH, "the file of the calibration"),                   \
    IV_CHOICE_OF(T, of estimator, iv_judge_estimator_names,                               \
                 "the estimator of a judge's scores"),                                    \
    IV_CHOICE_OF(T, of infer, iv_infer_names, "whose mean is meant")

/*
 * Are human labels asked for: a file of them, or a column?  Reads nothing.
 */
bool iv_judged_asked(const iv_score_input *asked, const iv_machines *how);

/*
 * Reads the scores and labels, and checks the design.  IV_EARG where people labelled a part of the
 * scores and no design is given, or one that is not for scores; IV_ENODATA where labels follow the
 * judge's scores as chance would not (iv_selection_test_of()), where a cluster is labelled in part,
 * and where nothing is.
 */
IV_MUST_CHECK int iv_judged_scores_read(iv_judged_scores *s, const iv_score_input *asked,
                                        const iv_machines *how, const iv_texts *measures,
                                        iv_result *out, const iv_work *work, iv_err *err);

/*
 * The same of judges, each by itself: columns of scores or all measures, each of which has the
 * labels of the others.  There need not be a label.
 */
IV_MUST_CHECK int iv_judges_read(iv_judged_scores *s, const iv_score_input *asked,
                                 const iv_machines *how, const iv_texts *measures,
                                 iv_result *out, const iv_work *work, iv_err *err);

/* Is lower better?  IV_EARG where columns of judges differ in that. */
IV_MUST_CHECK int iv_judged_lower(bool *out, const iv_judged_scores *s, iv_err *err);

/* Scores and labels become 1 less them, or minus them: lower was better, higher is. */
IV_MUST_CHECK int iv_judged_turn(iv_judged_scores *s, iv_err *err);

/* The mean of a system, or of it less another; IV_NONE: none is less. */
IV_MUST_CHECK int iv_judged_estimate_of(iv_judged_estimate *out, const iv_judged_scores *s,
                                        size_t system, size_t less, iv_err *err);

#endif
