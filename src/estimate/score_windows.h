/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluating files sorted by topic in bounded memory. */
#ifndef IV_ESTIMATE_SCORE_WINDOWS_H
#define IV_ESTIMATE_SCORE_WINDOWS_H

#include "estimate/part_file.h"
#include "trec/windows.h"

/* How many of the runs are read as wholes side by side, by a thread each: few are read one
 * after the other, by all threads. */
size_t iv_runs_abreast(size_t count, const iv_work *work);

/* Can files be read in windows, as far as the question tells, and is it worth it? */
bool iv_windows_fit(const iv_source *source, const iv_evaluating *o, const iv_work *work);

/*
 * Opens the files and tells of e's judgments what measures need.  IV_NOT_TAKEN, with the
 * reason in err: they have to be read as wholes.
 */
IV_MUST_CHECK int iv_windows_prepare(iv_evaluation *e, iv_windows *w, const iv_source *source,
                                     const iv_evaluating *o, iv_judgments_format format,
                                     const iv_work *work, iv_err *err);

/* Fills e's scores, the names of judged topics and how many there are. */
IV_MUST_CHECK int iv_score_windows(iv_evaluation *e, iv_windows *w, const iv_work *work,
                                   iv_err *err);

/* Puts judged topics that came in another order into that of bytes, with all scores. */
IV_MUST_CHECK int iv_sort_topics(iv_evaluation *e, iv_err *err);

#endif /* IV_ESTIMATE_SCORE_WINDOWS_H */
