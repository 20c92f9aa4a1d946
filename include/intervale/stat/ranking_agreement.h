/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How alike are two rankings?  Rank-biased overlap of lists that need not hold the
 * same items nor be of one length, and AP correlation of scores of the same items.
 *
 * Refs: Webber, Moffat and Zobel (2010); Corsi and Urbano (2024); Yilmaz, Aslam and
 * Robertson (2008); Urbano and Marrero (2017).  doc/methods/rankings.md has the
 * formulas.
 */
#ifndef INTERVALE_STAT_RANKING_AGREEMENT_H
#define INTERVALE_STAT_RANKING_AGREEMENT_H

#include "intervale/base.h"

IV_BEGIN_C

/* What a tie means. */
typedef enum iv_rbo_ties {
    IV_RBO_AVERAGE, /* not known who comes first: the mean over all orders */
    IV_RBO_SHARED,  /* the same, over what a list would have with itself */
    IV_RBO_EQUAL    /* all stand at the same rank, as in sports */
} iv_rbo_ties;

/* "average", "shared", "equal", NULL; in the papers a, b and w. */
IV_API IV_EXPERIMENTAL const char *const *iv_rbo_ties_names(void);

/* A list, the best first; each item is there once. */
typedef struct iv_ranked_items {
    const uint32_t *items;
    const double *scores; /* items of one score are tied and stand together; NULL: no ties */
    size_t count;
} iv_ranked_items;

/* ----------------------------------------------------- rankings of systems -- */
typedef struct iv_orders {
    double tau, tau_ap, rbo;
} iv_orders;

IV_END_C

#endif
