/* SPDX-License-Identifier: Apache-2.0 */
/* What the coverage studies share: rows, experiments, simulated data. */
#ifndef IV_STUDY_COVERAGE_PARTS_H
#define IV_STUDY_COVERAGE_PARTS_H

#include "base/parallel.h"
#include "intervale/num.h"
#include "study/study.h"

/* What is scored in a simulated population; from RBO on, the likeness of two runs. */
typedef enum iv_scored {
    IV_SCORED_AP,
    IV_SCORED_P10,
    IV_SCORED_DCG,
    IV_SCORED_RBO,
    IV_SCORED_OVERLAP,
    IV_SCORED_TAU,
    IV_SCORED_TAU_AP,
    IV_SCORES
} iv_scored;

/* A study at work, and its rows. */
struct iv_coverage {
    const iv_coverage_options *o;
    iv_arena own; /* for what lives as long as the study */
    iv_covered *row, nowhere; /* nowhere: where a row goes that has no memory */
    size_t rows, room;
    const iv_work *whole;
    iv_stage stage; /* of a step: hand over &stage.work */
    size_t part, parts, step, steps;
    iv_asking asking; /* of an experiment at work */
    iv_score_grid simulated[IV_SCORES]; /* populations, made when first asked for */
};

/* Intervals of one kind, counted at each level. */
typedef struct iv_tally {
    size_t intervals, gaps;
    size_t below[IV_COVERAGE_LEVELS], above[IV_COVERAGE_LEVELS]; /* truths */
    double width[IV_COVERAGE_LEVELS];
} iv_tally;

/* Counts the interval of a level; the first level counts it as one. */
void iv_tally_put(iv_tally *t, size_t level, double lower, double upper, double truth);

/*
 * Replicates, on many threads, each of which adds to tallies of its own; `memory` is the
 * thread's, stream the replicate's.  A tally becomes the rows of one interval.
 */
typedef struct iv_experiment {
    iv_coverage_part part;
    const char *data;
    const char *const *intervals; /* their names, one a tally */
    size_t tallies, replicates;   /* a twentieth of them when quick */
    uint32_t number;              /* tells its streams from those of other experiments */
    int (*replicate)(iv_tally *tallies, void *user, void *memory, size_t number,
                     iv_stream *stream, iv_err *err);
    void *user;
    void *(*memory)(iv_arena *own, void *user); /* as in iv_loop */
} iv_experiment;

/* Runs it, keeps its rows, and ends a step. */
IV_MUST_CHECK int iv_experiment_run(iv_coverage *c, const iv_experiment *e, iv_err *err,
                                    const char *setting, ...) IV_PRINTF(4, 5);

/* A new row, whose figures are not known yet. */
iv_covered *iv_coverage_add(iv_coverage *c, iv_coverage_part part, const char *interval,
                            const char *data, const char *setting, ...) IV_PRINTF(5, 6);

/* Of the numbers of replicates: as given, or a twentieth. */
size_t iv_coverage_size(const iv_coverage *c, size_t full);

/* Steps share a part's time alike. */
void iv_coverage_steps(iv_coverage *c, size_t steps);
void iv_coverage_step_done(iv_coverage *c);

/* Scores on topics that stand for a population; their means are the truth. */
IV_MUST_CHECK int iv_population_simulate(iv_score_grid *out, iv_coverage *c, iv_scored what,
                                         iv_err *err);

/* Runs and complete judgments: simulated ones, or the collection that was given. */
typedef struct iv_made {
    const char *data;
    const iv_run *const *runs;
    size_t run_count;
    const iv_judgments *judgments;
    const iv_sampling *judged;
    const iv_work *inner; /* of what a replicate of it does */
} iv_made;

/* The study owns it. */
IV_MUST_CHECK int iv_made_new(iv_made *out, iv_coverage *c, const iv_simulation_options *options,
                              size_t topics, iv_err *err);

/* What was given; run_count is 0 where nothing was. */
iv_made iv_made_given(const iv_coverage_options *o);

/* The parts. */
IV_MUST_CHECK int iv_coverage_eval(iv_coverage *c, iv_err *err);
enum { IV_COVERAGE_VALUES_STEPS = 21 }; /* of eval, for hard values */
IV_MUST_CHECK int iv_coverage_values(iv_coverage *c, iv_err *err);
IV_MUST_CHECK int iv_coverage_compare(iv_coverage *c, iv_err *err);
IV_MUST_CHECK int iv_coverage_signs(iv_coverage *c, iv_err *err);
IV_MUST_CHECK int iv_coverage_recall(iv_coverage *c, iv_err *err);
IV_MUST_CHECK int iv_coverage_prf(iv_coverage *c, iv_err *err);
enum { IV_COVERAGE_CLASSES_STEPS = 17, IV_COVERAGE_CATEGORIES_STEPS = 6 }; /* of prf, for averages */
IV_MUST_CHECK int iv_coverage_classes(iv_coverage *c, iv_err *err);
IV_MUST_CHECK int iv_coverage_sample(iv_coverage *c, iv_err *err);
IV_MUST_CHECK int iv_coverage_plan_topics(iv_coverage *c, iv_err *err);
IV_MUST_CHECK int iv_coverage_plan(iv_coverage *c, iv_err *err);
IV_MUST_CHECK int iv_coverage_overlap(iv_coverage *c, iv_err *err);
IV_MUST_CHECK int iv_coverage_agree(iv_coverage *c, iv_err *err);
enum { IV_COVERAGE_LABELS_STEPS = 7 }; /* of agree, for assessors */
IV_MUST_CHECK int iv_coverage_labels(iv_coverage *c, iv_err *err);
IV_MUST_CHECK int iv_coverage_roc(iv_coverage *c, iv_err *err);
enum { IV_COVERAGE_ROC_CLASSES_STEPS = 24 }; /* of roc, for averages over classes */
IV_MUST_CHECK int iv_coverage_roc_classes(iv_coverage *c, iv_err *err);
IV_MUST_CHECK int iv_coverage_scores(iv_coverage *c, iv_err *err);
enum { IV_COVERAGE_VARIANCE_STEPS = 12 }; /* of scores, for variance parts */
IV_MUST_CHECK int iv_coverage_variance(iv_coverage *c, iv_err *err);

#endif /* IV_STUDY_COVERAGE_PARTS_H */
