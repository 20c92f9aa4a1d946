/* SPDX-License-Identifier: Apache-2.0 */
/* Which measures exist, which are requested, and their summary over topics. */
#ifndef IV_MEASURE_MEASURES_H
#define IV_MEASURE_MEASURES_H

#include "intervale/measure.h"
#include "intervale/trec/relevance_judgments.h"
#include "intervale/trec/topic_join.h"

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

/* IV_EARG for a measure that judgments of the format cannot give. */
IV_MUST_CHECK int iv_measures_fit(const iv_measures *m, iv_judgments_format format,
                                  iv_err *err);

/* Without zeros that stand for defaults: level as it is, depth SIZE_MAX for all. */
iv_measure_options iv_measure_options_of(const iv_measure_options *options);

/*
 * The known names (measures and sets) nearest to a misspelt one, best first.
 * Fills at most `most` and returns how many; 0 when nothing is near.
 */
size_t iv_measure_nearest(const char **out, size_t most, const char *name);

/* Does a value depend on the largest grade of all judgments? */
bool iv_measures_scale(const iv_measures *m);

#endif
