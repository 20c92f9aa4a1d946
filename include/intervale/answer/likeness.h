/* SPDX-License-Identifier: Apache-2.0 */
/* How alike are runs, without judgments? */
#ifndef INTERVALE_ANSWER_LIKENESS_H
#define INTERVALE_ANSWER_LIKENESS_H

#include "intervale/estimate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* {0} but for two runs or more is what the tool does without options. */
typedef struct iv_overlap_question {
    iv_source from; /* the runs; judgments do not count */
    iv_overlap_options how;
    iv_resampling resampling;
} iv_overlap_question;

/*
 * Compares every pair of runs on the topics that both have.  Tables: pairs (means over
 * topics with intervals), judging (which documents tell the runs apart), topics (the
 * most different first).  IV_EARG for fewer than two runs or an option outside its
 * domain, IV_ENODATA for runs that share no topic.
 */
IV_API IV_MUST_CHECK int iv_answer_overlap(iv_result *out, const iv_overlap_question *question,
                                           const iv_work *work, iv_err *err);

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_ANSWER_LIKENESS_H */
