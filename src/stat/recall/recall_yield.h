/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The distribution of the number of relevant documents in a segment.
 *
 * The posterior of one segment's yield, and the one thing recall, F and the
 * total yield need of two of them: the probability beyond a straight line.
 */
#ifndef IV_STAT_RECALL_RECALL_YIELD_H
#define IV_STAT_RECALL_RECALL_YIELD_H

#include "intervale/num.h"
#include "intervale/stat/recall_intervals.h"

/*
 * A stratum's posterior yield: r + X, X beta-binomial of m trials, or r + m X,
 * X beta.
 */
typedef struct iv_curve {
    bool discrete;
    int64_t m;      /* documents not sampled */
    double r, a, b; /* parameters after the sample */
    double mean, sd;
    double low, high; /* the part that is kept */
} iv_curve;

/*
 * The posterior of a segment's yield: cells, each with its mass spread evenly; a cell of width 1
 * is an atom.
 */
typedef struct iv_yield {
    bool exact;       /* every cell is an atom */
    double low, high; /* of the support that is kept */
    double mean, sd;
    double size;      /* documents in the segment */
    bool none, all;   /* of the sampled documents are relevant */
    size_t cells;
    double *edge, *above; /* of cells + 1 edges: rising, and the mass above each */
    size_t edge_capacity, above_capacity;
    iv_pmf atoms;     /* the sum of strata */
    iv_curve *curves; /* one a stratum */
    size_t curve_count, curve_capacity;
} iv_yield;

void iv_yield_free(iv_yield *y);

/* Fills the curves, whose priors are given, and what they tell by themselves. */
IV_MUST_CHECK int iv_yield_curves(iv_yield *y, const iv_stratum *strata, size_t count,
                                  const double *a, const double *b, bool discrete,
                                  iv_err *err);

/* How fine cells are: probabilities good to 1e-6, or to about 1e-4 in studies. */
typedef struct iv_fineness {
    double atoms;      /* a support with no more atoms than this is exact */
    double fine;       /* width of a cell, in local scales */
    double points;     /* of the lattice on which strata are added up */
    double tolerance;  /* of a quantile, on the logit scale */
} iv_fineness;

extern const iv_fineness iv_fine, iv_coarse;

/* Then the cells. */
IV_MUST_CHECK int iv_yield_spread(iv_yield *y, iv_convolver *c, const iv_fineness *fineness,
                                  iv_err *err);

/* P(R >= k) for whole k, P(R > u) at any u (near: a cell near by, which is moved), P(R = 0). */
double iv_yield_at_least(const iv_yield *y, double k);
double iv_yield_above(const iv_yield *y, double u, size_t *near);

/* An event { quantity <= x }, or < x when strict. */
typedef struct iv_event {
    iv_recall_quantity quantity; /* recall, F or yield */
    bool strict;
    double x;
    double beta2; /* of F, squared */
    double N1;
} iv_event;

/* The probability of the event; 0/0 counts as recall 0.  NaN: no accuracy. */
double iv_event_probability(const iv_event *e, const iv_yield *retrieved,
                            const iv_yield *unretrieved);

#endif
