/* SPDX-License-Identifier: Apache-2.0 */
/* Posteriors of precision, recall and F, and the comparison of two. */
#ifndef IV_STAT_PRF_PRF_POSTERIOR_H
#define IV_STAT_PRF_PRF_POSTERIOR_H

#include "stat/prf/prf_counts.h"

/* A mixture of betas with scaled odds: X/(1-X) = odds B/(1-B), B ~ Beta(a, b). */
enum { IV_POSTERIOR_NODES = 81 };
struct iv_posterior {
    double a, b, mean;
    size_t count; /* components; 1: a closed form */
    double odds[IV_POSTERIOR_NODES], part[IV_POSTERIOR_NODES];
    /* Nodes, and 1 - x. */
    double x[IV_POSTERIOR_NODES], rest[IV_POSTERIOR_NODES], weight[IV_POSTERIOR_NODES];
};

/* Beta(a, b), a and b in (0, 1e13]; a metric's, any but balanced accuracy and MCC, of cells that
 * iv_prf_update() made. */
void iv_posterior_beta(iv_posterior *p, double a, double b);
void iv_posterior_prf(iv_posterior *p, const iv_prf_cells *c, iv_prf_metric m);

/* P(X <= x), given x and 1 - x; above: P(X > x). */
double iv_posterior_tail(const iv_posterior *p, double x, double rest, bool above);
double iv_posterior_log_density(const iv_posterior *p, double x); /* -inf outside [0, 1] */
double iv_posterior_quantile(const iv_posterior *p, double q);    /* NaN outside [0, 1] */

/* Where the density is largest: an end where it is unbounded there.  NaN: there is no such
 * place, unbounded at both ends or flat. */
double iv_posterior_mode(const iv_posterior *p);

/* The interval of that probability, with equal tails; 0: 0.95. */
iv_limits iv_posterior_interval(const iv_posterior *p, double confidence);

/*
 * Limits of a metric, any but MCC, whose coverage is at least the confidence whatever the truth:
 * Clopper and Pearson's.  0/0 has [0, 1].
 */
iv_limits iv_prf_guaranteed(const iv_prf_counts *counts, iv_prf_metric m, double confidence);

/* The interval widened where the counts are all of one kind, so that it includes a value of
 * exactly 0 or 1 (of MCC -1 or 1). */
iv_limits iv_prf_hold_end(iv_limits i, iv_prf_metric m, double value);

/* The least coverage of the interval with equal tails, over truths between from and to, for as
 * many items as c has.
 * Of precision, recall, specificity, accuracy and F1; NaN of others, and without items. */
double iv_prf_least_coverage(const iv_prf_counts *c, iv_prf_metric m, iv_prf_prior prior,
                             double confidence, double from, double to);

/* Independent posteriors: P(A > B); P(A - B <= x); both, with the mean of A - B and limits with
 * equal tails. */
double iv_posterior_greater(const iv_posterior *a, const iv_posterior *b);
double iv_posterior_gap_below(const iv_posterior *a, const iv_posterior *b, double x);
IV_MUST_CHECK int iv_posterior_compare(double *greater, iv_interval *gap, const iv_posterior *a,
                                       const iv_posterior *b, double confidence, iv_err *err);

/*
 * The same items, of which only A, only B, and both or neither got some right: probabilities pi_a,
 * pi_b and the rest have a Dirichlet posterior with these parameters.  P(pi_a > pi_b), exact; the
 * means of pi_a - pi_b and log(pi_a / pi_b); P(pi_a - pi_b <= x) for
 * |x| < 1, given the posterior of pi_a + pi_b, Beta(a + b, rest).
 */
double iv_paired_greater(iv_paired_cells c);
double iv_paired_difference(iv_paired_cells c);
double iv_paired_log_odds(iv_paired_cells c);
double iv_paired_gap_below(iv_paired_cells c, const iv_posterior *of, double x);
IV_MUST_CHECK int iv_paired_compare(double *greater, iv_interval *gap, iv_paired_cells c,
                                    double confidence, iv_err *err);

#endif
