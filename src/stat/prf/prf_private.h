/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Precision, recall, F and related metrics as distributions.
 *
 * A system's outcome (TP, FP, FN, TN) is multinomial; a Dirichlet prior on the four probabilities
 * gives a Dirichlet posterior, and from it
 *
 *     precision           Beta(tp, fp)        recall       Beta(tp, fn)
 *     specificity         Beta(tn, fp)        accuracy     Beta(tp+tn, fp+fn)
 *     F_1 = 2B/(1+B),     B ~ Beta(tp, fp+fn)
 *     F_beta              one integral
 *
 * where tp, fp, fn, tn are counts plus prior.  Balanced accuracy and the correlation coefficient
 * (MCC) are drawn.  All else is good to 1e-9 in probability for counts to 10^8.
 *
 * Ref: Goutte and Gaussier (2005), A probabilistic interpretation of precision, recall and
 * F-score, with implication for evaluation, ECIR.
 */
#ifndef IV_STAT_PRF_PRF_PRIVATE_H
#define IV_STAT_PRF_PRF_PRIVATE_H

#include "stat/interval/interval_private.h"

/* ------------------------------------------------------- counts and labels -- */

/* Parameters of the Dirichlet posterior; tn is 0 where it is not known. */
typedef struct iv_prf_cells {
    double tp, fp, fn, tn;
} iv_prf_cells;

/* Options, with their defaults filled in and their domains checked: IV_EARG. */
IV_MUST_CHECK int iv_prf_check_prior(iv_prf_prior *prior, iv_err *err);
IV_MUST_CHECK int iv_prf_check_draws(size_t *draws, iv_err *err);

/* The posterior after `counts`.  IV_EARG for a count below 0 or above IV_PRF_COUNT_MAX, or a prior
 * outside its domain. */
IV_MUST_CHECK int iv_prf_update(iv_prf_cells *out, iv_prf_prior prior, const iv_prf_counts *counts,
                                iv_err *err);

/* "precision", "f1", "f0.5", ...; returns out. */
enum { IV_PRF_NAME_SIZE = 48 };
const char *iv_prf_name(char out[IV_PRF_NAME_SIZE], iv_prf_metric m);

/* The metric of counts, and of probabilities of the four cells; NaN: 0/0, or TN is missing. */
double iv_prf_value(iv_prf_metric m, const iv_prf_counts *counts);
double iv_prf_of_cells(iv_prf_metric m, double tp, double fp, double fn, double tn);

/*
 * Items with a gold label and what each system said; labels[i * (systems + 1)] is gold's label of
 * item i, the systems' follow.  Labels are in [0, classes); of two classes 1 is the positive one.
 */
typedef struct iv_prf_items {
    size_t items, systems;
    int32_t classes;
    const int32_t *labels;
} iv_prf_items;

/* Fills classes x classes counts, [gold][said], of one system; one class against the rest. */
void iv_prf_confusion(int64_t *matrix, const iv_prf_items *items, size_t system);
iv_prf_counts iv_prf_one_against_rest(const int64_t *matrix, int32_t classes, int32_t k);

/*
 * How many items only A and only B got right: by IV_PRF_ACCURACY of all items; by IV_PRF_RECALL of
 * those of a class; by IV_PRF_SPECIFICITY of those of other classes, where not to name the class is
 * right.
 */
typedef struct iv_paired_cells {
    double a, b, rest;
} iv_paired_cells;
iv_paired_cells iv_prf_paired(const iv_prf_items *items, size_t a, size_t b, iv_prf_kind kind,
                              int32_t klass);

/* McNemar's two-sided p, as compare has it; 1 when nobody won. */
double iv_mcnemar(double a_only, double b_only);

/* ------------------------------------------------------------- posteriors -- */

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

/* ------------------------------------------------------------- comparisons -- */

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

/* ------------------------------------------------------------------- draws -- */

/* Sorts draws.  The mean, and limits with equal tails. */
iv_interval iv_summarise_draws(double *x, size_t n, double confidence);

/* Draws of some metrics, metric by metric, all from the same draws of the cells: how many,
 * and of which stream within the seed of the work. */
IV_MUST_CHECK int iv_prf_draw(double *out, const iv_prf_cells *c, const iv_prf_metric *metrics,
                              size_t count, size_t draws, uint32_t stream, const iv_work *work,
                              iv_err *err);

/* The posterior of all systems on the same items: of one class against the rest. */
typedef struct iv_prf_joint {
    size_t systems, cells;
    int32_t *label; /* cells x (systems + 1), 0 or 1 */
    double *alpha;  /* of each cell */
    double rest;    /* of the stick, 0: the cells are all there are */
    double right;   /* prior share of being right */
} iv_prf_joint;

/* Of the systems listed (by their index in items; NULL: all of them), in the arena.  O(items). */
IV_MUST_CHECK int iv_prf_joint_of(iv_prf_joint *j, iv_arena *own, const iv_prf_items *items,
                                  int32_t klass, const size_t *systems, size_t count,
                                  iv_prf_prior prior, iv_err *err);

/* Draws of metrics, and of each all systems; draw i of every system comes from the same draw of the
 * joint posterior, so that differences are paired. */
IV_MUST_CHECK int iv_prf_joint_draw(double *out, const iv_prf_joint *j,
                                    const iv_prf_metric *metrics, size_t count,
                                    size_t draws, uint32_t stream, const iv_work *work,
                                    iv_err *err);

/* ---------------------------------------------------------------- averages -- */

/* Macro or weighted averages of precision, recall or F over classes: a value with its jackknifed
 * standard error; no limits where that is 0. */

iv_interval iv_prf_gap_limits(double value, double se, double df, double confidence);

/* Of a system's labels; of two systems' on the same items, a - b; of independent categories. */
IV_MUST_CHECK int iv_prf_average_labels(iv_interval *out, const iv_prf_items *items,
                                        size_t system, iv_prf_average average,
                                        iv_prf_metric metric, double confidence, iv_err *err);
IV_MUST_CHECK int iv_prf_average_gap(iv_interval *out, const iv_prf_items *items, size_t a,
                                     size_t b, iv_prf_average average, iv_prf_metric metric,
                                     double confidence, iv_err *err);
iv_interval iv_prf_average_categories(const iv_prf_counts *const *categories, size_t count,
                                      iv_prf_metric metric, double confidence);

#endif
