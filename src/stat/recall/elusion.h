/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Elusion: the proportion of relevant documents among those not retrieved.
 *
 * Elusion: what share of the documents that a search left behind is relevant, from a
 * random sample of them without replacement.  Everything here is exact, from the
 * hypergeometric distribution.
 */
#ifndef IV_STAT_RECALL_ELUSION_H
#define IV_STAT_RECALL_ELUSION_H

#include "intervale/stat/recall_intervals.h"

/*
 * The numbers of relevant documents in the stratum that the sample does not reject:
 * *least to *most, together with at least the confidence, or one-sided each by itself.
 * Confidence 0 is .95.  IV_EARG for a stratum or confidence that makes no sense.
 */
IV_MUST_CHECK int iv_elusion_limits(int64_t *least, int64_t *most, const iv_stratum *s,
                                           double confidence, bool one_sided, iv_err *err);

/*
 * A plan is the sample that is just accepted: judge `sampled` of `size` documents and accept when
 * no more than `relevant` of them are relevant.  Acceptance shows that the share is below a limit.
 * P(acceptance) when so many documents of all are relevant; NaN for a plan that makes no sense.
 */
double iv_elusion_accepts(const iv_stratum *plan, int64_t relevant);

/*
 * The least sample that shows a share below `limit`, in (0, 1], when it holds at most
 * `accept` relevant documents: whatever the truth at or above the limit, acceptance then
 * has a probability of at most 1 - confidence.  IV_EARG for what makes no sense;
 * IV_ENODATA when the limit is below one document or no sample is large enough.
 */
IV_MUST_CHECK int iv_elusion_size(iv_stratum *out, int64_t population,
                                         int64_t accept, double limit, double confidence,
                                         iv_err *err);

#endif
