/* SPDX-License-Identifier: Apache-2.0 */
/* Recall from a sample of families: an e-mail with its attachments. */
#ifndef IV_REVIEW_RECALL_FAMILIES_H
#define IV_REVIEW_RECALL_FAMILIES_H

#include "base/memory.h"
#include "intervale/review.h"
#include "stat/interval/limits.h"

/*
 * Documents of a cell: a segment, of families with or without retrieved documents.  Sums are over
 * the sampled families that have documents in the cell.
 */
typedef struct iv_family_cell {
    int64_t size, families;      /* documents and families of the collection */
    int64_t sampled, judged, relevant; /* families of the sample; their documents */
    double nn, nr, rr;           /* sums of n^2, n r and r^2 of sampled families */
} iv_family_cell;

enum { IV_FAMILY_RETRIEVED, IV_FAMILY_BESIDE, IV_FAMILY_OUTSIDE, IV_FAMILY_CELLS };

/* Variance of the proportion of relevant documents over that of a simple random sample of as many
 * documents; at least 1, and with fewer than 50 relevant ones that of families which are alike
 * inside. */
double iv_family_effect(const iv_family_cell *c);

/*
 * The ratio of estimated totals and its limits.  The proportion of a cell has the posterior
 * Beta(r' + 1/2, n' - r' + 1/2) of its effective numbers: n' is n over the design effect, times
 * the squared ratio of the normal quantile and that of Student's t with one degree of freedom less
 * than families (Korn and Graubard 1998), over the proportion not sampled.  The posterior of
 * recall is a Latin hypercube of 4,000 points.  IV_ENODATA: a cell has no sampled family.
 */
IV_MUST_CHECK int iv_family_recall(iv_limits *out, double *estimate,
                                   const iv_family_cell cells[IV_FAMILY_CELLS], double confidence,
                                   bool one_sided, iv_err *err);

/* recall --families FILE --sample QRELS */
IV_MUST_CHECK int iv_recall_answer_families(iv_result *out, const iv_recall_question *q,
                                            const iv_work *work, iv_err *err);

extern const iv_field iv_recall_family_fields[];

#endif
