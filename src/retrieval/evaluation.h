/* SPDX-License-Identifier: Apache-2.0 */
/* An evaluation: its values, differences and files, for the other modules. */
#ifndef IV_RETRIEVAL_EVALUATION_H
#define IV_RETRIEVAL_EVALUATION_H

#include "base/arguments.h"
#include "base/memory.h"
#include "intervale/retrieval.h"

IV_ENDS(evaluation)

/*
 * The interval of a mean of these values, by their definition: of 0/1 values Wilson's
 * (guaranteed: exact), of others in [0, 1] IV_INTERVAL_AUTO (bounded), of geometric means t of
 * the logarithms (bounded), of any others the Studentised
 * bootstrap (guaranteed: IV_INTERVAL_NONE).
 */
iv_interval_method iv_usual_interval(const iv_value_info *value, bool guaranteed);

/* How far unjudged documents are counted: to the cut-off of the first measure, at least 10; to 10
 * where it has none, or one beyond 100, where much is unjudged in any collection.  NULL: 10. */
size_t iv_top_depth(const iv_value_info *first);

/*
 * The value of a topic with its uncertainty: of complete judgments variance 0 and
 * the value for lower and upper.  value is NaN where the run has no such topic.
 */
iv_estimate iv_evaluation_value(const iv_evaluation *e, size_t run, size_t measure,
                                       size_t topic);

/* Its bounds and its values over ties, where they were asked for; what a text
 * measure says of it, or NULL. */
iv_limits iv_evaluation_bounds(const iv_evaluation *e, size_t run, size_t measure,
                                      size_t topic);

iv_interval iv_evaluation_ties(const iv_evaluation *e, size_t run, size_t measure,
                                  size_t topic);

const char *iv_evaluation_text(const iv_evaluation *e, size_t run, size_t measure,
                                      size_t topic);

/* The run with that name, or else with that file (with or without its folder);
 * IV_NONE: there is none. */
size_t iv_evaluation_find(const iv_evaluation *e, const char *name);

/*
 * a - b over the topics that both have.  Runs on one sample err together, so the
 * errors are linearised together.  by_topic and variance (NaN: the run has no
 * such topic, or it is not known) have room for topic_count, or are NULL.
 * IV_EARG unless options.differences was set.  out: topics that both have, value, se and its parts.
 */
IV_MUST_CHECK int iv_evaluation_difference(iv_mean *out,
                                                  double *by_topic, double *variance,
                                                  const iv_evaluation *e, size_t measure,
                                                  size_t a, size_t b, iv_err *err);

/* What trec_eval prints, run after run: each topic, a summary, or both. */
IV_MUST_CHECK int iv_evaluation_write_trec(FILE *out, const iv_evaluation *e, bool topics,
                                           bool summary, iv_err *err);

/*
 * Writes the grid of a measure as a table that --scores reads, systems x
 * topics, in the given order of the runs (NULL: as they were given).
 */
IV_MUST_CHECK int iv_evaluation_write_matrix(const char *path, const iv_evaluation *e,
                                                    size_t measure, const size_t *order,
                                                    iv_err *err);

/*
 * Scores runs as iv_evaluate() does and writes every topic's scores; the file appears whole or not
 * at all. Files that are read some topics at a time (iv_source) are written so, too: no score is
 * kept in memory.  Intervals, bounds, ties and texts are not written.  Fails as iv_evaluate(), with
 * IV_EARG for sampled judgments, and with IV_EIO.  found may be NULL.
 */
IV_MUST_CHECK int iv_write_scores(const char *path, const struct iv_source *source,
                                         const struct iv_evaluating *options,
                                         iv_written_scores *found,
                                         const iv_work *work, iv_err *err);

/* What only scoring sees, such as preferences that contradict each other, is wrong in the
 * judgments: the error gets their file.  Returns rc. */
int iv_blame_judgments(int rc, const iv_source *source, iv_err *err);

#define IV_EVALUATING_PARTS(T, of)                                                      \
    IV_PART_OF(T, of measures, TEXTS, "measure"),                                       \
    IV_CHOICE_OF(T, of measure.dialect, iv_dialect_names, "the dialect"),               \
    IV_CHOICE_OF(T, of interval, iv_interval_names, "the interval of means"),           \
    IV_PART_OF(T, of resampling.confidence, CONFIDENCE, "the confidence"),                    \
    IV_CHOICE_OF(T, of estimator, iv_estimator_names, "the estimator"),                 \
    IV_PART_OF(T, of also, PATH, "the additional judgments"),                           \
    IV_CHOICE_OF(T, of unjudged, iv_unjudged_names, "what to do with unjudged documents")

#endif
