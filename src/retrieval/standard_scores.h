/* SPDX-License-Identifier: Apache-2.0 */
/* Values as distances from the mean of reference runs, in their standard deviations. */
#ifndef IV_RETRIEVAL_STANDARD_SCORES_H
#define IV_RETRIEVAL_STANDARD_SCORES_H

#include "intervale/measure.h"

/* Means and deviations by topic and measure. */
typedef struct iv_standards iv_standards;

/* Reads lines of topic, measure, mean, deviation.  *out: iv_standards_free(). */
IV_MUST_CHECK int iv_standards_load(iv_standards **out, const char *path,
                                    const iv_work *work, iv_err *err);
void iv_standards_free(iv_standards *s);

/*
 * Replaces a row of values by standard scores.  What has no reference, or one without
 * spread that is not met, is refused; lenient: -1000000, as trec_eval says it.
 */
IV_MUST_CHECK int iv_standardize(double *row, const iv_standards *s, const iv_measures *m,
                                 iv_str topic, bool lenient, iv_err *err);

#endif /* IV_RETRIEVAL_STANDARD_SCORES_H */
