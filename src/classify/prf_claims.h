/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence for claims on classifiers. */
#ifndef IV_CLASSIFY_PRF_CLAIMS_H
#define IV_CLASSIFY_PRF_CLAIMS_H

#include "intervale/classify.h"

/* Evidence for a claim on an estimate, and for one on two systems, of labels: exact where it can
 * be.  Other claims are left as they are. */
void iv_prf_claim_one(iv_claim *c, const iv_prf_evaluation *e, const iv_prf_estimate *x);
void iv_prf_claim_pair(iv_claim *c, const iv_labels *l, size_t system, size_t baseline);

/* The intervals that are shown beside such claims become the two-sided ones of their tests. */
void iv_prf_show_claims(const iv_result *r, const iv_prf_evaluation *e, const iv_labels *l);

/* Evidence for a claim on the AUC of a system less that of the baseline, both by name; the
 * difference that is shown, perhaps turned, gets the two-sided limits and p of that test. */
IV_MUST_CHECK int iv_roc_claim(iv_claim *c, iv_interval *shown, double *p, bool turned,
                               const iv_scored_system *systems, size_t count,
                               const bool *positive, size_t items, iv_err *err);

#endif
