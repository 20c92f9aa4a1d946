/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of estimate beside what programs do. */
#ifndef IV_ESTIMATE_ESTIMATE_PRIVATE_H
#define IV_ESTIMATE_ESTIMATE_PRIVATE_H

#include "intervale/estimate.h"

/* The same as words, static; empty when there is an interval. */
const char *iv_sampled_gap_text(iv_sampled_gap gap);

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
 * Gives runs their names, all different: by tag, by file name where tags repeat,
 * then by path, then numbered.  paths[r] NULL: it has none.  names[r] starts as
 * NULL and is the caller's, to be freed in any case.
 */
IV_MUST_CHECK int iv_name_runs(char **names, const iv_str *tags,
                                      const char *const *paths, size_t count, iv_err *err);

/*
 * Reads a table, as iv_csv_load() does: id, gold (empty where nobody looked), the machine's column
 * and one for each system; without any the machine is the system.  `probability` is the column of
 * the probability with which an item was looked at (NULL: pi, if there is one); of the labels'
 * options gold, positive ("1") and systems count; confidence 0: .95.  IV_EPARSE for a column that
 * is missing, a cell of a system that is empty, a probability outside (0, 1]; IV_ENODATA where
 * fewer than two items were looked at.  *out is the caller's: iv_checked_free().
 */
IV_MUST_CHECK int iv_checked_load(iv_checked **out, const char *path, const char *machine,
                                  const char *probability, const iv_labels_options *labels,
                                  double confidence, const iv_work *work, iv_err *err);

void iv_checked_free(iv_checked *c);

/*
 * Compares labels.  Of a sample (prels, strata, a completed sample) pairs weigh 1 / pi.
 * `scored` says that the judge's are scores of iv_machine_labels_load().  name and
 * judge_name stand in messages.  *out is the caller's: iv_judge_free().  IV_ENODATA
 * where both share no topic or no document; IV_EARG for options outside their domain.
 */
IV_MUST_CHECK int iv_judge_new(iv_judge **out, const iv_judgments *reference,
                                      const char *name, const iv_judgments *judge, bool scored,
                                      const char *judge_name, const iv_judge_options *options,
                                      iv_err *err);

void iv_judge_free(iv_judge *j);

/* What was found; borrowed. */
const iv_judged_by *iv_judge_view(const iv_judge *j);

/* The judge's labels as grades: the file's, or scores that were cut; borrowed from it or j. */
const iv_judgments *iv_judge_labels(const iv_judge *j);

/*
 * Is judge b worth less than a on the same topics?  The difference of their log worth (graded),
 * with p of Student's t over topics left out; 1 where no topic makes a difference.  NaN where
 * they have not the same topics.
 */
double iv_judge_worse(const iv_judge *a, const iv_judge *b);

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

#endif /* IV_ESTIMATE_ESTIMATE_PRIVATE_H */
