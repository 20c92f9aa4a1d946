/* SPDX-License-Identifier: Apache-2.0 */
/* What the coverage studies share: counting, and replicates on many threads. */
#ifndef IV_STUDY_COVERAGE_H
#define IV_STUDY_COVERAGE_H

#include "base/parallel.h"
#include "intervale/num.h"
#include "study/study.h"

/* Intervals of one kind, counted at each level. */
typedef struct iv_tally {
    size_t intervals, gaps;
    size_t below[IV_COVERAGE_LEVELS], above[IV_COVERAGE_LEVELS]; /* truths */
    double width[IV_COVERAGE_LEVELS];
} iv_tally;

/* Counts the interval of a level; the first level counts it as one. */
void iv_tally_put(iv_tally *t, size_t level, double lower, double upper, double truth);

/*
 * What one replicate adds to tallies of its own.  `memory` is the thread's, stream the
 * replicate's.
 */
typedef struct iv_experiment {
    size_t tallies, replicates;
    int (*replicate)(iv_tally *tallies, void *user, void *memory, size_t number,
                     iv_stream *stream, iv_err *err);
    void *user;
    void *(*memory)(iv_arena *own, void *user); /* as in iv_loop */
} iv_experiment;

/* Runs it; `study` tells its streams from those of other experiments. */
IV_MUST_CHECK int iv_experiment_run(iv_tally *out, const iv_experiment *e, uint32_t study,
                                    iv_coverage *c, iv_err *err);

/* Keeps the four rows of a tally. */
void iv_coverage_put(iv_coverage *c, iv_covered name, const iv_tally *t);

/* Keeps a row as it is. */
void iv_coverage_put_row(iv_coverage *c, const iv_covered *row);

/* Of the numbers of replicates: as given, or a twentieth. */
size_t iv_coverage_size(const iv_coverage_options *o, size_t full);

/* How to do the step at work; steps share a part's time alike. */
const iv_work *iv_coverage_work(const iv_coverage *c);
void iv_coverage_steps(iv_coverage *c, size_t steps);
void iv_coverage_step_done(iv_coverage *c);

/* Scores on topics that stand for a population, with their true means. */
typedef struct iv_population {
    const char *data;
    iv_score_grid grid;
    double *own; /* values to free; NULL: borrowed */
} iv_population;

/* What is scored in a simulated population. */
typedef enum iv_scored { IV_SCORED_AP, IV_SCORED_P10, IV_SCORED_DCG } iv_scored;

IV_MUST_CHECK int iv_population_simulate(iv_population *out, iv_scored what,
                                         const iv_coverage_options *o, const iv_work *work,
                                         iv_err *err);
void iv_population_free(iv_population *p);

/* A simulated collection in memory. */
typedef struct iv_made {
    iv_run **runs;
    size_t run_count;
    iv_judgments *judgments;
    iv_sampling *judged;
} iv_made;

IV_MUST_CHECK int iv_made_new(iv_made *out, const iv_simulation_options *options,
                              size_t topics, iv_err *err);
void iv_made_free(iv_made *m);

/* The parts. */
IV_MUST_CHECK int iv_coverage_eval(iv_coverage *c, const iv_coverage_options *o, iv_err *err);
IV_MUST_CHECK int iv_coverage_compare(iv_coverage *c, const iv_coverage_options *o, iv_err *err);
IV_MUST_CHECK int iv_coverage_signs(iv_coverage *c, const iv_coverage_options *o, iv_err *err);
IV_MUST_CHECK int iv_coverage_recall(iv_coverage *c, const iv_coverage_options *o, iv_err *err);
IV_MUST_CHECK int iv_coverage_prf(iv_coverage *c, const iv_coverage_options *o, iv_err *err);
IV_MUST_CHECK int iv_coverage_gaps(iv_coverage *c, const iv_coverage_options *o, iv_err *err);
IV_MUST_CHECK int iv_coverage_sample(iv_coverage *c, const iv_coverage_options *o, iv_err *err);
IV_MUST_CHECK int iv_coverage_plan_topics(iv_coverage *c, const iv_coverage_options *o,
                                          iv_err *err);
IV_MUST_CHECK int iv_coverage_plan(iv_coverage *c, const iv_coverage_options *o, iv_err *err);

#endif /* IV_STUDY_COVERAGE_H */
