/* SPDX-License-Identifier: Apache-2.0 */
/* The probability of relevance as a function of rank. */
#ifndef IV_STAT_INCOMPLETE_RANK_RELEVANCE_H
#define IV_STAT_INCOMPLETE_RANK_RELEVANCE_H

#include "intervale/stat/incomplete_judgments.h"

/*
 * Fits it to n judged documents with ranks >= 1, by maximum likelihood with
 * half a document of either kind added at the mean log rank, and a normal
 * prior of standard deviation 2 on the slope, so that it exists whatever the
 * data.  IV_ENODATA when n is 0, IV_EARG for a rank below 1.
 */
IV_MUST_CHECK int iv_rank_relevance_fit(iv_rank_relevance *out, const double *rank,
                                               const bool *relevant, size_t n, iv_err *err);

/* The relevance at a rank, strictly between 0 and 1. */
double iv_rank_relevance_at(const iv_rank_relevance *f, double rank);

#endif
