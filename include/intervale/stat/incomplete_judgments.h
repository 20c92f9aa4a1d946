/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Average precision while only some documents are judged.
 *
 * Each document of a topic is relevant with a probability of its own, 0 or 1
 * once it is judged, independently of the others.  The difference in average
 * precision of two systems is then a random number,
 *
 *     dAP = Q / S,   Q = sum over i <= j of c_ij X_i X_j,   S = sum of X_i,
 *     c_ij = 1 / max(rank_a(i), rank_a(j)) - 1 / max(rank_b(i), rank_b(j)),
 *
 * with X_i = 1 for a relevant document, and 1/rank = 0 for one that a system
 * does not return; dAP = 0 when nothing is relevant.  Its mean and variance say
 * how sure one is who is better, and which judgment would say most about it.
 *
 * The documents are numbered from 0; rank[i] counts from 1, 0 for a document
 * that the system does not return.  Documents that neither returns may be
 * among them: they count in S.  relevance[i] is in [0, 1].
 *
 * Refs: Carterette, Allan and Sitaraman (2006), SIGIR, 268-275; Carterette and
 * Smucker (2007), CIKM.  doc/methods/incomplete.md corrects the latter.
 */
#ifndef INTERVALE_STAT_INCOMPLETE_JUDGMENTS_H
#define INTERVALE_STAT_INCOMPLETE_JUDGMENTS_H

#include "intervale/base.h"

IV_BEGIN_C

/* How the moments of the ratio are found. */
typedef enum iv_moments_form {
    IV_MOMENTS_DELTA, /* with S that varies too, to second order: the default */
    IV_MOMENTS_PLAIN  /* E Q / E S and Var Q / (E S)^2, as printed */
} iv_moments_form;

typedef struct iv_moments {
    double mean, variance;
} iv_moments;

/*
 * The proportion of relevant documents as it falls with rank: a logistic curve in
 * the logarithm of the rank.
 */
typedef struct iv_rank_relevance {
    double intercept, slope; /* logit p = intercept + slope log(rank) */
    size_t judged, relevant; /* documents it was fitted to */
} iv_rank_relevance;

IV_END_C

#endif
