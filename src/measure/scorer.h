/* SPDX-License-Identifier: Apache-2.0 */
/* Scores topics of runs by the requested measures. */
#ifndef IV_MEASURE_SCORER_H
#define IV_MEASURE_SCORER_H

#include "intervale/measure.h"
#include "intervale/trec/relevance_judgments.h"
#include "intervale/trec/topic_join.h"

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

/* Who is asked, from then on, while a topic takes long; NULL, as at first: nobody. */
void iv_scorer_asks(iv_scorer *s, const iv_work *work);

#endif
