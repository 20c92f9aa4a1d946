/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/estimate.h beside what programs do. */
#ifndef IV_ESTIMATE_JUDGE_PRIVATE_H
#define IV_ESTIMATE_JUDGE_PRIVATE_H

#include "intervale/estimate.h"

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

#endif /* IV_ESTIMATE_JUDGE_PRIVATE_H */
