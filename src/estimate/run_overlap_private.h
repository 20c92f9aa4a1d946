/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/estimate/run_overlap.h beside what programs do. */
#ifndef IV_ESTIMATE_RUN_OVERLAP_PRIVATE_H
#define IV_ESTIMATE_RUN_OVERLAP_PRIVATE_H

#include "intervale/estimate/run_overlap.h"

/*
 * Topic `at_a` of run a beside topic `at_b` of run b.  IV_EARG as iv_rbo_of().  Ties
 * count in rank-biased overlap and the correlations; "the first" are as the run ranks
 * them.  n log n in the documents.
 */
IV_MUST_CHECK int iv_run_overlap(iv_overlapping *out, const iv_run *a, size_t at_a,
                                        const iv_run *b, size_t at_b,
                                        const iv_overlap_options *options, iv_err *err);

#endif /* IV_ESTIMATE_RUN_OVERLAP_PRIVATE_H */
