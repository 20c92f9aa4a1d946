/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A density on the line, tabulated as Chebyshev series on panels that are
 * halved until the series has converged; with its integral.
 *
 * Where a distribution is asked a thousand times (comparisons, quantiles of
 * differences) a look at the table takes 30 ns, whatever the density costs.
 */
#ifndef IV_STAT_PRF_PANELS_H
#define IV_STAT_PRF_PANELS_H

#include "intervale/num.h"

enum { IV_PANEL_TERMS = 16 };

typedef struct iv_judgess {
    size_t count, capacity;
    double *edge;                          /* count + 1, increasing */
    double *before;                        /* count + 1: mass left of an edge */
    double (*density)[IV_PANEL_TERMS];     /* series on a panel */
    double (*mass)[IV_PANEL_TERMS + 1];    /* series of the mass since its edge */
} iv_judgess;

/*
 * Tabulates g between the first and the last seed, with an error in mass of
 * about 1e-13.  The seeds are increasing and must show every peak: no peak may
 * hide between two of them.  g is not called at a seed.  On success *out,
 * which was {0}, is the caller's.  IV_ENUM when g is not finite or the mass is
 * not 1 to 1e-10.
 */
IV_MUST_CHECK int iv_judgess_fill(iv_judgess *out, iv_function g, void *user,
                                 const double *seeds, size_t count, iv_err *err);
void iv_judgess_clear(iv_judgess *p);

/* Outside the panels the density is 0. */
double iv_judgess_density(const iv_judgess *p, double at);
double iv_judgess_slope(const iv_judgess *p, double at);
double iv_judgess_below(const iv_judgess *p, double at);

/* Where the mass below reaches `mass`; an end if it never does. */
double iv_judgess_quantile(const iv_judgess *p, double mass);

/* Node k of Gauss' rule on [-1, 1] with IV_GAUSS_NODES nodes, and its weight:
 * exact for the product of two series of this table. */
enum { IV_GAUSS_NODES = 16 };
double iv_gauss_node(size_t k);
double iv_gauss_weight(size_t k);

#endif /* IV_STAT_PRF_PANELS_H */
