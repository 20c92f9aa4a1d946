/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/measure.h beside what programs do. */
#ifndef IV_MEASURE_MEASURE_PRIVATE_H
#define IV_MEASURE_MEASURE_PRIVATE_H

#include "intervale/measure.h"

/* All measures in the order trec_eval prints them, then those it lacks; static.  NULL behind
 * the last. */
const iv_measure_info *iv_measure_at(size_t i);

/* The measure with this name of either family, bare; NULL: there is none. */
const iv_measure_info *iv_measure_find(const char *name);

/* All of these; static.  Returns how many. */
size_t iv_measure_sets(const iv_measure_info **out);

/* How exactly scores are to be looked at: version 9 cuts them to float. */
iv_precision iv_precision_of(iv_dialect dialect);

/*
 * Parses `count` names with their parameters.  IV_EARG, with a message that
 * says what was expected or names the nearest names, for anything that cannot
 * be computed.  options may be NULL: the defaults.  On success *out is the
 * caller's: iv_measures_free().
 */
IV_MUST_CHECK int iv_measures_parse(iv_measures **out,
                                           const char *const *names,
                                           size_t count,
                                           const iv_measure_options *options,
                                           iv_err *err);

void iv_measures_free(iv_measures *m);

/* How many values a topic has, and the i-th, i below that; borrowed from m. */
size_t iv_measures_count(const iv_measures *m);

const iv_value_info *iv_measures_value(const iv_measures *m, size_t i);

/* The gain that the i-th value (nDCG and its kin) gives to a grade. */
double iv_measures_gain(const iv_measures *m, size_t i, int32_t grade);

/*
 * largest_grade: of the whole of the judgments, for ERR and graded RBP (see
 * iv_largest_grade()); IV_ENODATA when one of those is asked for without max=
 * and it is below 1.  m must outlive the scorer.
 */
IV_MUST_CHECK int iv_scorer_new(iv_scorer **out, const iv_measures *m,
                                       int32_t largest_grade, iv_err *err);

void iv_scorer_free(iv_scorer *s);

/*
 * Fills iv_measures_count() values for a topic; a text's is 0, see
 * iv_scorer_text().  A topic without judgments or without documents is
 * allowed.  Linear in hits and judgments.  Fails only for want of memory, or
 * with IV_EARG beyond 4,294,967,000 documents; values may then be half filled.
 */
IV_MUST_CHECK int iv_scorer_topic(double *values, iv_scorer *s,
                                         const iv_joined *topic, iv_err *err);

/*
 * The same for a judged topic that the run misses: what -c adds.  As an empty
 * ranking, but for utility, which is 0.
 */
IV_MUST_CHECK int iv_scorer_missing(double *values, iv_scorer *s,
                                           const iv_judgment *judged,
                                           size_t judged_count, iv_err *err);

/*
 * The text of the i-th value for the topic last scored, terminated, or NULL
 * when the value is no text or not the topic's (runid).  Valid until the next
 * topic.
 */
const char *iv_scorer_text(const iv_scorer *s, size_t i);

/*
 * One value each over `topics` rows of iv_measures_count() values, in the
 * order of the rows; 0 where a measure has none.  above_0: judgments above 0,
 * when topics the run misses are among the rows (-c), else -1; trec_eval
 * then counts every judgment above 0 in num_rel, whatever the level, and so do
 * we.  IV_ENODATA when topics is 0.
 */
IV_MUST_CHECK int iv_measures_summary(double *out, const iv_measures *m, const double *rows,
                                      size_t topics, double above_0, iv_err *err);

/*
 * The line trec_eval prints for a value, newline included, whatever the
 * locale: name, topic ("all" for a summary) and the value, four digits behind
 * the point unless it is a count, or the text (NULL reads as empty).  Returns
 * the length of the line; writes no more than size bytes, always terminated.
 */
size_t iv_trec_line(char *out, size_t size, const iv_value_info *value,
                           iv_str topic, double number, const char *text);

#endif /* IV_MEASURE_MEASURE_PRIVATE_H */
