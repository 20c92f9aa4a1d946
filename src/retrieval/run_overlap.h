/* SPDX-License-Identifier: Apache-2.0 */
/* How similar two runs are on a topic. */
#ifndef IV_RETRIEVAL_RUN_OVERLAP_H
#define IV_RETRIEVAL_RUN_OVERLAP_H

#include "intervale/retrieval.h"

/*
 * Topic `at_a` of run a beside topic `at_b` of run b.  IV_EARG as iv_rbo_of().  Ties
 * count in rank-biased overlap and the correlations; "the first" are as the run ranks
 * them.  n log n in the documents; asks work between its steps, each a second or less for a
 * million of them.
 */
IV_MUST_CHECK int iv_run_overlap(iv_overlapping *out, const iv_run *a, size_t at_a,
                                 const iv_run *b, size_t at_b, const iv_overlap_options *options,
                                 const iv_work *work, iv_err *err);

#endif
