/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How alike are two rankings?  Rank-biased overlap of lists that need not hold the
 * same items nor be of one length, and AP correlation of scores of the same items.
 *
 * Refs: Webber, Moffat and Zobel (2010); Corsi and Urbano (2024); Yilmaz, Aslam and
 * Robertson (2008); Urbano and Marrero (2017).  doc/methods/rankings.md has the
 * formulas.
 */
#ifndef INTERVALE_STAT_RANK_H
#define INTERVALE_STAT_RANK_H

#include "intervale/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a tie means. */
typedef enum iv_rbo_ties {
    IV_RBO_AVERAGE, /* not known who comes first: the mean over all orders */
    IV_RBO_SHARED,  /* the same, over what a list would have with itself */
    IV_RBO_EQUAL    /* all stand at the same rank, as in sports */
} iv_rbo_ties;

/* "average", "shared", "equal", NULL; in the papers a, b and w. */
IV_API const char *const *iv_rbo_ties_names(void);

/* A list, the best first; each item is there once. */
typedef struct iv_ranked_items {
    const uint32_t *items;
    const double *scores; /* items of one score are tied and stand together; NULL: no ties */
    size_t count;
} iv_ranked_items;

typedef struct iv_rbo {
    double value;        /* extrapolated: as if the agreement seen went on */
    double lower, upper; /* whatever follows the ends of the lists; with IV_RBO_AVERAGE only */
} iv_rbo;

/*
 * Rank-biased overlap of two lists of items below `items`; p in (0, 1) is the
 * persistence, 0: .9.  IV_EARG for another p or an empty list.  Linear.
 */
IV_API IV_MUST_CHECK int iv_rbo_of(iv_rbo *out, const iv_ranked_items *a,
                                   const iv_ranked_items *b, size_t items, double p,
                                   iv_rbo_ties ties, iv_err *err);

/*
 * tau_AP of scores of n items, the largest first: down the order of x, the share of
 * the items above that truth has above as well; 2 share - 1.  Ties, in either, are
 * averaged over their orders.  NaN when n < 2.  O(n log n); IV_ENOMEM only.
 */
IV_API IV_MUST_CHECK int iv_tau_ap(double *out, const double *truth, const double *x, size_t n,
                                   iv_err *err);

/*
 * The symmetric one for two orders of which neither is the truth: the mean of both
 * directions, a tie in either is no agreement, and items tied with the first are no
 * pivots.  NaN where one side is constant.
 */
IV_API IV_MUST_CHECK int iv_tau_ap_b(double *out, const double *x, const double *y, size_t n,
                                     iv_err *err);

/* ----------------------------------------------------- rankings of systems -- */

typedef struct iv_orders {
    double tau, tau_ap, rbo;
} iv_orders;

/*
 * a and b are scores of the same systems on the same topics, [system * topics + topic], all
 * finite.  How similar are the rankings of the systems by their means?  a is the truth of
 * tau_AP; tau-b and tau_AP are NaN where all systems of a ranking are tied.  persistence is
 * that of RBO, 0: 0.9.  There are no intervals: resampling topics shuffles close systems twice.
 * IV_EARG for a value that is not finite, fewer than two systems, no topics.
 */
IV_API IV_MUST_CHECK int iv_orders_agree(iv_orders *out, const double *a, const double *b,
                                         size_t systems, size_t topics, double persistence,
                                         iv_err *err);

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_STAT_RANK_H */
