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
#ifndef INTERVALE_STAT_INCOMPLETE_H
#define INTERVALE_STAT_INCOMPLETE_H

#include "intervale/base.h"

IV_BEGIN_C

/* ------------------------------------------------------- mean and variance -- */

/* How the moments of the ratio are found. */
typedef enum iv_moments_form {
    IV_MOMENTS_DELTA, /* with S that varies too, to second order: the default */
    IV_MOMENTS_PLAIN, /* E Q / E S and Var Q / (E S)^2, as printed */
    IV_MOMENTS_EXACT  /* by quadrature, to 1e-12; slow on large pools */
} iv_moments_form;

/* "delta", "plain", "exact", NULL. */
IV_API const char *const *iv_moments_form_names(void);

typedef struct iv_moments {
    double mean, variance;
} iv_moments;

/*
 * The moments of dAP, a less b, over m documents.  O(m log m) in time and O(m)
 * in memory; the exact form some hundreds of times as long.  IV_EARG for a
 * relevance outside [0, 1] or two documents at one rank, IV_ENUM when the
 * quadrature fails.
 */
IV_API IV_MUST_CHECK int iv_ap_difference(iv_moments *out, const uint32_t *rank_a,
                                          const uint32_t *rank_b, const double *relevance,
                                          size_t m, iv_moments_form form, iv_err *err);

/*
 * P(difference < 0) by the normal distribution: 0 or 1 when the variance is 0,
 * 1/2 when mean and variance are.
 */
IV_API double iv_probability_less(iv_moments d);

/* How sure one is of the sign: the larger of that and its complement. */
IV_API double iv_sign_confidence(iv_moments d);

/*
 * No normal distribution is ever sure.  From this confidence on nobody will
 * make another judgment, and it counts as 1.
 */
#define IV_CERTAIN 0.9995

/*
 * Limits that dAP cannot leave, however documents of a relevance strictly
 * between 0 and 1 turn out; not always attained.  O(m log m).  If both have
 * the same sign, nothing can change it.
 */
IV_API IV_MUST_CHECK int iv_ap_difference_limits(double *lower, double *upper,
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
 * O(m log m) for each pair.  IV_EARG as above.  *out is the caller's:
 * iv_ap_belief_free().
 */
IV_API IV_MUST_CHECK int iv_ap_belief_new(iv_ap_belief **out, const uint32_t *const *ranks,
                                          size_t systems, const double *relevance, size_t m,
                                          iv_err *err);
IV_API void iv_ap_belief_free(iv_ap_belief *b);

/*
 * From now on a pair is about its own documents, as if no other systems were
 * there: what neither of the two ranks counts only when it is known to be
 * relevant, and not even then with `union_only`.  Before the first judgment.
 */
IV_API void iv_ap_belief_restrict(iv_ap_belief *b, bool union_only);

/*
 * Document i was judged.  O(m) for each pair.  A judgment of what is already
 * judged changes it.
 */
IV_API void iv_ap_belief_judge(iv_ap_belief *b, size_t i, bool relevant);

/* The relevance of document i: 0 or 1 if it is judged. */
IV_API double iv_ap_belief_relevance(const iv_ap_belief *b, size_t i);

/*
 * Moments of the difference of pair iv_pair_index(systems, a, b), a < b, in
 * plain or delta form; exact ones come in delta form too.  O(1).
 */
IV_API iv_moments iv_ap_belief_moments(const iv_ap_belief *b, size_t pair,
                                       iv_moments_form form);

/*
 * How far the judgment of document i is expected to move the expected
 * difference: 2 p (1 - p) |E(dAP | relevant) - E(dAP | not)|, in plain form,
 * summed over the pairs with wanted[pair] set (NULL: all).  0 if it is judged.
 */
IV_API double iv_ap_belief_movement(const iv_ap_belief *b, size_t i, const bool *wanted);

/*
 * E(dAP | relevant) - E(dAP | not) of document i, in plain form; 0 for a document that
 * is not of the pair.
 */
IV_API double iv_ap_belief_change(const iv_ap_belief *b, size_t i, size_t pair);

/*
 * The document that moves it most, SIZE_MAX if none moves it; of equal ones
 * (to 1e-12) that of the better best rank, then the first.  open (NULL: all)
 * says which documents may be chosen.  movement may be NULL.  O(m) for each
 * pair.
 */
IV_API size_t iv_ap_belief_next(double *movement, const iv_ap_belief *b, const bool *wanted,
                                const bool *open);

/* Limits as above for systems a and b. */
IV_API IV_MUST_CHECK int iv_ap_belief_limits(double *lower, double *upper,
                                             const iv_ap_belief *b, size_t x, size_t y,
                                             iv_err *err);

/* --------------------------------------------------- relevance by rank -- */

/*
 * The share of relevant documents as it falls with rank: a logistic curve in
 * the logarithm of the rank.
 */
typedef struct iv_rank_relevance {
    double intercept, slope; /* logit p = intercept + slope log(rank) */
    size_t judged, relevant; /* documents it was fitted to */
} iv_rank_relevance;

/*
 * Fits it to n judged documents with ranks >= 1, by maximum likelihood with
 * half a document of either kind added at the mean log rank, and a normal
 * prior of standard deviation 2 on the slope, so that it exists whatever the
 * data.  IV_ENODATA when n is 0, IV_EARG for a rank below 1.
 */
IV_API IV_MUST_CHECK int iv_rank_relevance_fit(iv_rank_relevance *out, const double *rank,
                                               const bool *relevant, size_t n, iv_err *err);

/* The relevance at a rank, strictly between 0 and 1. */
IV_API double iv_rank_relevance_at(const iv_rank_relevance *f, double rank);

IV_END_C

#endif /* INTERVALE_STAT_INCOMPLETE_H */
