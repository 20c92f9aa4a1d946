/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums over pairs of documents, shared by the moments, the belief and the
 * limits of a difference in average precision.
 */
#ifndef IV_STAT_INCOMPLETE_INCOMPLETE_PRIVATE_H
#define IV_STAT_INCOMPLETE_INCOMPLETE_PRIVATE_H

#include "stat/stat_private.h"

/* ------------------------------------------------------- mean and variance -- */

/* "delta", "plain", NULL. */
const char *const *iv_moments_form_names(void);

/*
 * P(difference < 0) by the normal distribution: 0 or 1 when the variance is 0,
 * 1/2 when mean and variance are.
 */
double iv_probability_less(iv_moments d);

/* How sure one is of the sign: the larger of that and its complement. */
double iv_sign_confidence(iv_moments d);

/*
 * No normal distribution is ever sure.  From this confidence on nobody will
 * make another judgment, and it counts as 1: three decimals print it so.
 */
#define IV_CERTAIN 0.9995

/*
 * Limits that dAP cannot leave, however documents of a relevance strictly
 * between 0 and 1 turn out; not always attained.  O(m log m).  If both have
 * the same sign, nothing can change it.
 */
IV_MUST_CHECK int iv_ap_difference_limits(double *lower, double *upper,
                                                 const uint32_t *rank_a,
                                                 const uint32_t *rank_b,
                                                 const double *relevance, size_t m,
                                                 iv_err *err);

/* ---------------------------------------------- judging one by one -- */

/*
 * What is believed of the average precision of some systems on one topic while
 * its documents are judged one after the other.
 */
typedef struct iv_ap_belief iv_ap_belief;

/*
 * ranks[s][i] is the rank of document i in system s of `systems` >= 2.  Takes
 * O(m log m) for each pair; with `order_only` O(m) for each system: it has no pairs, and says only
 * what to judge next.  IV_EARG as above.  *out is the caller's: iv_ap_belief_free().
 */
IV_MUST_CHECK int iv_ap_belief_new(iv_ap_belief **out, const uint32_t *const *ranks,
                                          size_t systems, const double *relevance, size_t m,
                                          bool order_only, iv_err *err);
void iv_ap_belief_free(iv_ap_belief *b);

/*
 * From now on a pair is about its own documents, as if no other systems were
 * there: what neither of the two ranks counts only when it is known to be
 * relevant, and not even then with `union_only`.  Before the first judgment.
 */
void iv_ap_belief_restrict(iv_ap_belief *b, bool union_only);

/*
 * Document i was judged.  O(m) for each pair.  A judgment of what is already
 * judged changes it.
 */
void iv_ap_belief_judge(iv_ap_belief *b, size_t i, bool relevant);

/* The relevance of document i: 0 or 1 if it is judged. */
double iv_ap_belief_relevance(const iv_ap_belief *b, size_t i);

/*
 * Moments of the difference of pair iv_pair_index(systems, a, b), a < b.  O(1).
 */
iv_moments iv_ap_belief_moments(const iv_ap_belief *b, size_t pair,
                                       iv_moments_form form);

/*
 * How far the judgment of document i is expected to move the expected difference:
 * 2 p (1 - p) |E(dAP | relevant) - E(dAP | not)|, in plain form, summed over the pairs with
 * wanted[pair] set (NULL: all) that rank it; the number of relevant documents is that of all
 * systems.  0 of what is judged.  With `order_only` wanted is not looked at, and it takes
 * O(n log n) for n systems, else O(1) for each pair.
 */
double iv_ap_belief_movement(const iv_ap_belief *b, const bool *wanted, size_t i);

/*
 * The document that moves it most, SIZE_MAX if none moves it; of equal ones
 * (to 1e-12) that of the better best rank, then the first.  open (NULL: all)
 * says which documents may be chosen.  movement may be NULL.
 */
size_t iv_ap_belief_next(double *movement, const iv_ap_belief *b, const bool *wanted,
                                const bool *open);

/* Limits as above for systems a and b. */
IV_MUST_CHECK int iv_ap_belief_limits(double *lower, double *upper,
                                             const iv_ap_belief *b, size_t x, size_t y,
                                             iv_err *err);

/* --------------------------------------------------- relevance by rank -- */

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

/*
 * One system's ranking of m documents: 1/rank (0: not returned), the documents
 * from the first rank to the last, those not returned behind them in the order
 * of their numbers, and the place of each document in that order.
 */
typedef struct iv_rank_order {
    double *inverse;
    uint32_t *order, *place;
} iv_rank_order;

/* Prefix sums that can be updated (Fenwick 1994); one value or three a place. */
typedef struct iv_fenwick {
    double *tree; /* m * width */
    size_t m, width;
} iv_fenwick;

#endif
