/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums over pairs of documents, shared by the moments, the belief and the
 * limits of a difference in average precision.
 */
#ifndef IV_STAT_INCOMPLETE_H
#define IV_STAT_INCOMPLETE_H

#include "intervale/stat/incomplete.h"

/*
 * One system's ranking of m documents: 1/rank (0: not returned), the documents
 * from the first rank to the last, those not returned behind them in the order
 * of their numbers, and the place of each document in that order.  The arrays
 * are the caller's.
 */
typedef struct iv_rank_order {
    double *inverse;
    uint32_t *order, *place;
} iv_rank_order;

/* Fills r for m ranks; IV_EARG for one rank twice. */
IV_MUST_CHECK int iv_rank_order_fill(iv_rank_order *r, const uint32_t *rank, size_t m, iv_err *err);

/* IV_EARG unless every relevance is in [0, 1] and m below 2^32. */
IV_MUST_CHECK int iv_relevance_check(const double *relevance, size_t m, iv_err *err);

/*
 * sums[i] = 1/rank(i) + sum over j != i of p_j / max(rank(i), rank(j)): how
 * much E Q of this system grows if document i is relevant.  O(m).
 */
void iv_linear_sums(double *sums, const iv_rank_order *r, const double *p, size_t m);

/* Prefix sums that can be updated (Fenwick 1994); one value or three a place. */
typedef struct iv_fenwick {
    double *tree; /* m * width */
    size_t m, width;
} iv_fenwick;

void iv_fenwick_clear(iv_fenwick *f);

/* Adds value[0 ... width - 1] at a place. */
void iv_fenwick_add(iv_fenwick *f, size_t place, const double *value);

/* The sums over the first `places` places, into sum[0 ... width - 1]. */
void iv_fenwick_sum(double *sum, const iv_fenwick *f, size_t places);

/*
 * Sum over i < j of c_ij^2 v_i v_j; scratch has room for 4 m.  O(m log m), m
 * counted without documents of v = 0.
 */
double iv_pair_squares(const iv_rank_order *a, const iv_rank_order *b, const double *v, size_t m,
                       double *scratch);

/* What a pair of systems' Q and S have in common, and their moments. */
typedef struct iv_ratio_sums {
    double q;         /* E Q */
    double var_q;     /* Var Q */
    double covariance; /* of Q and S */
    double s, var_s;  /* E S, Var S */
} iv_ratio_sums;

iv_moments iv_ratio_moments(const iv_ratio_sums *x, iv_moments_form form);

/* iv_ap_belief_new(), if asked without what only variances need. */
IV_MUST_CHECK int iv_ap_belief_make(iv_ap_belief **out, const uint32_t *const *ranks, size_t systems,
                                    const double *relevance, size_t m, bool means_only, iv_err *err);

#endif /* IV_STAT_INCOMPLETE_H */
