/* SPDX-License-Identifier: Apache-2.0 */
/* What files of runs and samples hold that a reader should hear of. */
#ifndef COMPARE_NOTES_H
#define COMPARE_NOTES_H

#include "intervale/estimate.h"

/* Ranks against scores, several tags, the same file twice. */
void tell_run_files(iv_result *out, const iv_evaluated *v);

/* What is irregular in a sample, and in the estimator. */
void tell_irregular(iv_result *result, const iv_sampling *s, int unjudged,
                    iv_estimator estimator);

/* Of `count` means or differences the judgments' part is larger than the whole. */
void tell_excess(iv_result *result, size_t count, const char *what);

#endif /* COMPARE_NOTES_H */
