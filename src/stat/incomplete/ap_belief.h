/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a difference in AP while documents are judged one by one. */
#ifndef IV_STAT_INCOMPLETE_AP_BELIEF_H
#define IV_STAT_INCOMPLETE_AP_BELIEF_H

#include "intervale/stat/incomplete_judgments.h"

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
