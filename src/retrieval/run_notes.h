/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of runs and judgments, whatever they are evaluated for. */
#ifndef IV_RETRIEVAL_RUN_NOTES_H
#define IV_RETRIEVAL_RUN_NOTES_H

#include "intervale/retrieval.h"

/* The files that were read, as inputs of the result. */
void iv_tell_inputs(iv_result *out, const iv_source *source, const iv_evaluated *v);

/* Ranks against scores, several tags, the same file twice. */
void iv_tell_run_files(iv_result *out, const iv_evaluated *v);

/* Scores that tie, in single precision or at all, and unjudged documents near the top;
 * hint: what shows how much that matters, or "".  removed: they left the ranking. */
void iv_tell_float_ties(iv_result *out, const iv_evaluated *v);
void iv_tell_ties(iv_result *out, const iv_evaluated *v, const char *hint);
void iv_tell_unjudged(iv_result *out, const iv_evaluated *v, bool removed, const char *hint);

/* The proportion of unjudged documents among those that the first measure looks at; and the run
 * where it is largest. */
double iv_top_unjudged(const iv_evaluated_run *run);
size_t iv_most_unjudged(const iv_evaluated *v);

/* Measures of subtopics where there is one. */
void iv_tell_subtopics(iv_result *out, const iv_evaluated *v);
/* Has every run a mean of 0, since no judgment reaches the grade that is relevant? */
bool iv_none_relevant(const iv_evaluated *v, size_t measure);

/* Measures of which that is so, what stands for the highest grade, and judgments none of which is
 * of a document that is not relevant.  removed: unjudged documents left the ranking. */
void iv_tell_grades(iv_result *out, const iv_evaluated *v, bool removed);

/* IV_ENODATA, with the run: none of its documents is judged, or more than 0.05 of what a
 * measure looks at is outside of the sampled frame, and no difference can be tested. */
int iv_check_frame(const iv_evaluated *v, iv_err *err);

/* Topics that count as 0 because the sample missed their relevant documents: true if it is said. */
bool iv_tell_unseen(iv_result *out, const iv_evaluated *v);

/* What is irregular in a sample, and in the estimator. */
void iv_tell_irregular(iv_result *out, const iv_evaluated *v, iv_unjudged unjudged);

#endif
