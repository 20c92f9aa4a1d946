/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recall when part of the labels were checked a second time.
 *
 * Recall with assessor error, by double sampling: of a sample that one assessor judged, a random
 * part of each label was judged again by an assessor who is right.
 *
 * Ref: Webber, Oard, Scholer and Hedin (2010), CIKM; Tenenbein (1970), JASA 65.
 */
#ifndef IV_STAT_RECALL_RECALL_RECHECKED_H
#define IV_STAT_RECALL_RECALL_RECHECKED_H

#include "intervale/stat/recall_intervals.h"

/* A segment: the first assessor's sample, and what was rechecked of each label: size is the
 * number of documents with the label, sampled those rechecked, relevant those truly relevant.
 * strata: the parts of `first`, where it was sampled in several; NULL: one.  Both labels are then
 * as often wrong in all of them. */
typedef struct iv_rechecked {
    iv_stratum first, yes, no;
    const iv_stratum *strata;
    size_t count;
} iv_rechecked;

/* From N, n, r and k, c, m, d.  IV_EARG, with the reason and the name of the segment, for numbers
 * that contradict one another; IV_ENODATA where a label that was given was not rechecked. */
IV_MUST_CHECK int iv_rechecked_of(iv_rechecked *out, const int64_t sample[3],
                                  const int64_t rechecked[4], const char *segment, iv_err *err);

/* The estimated number of relevant documents: N (r/n c/k + (1 - r/n) d/m). */
double iv_rechecked_estimate(const iv_rechecked *x);

/* Truly relevant documents among those that were rechecked. */
int64_t iv_rechecked_found(const iv_rechecked *x);

/*
 * Draws of the number of relevant documents from its posterior: how many documents the first
 * assessor would call relevant, and how many of both labels are, are beta-binomial, each with
 * the prior Beta(1/2, 1/2).  side: 0 or 1, whose draws are independent.
 */
void iv_rechecked_draw(double *out, size_t count, const iv_rechecked *x, uint64_t seed, int side);

/*
 * The fewest and the most relevant documents, each wrong with a probability of at most `error`:
 * exact (hypergeometric) limits of how many documents have a label, and of how many of these are
 * relevant, together by Bonferroni's inequality.  Conservative.
 */
IV_MUST_CHECK int iv_rechecked_limits(int64_t *least, int64_t *most, const iv_rechecked *x,
                                      double error, iv_err *err);

#endif
