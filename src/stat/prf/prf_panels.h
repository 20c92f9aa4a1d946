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

typedef struct iv_panels {
    size_t count, capacity;
    double *edge;                          /* count + 1, increasing */
    double *before;                        /* count + 1: mass left of an edge */
    double (*density)[IV_PANEL_TERMS];     /* series on a panel */
    double (*mass)[IV_PANEL_TERMS + 1];    /* series of the mass since its edge */
} iv_panels;

/*
 * Tabulates g between the first and the last seed, with an error in mass of
 * about 1e-13.  The seeds are increasing and must show every peak: no peak may
 * hide between two of them.  g is not called at a seed.  On success *out,
 * which was {0}, is the caller's.  IV_ENUM when g is not finite or the mass is
 * not 1 to 1e-10.
 */
IV_MUST_CHECK int iv_panels_fill(iv_panels *out, iv_function g, void *user,
                                 const double *seeds, size_t count, iv_err *err);
void iv_panels_clear(iv_panels *p);

/* Outside the panels the density is 0. */
double iv_panels_density(const iv_panels *p, double at);
double iv_panels_slope(const iv_panels *p, double at);
double iv_panels_below(const iv_panels *p, double at);

/* Where the mass below reaches `mass`; an end if it never does. */
double iv_panels_quantile(const iv_panels *p, double mass);

/* Node k of Gauss' rule on [-1, 1] with IV_GAUSS_NODES nodes, and its weight:
 * exact for the product of two series of this table. */
enum { IV_GAUSS_NODES = 16 };
double iv_gauss_node(size_t k);
double iv_gauss_weight(size_t k);

#endif /* IV_STAT_PRF_PANELS_H */
