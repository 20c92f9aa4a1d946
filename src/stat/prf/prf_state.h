/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this part share: checks, posteriors, sums, draws. */
#ifndef IV_STAT_PRF_STATE_H
#define IV_STAT_PRF_STATE_H

#include <stdbool.h>

#include "base/memory.h"
#include "intervale/num.h"
#include "intervale/stat/prf.h"

/* ---------------------------------------------------------- prf checks -- */

/* Options, with their defaults filled in and their domains checked. */

/* 0 becomes .95; IV_EARG outside (0, 1). */
IV_MUST_CHECK int iv_prf_check_confidence(double *confidence, iv_err *err);

/* 0 becomes the default; IV_EARG outside (0, 1e6]. */
IV_MUST_CHECK int iv_prf_check_prior(iv_prf_prior *prior, iv_err *err);

/* 0 becomes IV_PRF_DRAWS; IV_EARG outside what is allowed. */
IV_MUST_CHECK int iv_prf_check_kind(iv_prf_kind kind, iv_err *err);
IV_MUST_CHECK int iv_prf_check_draws(size_t *draws, iv_err *err);

/* iv_summarise_draws() with equal tails and without the mode, which takes most of the time of few
 * draws. */
IV_MUST_CHECK int iv_summarise_gap(iv_drawn_summary *out, double *draws, size_t count,
                                   double confidence, iv_err *err);

/*
 * The least coverage of the interval with equal tails, over truths, for as many items as c
 * has.  Of precision, recall, specificity, accuracy and F1; NaN of others, and without items.
 * Some milliseconds.
 */
double iv_prf_least_coverage(const iv_prf_counts *c, iv_prf_metric m, iv_prf_prior prior,
                             double confidence);

/*
 * The distribution that iv_prf_average_draw() draws a system's average from: that of a precision
 * with these cells, of which tp and fp count.  Errors as there.  O(items + classes^2).
 */
IV_MUST_CHECK int iv_prf_average_cells(iv_prf_cells *out, const iv_prf_items *items,
                                       size_t system, const iv_prf_target *target,
                                       iv_prf_prior prior, iv_err *err);

/* The same of the macro average of precision, recall or F over categories with counts of their
 * own, some at least; of the prior nothing is 0. */
iv_prf_cells iv_prf_macro_cells(const iv_prf_counts *const *categories, size_t count,
                                iv_prf_metric metric, iv_prf_prior prior);

/*
 * Classes that have no value, of which nothing was seen, may have any: what they weigh in an
 * average is 0 or 1, the same for all of them, beside the others' distribution.
 * The beta distribution of that mean and variance; of weight 0 as it was.
 */
iv_prf_cells iv_prf_with_unseen(iv_prf_cells seen, double weight);

/* ---------------------------------------------------------- prf panels -- */

/*
 * A density on the line, tabulated as Chebyshev series on panels that are
 * halved until the series has converged; with its integral.
 *
 * Where a distribution is asked a thousand times (comparisons, quantiles of
 * differences) a look at the table takes 30 ns, whatever the density costs.
 */
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

/* ----------------------------------------------------------- prf logit -- */

/*
 * The logit of a beta variable, T = log(X/(1-X)), X ~ Beta(a, b).
 *
 * On this scale a density that is unbounded at 0 or 1 becomes smooth, and all
 * of them are log-concave with tails exp(a t) and exp(-b t).  T is measured
 * from its own mode log(a/b), so that a narrow density far from 0 loses no
 * digits to its place.
 */
typedef struct iv_logit_beta {
    double a, b;
    double centre; /* the mode of T */
    double spread; /* the standard deviation, roughly */
    double peak;   /* the density there */
} iv_logit_beta;

/* a, b > 0 and finite. */
iv_logit_beta iv_logit_beta_of(double a, double b);

/* The density of T at centre + offset; its logarithm without the peak's. */
double iv_logit_beta_density(const iv_logit_beta *t, double offset);
double iv_logit_beta_fall(const iv_logit_beta *t, double offset);

/* How far from the mode the density has fallen by exp(-depth), depth > 0. */
double iv_logit_beta_reach(const iv_logit_beta *t, double depth, bool above);

/* 1/(1 + exp(-t)) and log(x/y), where y = 1 - x is known better than that. */
double iv_logistic(double t);
double iv_logit_of(double x, double y);

/* ------------------------------------------------------------- prf sum -- */

/*
 * X + Y of two independent variables on (0, 1), each known by the panels of
 * its logit.  A difference X - Z is X + (1 - Z) - 1: a side may be mirrored.
 */
typedef struct iv_side {
    const iv_panels *panels; /* of the logit, measured from centre */
    double centre;
    double deviation;        /* of X itself */
    bool mirrored;           /* the variable is 1 - X */
    /* The density itself, or NULL: panels tell tails only absolutely, and a
     * density of the sum needs them relatively. */
    const iv_logit_beta *exact;
} iv_side;

/* A place on the sum's line: the mean u = (x+y)/2 and 1 - u, both exact. */
typedef struct iv_halfway {
    double u, rest;
} iv_halfway;

/* Room for the cuts of an integral; {0} is empty, free() the pointer. */
typedef struct iv_cuts {
    double *at;
    size_t count, capacity;
} iv_cuts;

/* False when memory is out. */
bool iv_add_cut(iv_cuts *c, double at);

/* P(X + Y <= 2u).  IV_ENOMEM is the only failure. */
IV_MUST_CHECK int iv_sum_below(double *out, const iv_side *x, const iv_side *y,
                               iv_halfway at, iv_cuts *cuts, iv_err *err);

/* The density of (X + Y)/2 at u. */
IV_MUST_CHECK int iv_sum_density(double *out, const iv_side *x, const iv_side *y,
                                 iv_halfway at, iv_cuts *cuts, iv_err *err);

/* ------------------------------------------------------- prf posterior -- */

/* A distribution on (0, 1): the panels of its logit's density. */
struct iv_posterior {
    iv_panels panels; /* of logit(X) - centre */
    double centre;
    double mean, deviation; /* of X */
    /* The density of X goes like x^(low-1) at 0, (1-x)^(high-1) at 1. */
    double low, high;
    bool unbounded_at_half;
    /* X has odds `odds` times those of a Beta variable: then densities and
     * quantiles are closed forms.  odds = 0: only the panels know. */
    double odds;
    iv_logit_beta beta;
};

/* P(X <= x): 0 and 1 outside (0, 1), NaN for x NaN; P(A - B <= x) of independent
 * posteriors; P(pi_a - pi_b <= x) of paired ones. */
double iv_posterior_cdf(const iv_posterior *p, double x);
IV_MUST_CHECK int iv_posterior_gap_cdf(double *out, const iv_posterior *a,
                                       const iv_posterior *b, double x, iv_err *err);
IV_MUST_CHECK int iv_paired_gap_cdf(double *out, iv_paired_cells c, double x, iv_err *err);

/* Derivative of the logit's density at centre + offset over that density. */
double iv_posterior_logit_slope(const iv_posterior *p, double offset);

/* Fills in mean and deviation from the panels. */
void iv_posterior_moments(iv_posterior *p);

/* Fills the panels of a beta's logit. */
IV_MUST_CHECK int iv_logit_beta_panels(iv_panels *out, const iv_logit_beta *t,
                                       iv_err *err);

/* Posteriors that need an integral; *p is zeroed but for its memory. */
IV_MUST_CHECK int iv_posterior_f_beta(iv_posterior *p, const iv_prf_cells *c,
                                      double beta, iv_err *err);
IV_MUST_CHECK int iv_posterior_balanced(iv_posterior *p, const iv_prf_cells *c,
                                        iv_err *err);

/* ----------------------------------------------------------- prf draws -- */

/* How draws are cut into blocks, each with its own stream. */
enum { IV_DRAW_BLOCK = 1024 };

/* Draws [from, to) of `draws`, from the stream of a block. */
typedef struct iv_draw_part {
    size_t draws, from, to;
    iv_stream *stream;
} iv_draw_part;

/* Who fills a part; memory as in iv_loop. */
typedef struct iv_drawer {
    void (*fill)(void *user, void *memory, const iv_draw_part *part);
    void *user;
    void *(*memory)(iv_arena *own, void *user);
} iv_drawer;

/* Fills all draws of a plan, block by block on all threads. */
IV_MUST_CHECK int iv_draw_blocks(const iv_drawer *drawer, const iv_draw_plan *plan,
                                 const iv_work *work, iv_err *err);

/* A ratio of two numbers too small to tell apart from 0 is 0 or 1. */
double iv_or_coin(double value, iv_stream *s, double chance);

#endif /* IV_STAT_PRF_STATE_H */
