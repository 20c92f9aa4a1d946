/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Precision, recall, F and their kin as distributions.
 *
 * A system's outcome (TP, FP, FN, TN) is multinomial; a Dirichlet prior on the
 * four probabilities gives a Dirichlet posterior, and from it
 *
 *     precision           Beta(tp, fp)        recall       Beta(tp, fn)
 *     specificity         Beta(tn, fp)        accuracy     Beta(tp+tn, fp+fn)
 *     F_1 = 2B/(1+B),     B ~ Beta(tp, fp+fn)
 *     F_beta              one integral        balanced accuracy   one integral
 *
 * where tp, fp, fn, tn are counts plus prior.  Only the correlation
 * coefficient (MCC) and averages over categories need random draws.
 *
 * Everything but draws is good to 1e-10 in probability, absolutely, for counts
 * to 10^8, and to some 1e-8 to IV_PRF_COUNT_MAX.
 *
 * Ref: Goutte and Gaussier (2005), A probabilistic interpretation of
 * precision, recall and F-score, with implication for evaluation, ECIR.
 */
#ifndef INTERVALE_STAT_PRF_H
#define INTERVALE_STAT_PRF_H

#include "intervale/base.h"

IV_BEGIN_C

/* ------------------------------------------------- counts and posterior -- */

#define IV_PRF_COUNT_MAX INT64_C(1000000000000)

/* True and false positives, false and true negatives; tn < 0: not known. */
typedef struct iv_prf_counts {
    int64_t tp, fp, fn, tn;
} iv_prf_counts;

/*
 * Added to TP and TN (right), to FP and FN (wrong); in (0, 1e6].  right 0: 1/2,
 * Jeffreys' prior; wrong 0: as right.
 */
typedef struct iv_prf_prior {
    double right, wrong;
} iv_prf_prior;

/* Parameters of the Dirichlet posterior; tn is 0 where it is not known. */
typedef struct iv_prf_cells {
    double tp, fp, fn, tn;
} iv_prf_cells;

/*
 * The posterior after `counts` and, unless NULL, after the counts of an
 * earlier collection, whose posterior is then the prior.  TN is known when all
 * the counts given know it.  IV_EARG for a count below 0 or above
 * IV_PRF_COUNT_MAX, or a prior outside its domain.
 */
IV_API IV_MUST_CHECK int iv_prf_update(iv_prf_cells *out, iv_prf_prior prior,
                                       const iv_prf_counts *counts,
                                       const iv_prf_counts *earlier, iv_err *err);

typedef enum iv_prf_kind {
    IV_PRF_PRECISION,
    IV_PRF_RECALL,
    IV_PRF_F, /* with beta, from 0.01 to 100 */
    IV_PRF_SPECIFICITY,       /* this one and those that follow need TN */
    IV_PRF_ACCURACY,
    IV_PRF_BALANCED_ACCURACY, /* the mean of recall and specificity */
    IV_PRF_MCC                /* Matthews' correlation, from -1 to 1 */
} iv_prf_kind;

typedef struct iv_prf_metric {
    iv_prf_kind kind;
    double beta; /* of IV_PRF_F */
} iv_prf_metric;

/* "precision", "f1", "f0.5", ...; returns out. */
enum { IV_PRF_NAME_SIZE = 48 };
IV_API const char *iv_prf_name(char out[IV_PRF_NAME_SIZE], iv_prf_metric m);

/* The metric of the counts themselves; NaN where it is 0/0 or TN is missing. */
IV_API double iv_prf_value(iv_prf_metric m, const iv_prf_counts *counts);

/* The same of probabilities of the four cells; NaN where it is 0/0. */
IV_API double iv_prf_of_cells(iv_prf_metric m, double tp, double fp, double fn,
                              double tn);

/* ------------------------------------------- distribution of one metric -- */

/* A distribution on (0, 1).  Read by many threads at once. */
typedef struct iv_posterior iv_posterior;

/* Beta(a, b), a and b in (0, 1e13]: IV_EARG if not.  *out is the caller's:
 * iv_posterior_free(). */
IV_API IV_MUST_CHECK int iv_posterior_beta(iv_posterior **out, double a, double b,
                                           iv_err *err);

/*
 * The posterior of a metric, any but MCC.  0.1 ms for the beta family, some
 * milliseconds for F_beta, 10 to 300 for balanced accuracy.  IV_EARG when the
 * metric needs TN and the cells have none, and for MCC.
 */
IV_API IV_MUST_CHECK int iv_posterior_prf(iv_posterior **out, const iv_prf_cells *c,
                                          iv_prf_metric m, iv_err *err);
IV_API void iv_posterior_free(iv_posterior *p);

/* Mean, and the logarithm of the density: -inf outside [0, 1], NaN for x NaN. */
IV_API double iv_posterior_mean(const iv_posterior *p);
IV_API double iv_posterior_log_density(const iv_posterior *p, double x);

/* The x with P(X <= x) = q; NaN for q outside [0, 1]. */
IV_API double iv_posterior_quantile(const iv_posterior *p, double q);

/*
 * Where the density is largest: an end where it is unbounded there.  NaN when
 * there is no such place: unbounded at both ends, or flat.
 */
IV_API double iv_posterior_mode(const iv_posterior *p);

typedef enum iv_interval_kind {
    IV_INTERVAL_EQUAL, /* the same probability left out on both sides */
    IV_INTERVAL_HDI    /* highest density: every point inside is denser than
                          every point outside */
} iv_interval_kind;

/* "equal", "hdi"; ends with NULL. */
IV_API const char *const *iv_interval_kind_names(void);

typedef struct iv_credible {
    double lower, upper;
    iv_interval_kind kind; /* as it came out */
    bool one_sided;        /* an HDI that begins at 0 or ends at 1 */
} iv_credible;

/*
 * The interval that holds `confidence`, in (0, 1), here and below; 0: .95.  Where
 * the region of
 * highest density is not one interval (a density that is unbounded at
 * both ends, or flat) it has equal tails, and `kind` says so.
 */
IV_API IV_MUST_CHECK int iv_posterior_interval(iv_credible *out, const iv_posterior *p,
                                               double confidence,
                                               iv_interval_kind kind, iv_err *err);

/*
 * Limits of a metric, any but MCC, that hold with at least the confidence whatever
 * the truth: Clopper and Pearson's.  A metric of exactly 0 or 1 can be held; 0/0 has
 * [0, 1].  IV_EARG for bad counts, a TN that is missing, MCC.
 */
IV_API IV_MUST_CHECK int iv_prf_guaranteed(iv_credible *out, const iv_prf_counts *counts,
                                           iv_prf_metric m, double confidence, iv_err *err);

/*
 * The interval widened where the counts are all of one kind, so that a value of
 * exactly 0 or 1 (for MCC -1 or 1) is held; other values, and NaN, change nothing.
 */
IV_API iv_credible iv_prf_hold_end(iv_credible i, iv_prf_metric m, double value);

/* ---------------------------------- comparison of independent posteriors -- */

/* P(A > B); 0.1 ms. */
IV_API IV_MUST_CHECK int iv_posterior_greater(double *out, const iv_posterior *a,
                                              const iv_posterior *b, iv_err *err);

/* out[i] = P(number i is the largest of `count`). */
IV_API IV_MUST_CHECK int iv_posterior_best(double *out,
                                           const iv_posterior *const *p, size_t count,
                                           iv_err *err);

typedef struct iv_posterior_gap {
    double greater;      /* P(A > B) */
    double mean;         /* of A - B */
    double lower, upper; /* of A - B, with equal tails */
} iv_posterior_gap;

/* All of it; some milliseconds. */
IV_API IV_MUST_CHECK int iv_posterior_compare(iv_posterior_gap *out,
                                              const iv_posterior *a,
                                              const iv_posterior *b,
                                              double confidence, iv_err *err);

/* ------------------------------------------------ the same items, paired -- */

/*
 * Of the items, how many only A, only B, both or neither got right.  Their
 * probabilities pi_a, pi_b and the rest have a Dirichlet posterior with these
 * parameters.
 */
typedef struct iv_paired_cells {
    double a, b, rest;
} iv_paired_cells;

/* P(pi_a > pi_b), exact; NaN unless a, b > 0. */
IV_API double iv_paired_greater(iv_paired_cells c);

/* E(pi_a - pi_b) and E(log(pi_a/pi_b)). */
IV_API double iv_paired_difference(iv_paired_cells c);
IV_API double iv_paired_log_odds(iv_paired_cells c);

/* pi_a - pi_b, with its equal-tailed interval; all cells > 0. */
IV_API IV_MUST_CHECK int iv_paired_compare(iv_posterior_gap *out, iv_paired_cells c,
                                           double confidence, iv_err *err);

/* McNemar's exact two-sided p; 1 when nobody won. */
IV_API double iv_mcnemar(int64_t a_only, int64_t b_only);

/* ------------------------------------------------------------ by drawing -- */

enum { IV_PRF_DRAWS = 100000, IV_PRF_DRAWS_MIN = 1000, IV_PRF_DRAWS_MAX = 100000000 };

/* What draws say, and the Monte Carlo standard error of each. */
typedef struct iv_drawn_summary {
    double mean, mode, lower, upper;
    double mean_error, mode_error, lower_error, upper_error;
} iv_drawn_summary;

/*
 * Sorts the draws and summarises them.  The mode is that of a smoothed
 * histogram, good to some hundredths of a standard deviation.  IV_EARG for
 * fewer than IV_PRF_DRAWS_MIN draws or one that is not finite.
 */
IV_API IV_MUST_CHECK int iv_summarise_draws(iv_drawn_summary *out, double *draws,
                                            size_t count, double confidence,
                                            iv_interval_kind kind, iv_err *err);

/* How many draws, and of which stream within the seed of the work. */
typedef struct iv_draw_plan {
    size_t draws; /* 0: IV_PRF_DRAWS */
    uint32_t stream;
} iv_draw_plan;

/* An average over categories of a metric that each of them has. */
typedef enum iv_prf_average {
    IV_PRF_ONE,  /* no average: one category */
    IV_PRF_MICRO, /* of the pooled counts */
    IV_PRF_MACRO, /* the plain mean of the categories */
    IV_PRF_WEIGHTED /* their mean by how many items gold has of each; of labels */
} iv_prf_average;

/*
 * Draws of the macro averages of some metrics over categories with independent
 * posteriors; one category gives draws of the metric itself.  out holds
 * metric_count x the draws of the plan, metric by metric.  IV_EARG as iv_prf_update(),
 * or for a metric that needs a TN that is missing.
 */
IV_API IV_MUST_CHECK int iv_prf_draw(double *out, const iv_prf_cells *categories,
                                     size_t category_count,
                                     const iv_prf_metric *metrics,
                                     size_t metric_count, const iv_draw_plan *plan,
                                     const iv_work *work, iv_err *err);

/* ----------------------------------------------------------------- labels -- */

/*
 * Items with a gold label and what each system said; labels[i * (systems+1)]
 * is gold's label of item i, the systems' follow.  Labels are in [0, classes);
 * with two classes 1 is the positive one.  Borrowed.
 */
typedef struct iv_prf_items {
    size_t items, systems;
    int32_t classes;
    const int32_t *labels;
} iv_prf_items;

/* Fills classes x classes counts, [gold][said], of one system. */
IV_API void iv_prf_confusion(int64_t *matrix, const iv_prf_items *items,
                             size_t system);

/* One class against the rest. */
IV_API iv_prf_counts iv_prf_one_against_rest(const int64_t *matrix, int32_t classes,
                                             int32_t k);

/*
 * How many items only A and only B got right: by IV_PRF_ACCURACY of all items; by
 * IV_PRF_RECALL of those of a class; by IV_PRF_SPECIFICITY of those of other
 * classes, where not to name the class is right.
 */
typedef struct iv_paired_counts {
    int64_t a_only, b_only, rest;
} iv_paired_counts;
IV_API iv_paired_counts iv_prf_paired(const iv_prf_items *items, size_t a, size_t b,
                                      iv_prf_kind kind, int32_t klass);

/*
 * The posterior of all systems together: a Dirichlet over the cells gold x
 * system 1 x ... x system S, whose prior gives each system alone the prior
 * `right` on each diagonal cell of its confusion matrix and `wrong` on the
 * others of a row together.
 */
typedef struct iv_prf_joint iv_prf_joint;

/*
 * Of the systems listed (by their index in items; NULL: all of them), which
 * the targets below then number from 0.  O(items).  IV_EARG for labels outside
 * [0, classes) or a bad prior, IV_ENODATA for no items.
 */
IV_API IV_MUST_CHECK int iv_prf_joint_new(iv_prf_joint **out, const iv_prf_items *items,
                                          const size_t *systems, size_t count,
                                          iv_prf_prior prior, iv_err *err);
IV_API void iv_prf_joint_free(iv_prf_joint *j);

/* A metric of one system: of a class against the rest or an average. */
typedef struct iv_prf_target {
    size_t system;
    iv_prf_average average;
    int32_t klass; /* of IV_PRF_ONE */
    iv_prf_metric metric;
} iv_prf_target;

/*
 * Draws target_count x the draws of the plan; draw i of every target comes from
 * the same draw of the joint posterior, so that differences are paired.
 */
IV_API IV_MUST_CHECK int iv_prf_joint_draw(double *out, const iv_prf_joint *j,
                                           const iv_prf_target *targets,
                                           size_t target_count,
                                           const iv_draw_plan *plan, const iv_work *work,
                                           iv_err *err);

/*
 * Draws of an average over many classes (micro, macro or weighted; of precision, recall or F, and
 * micro of accuracy), of the systems listed (NULL: all), system after system, each the draws of the
 * plan; draw i of every system goes with the same items.  Not from the posterior of the confusion
 * matrix, whose prior is in the average once a class: each is one share, beta distributed as of
 * as many items as its jackknifed error speaks of, with errors that the systems share as far as
 * their items do (weighted recall is accuracy).  target's system and class do not count.  IV_EARG for labels
 * outside [0, classes), a bad prior or another metric, IV_ENODATA for no items.  O(systems^2
 * items + systems classes^2) and the draws.
 */
IV_API IV_MUST_CHECK int iv_prf_average_draw(double *out, const iv_prf_items *items,
                                             const size_t *systems, size_t count,
                                             const iv_prf_target *target, iv_prf_prior prior,
                                             const iv_draw_plan *plan, const iv_work *work,
                                             iv_err *err);

IV_END_C

#endif /* INTERVALE_STAT_PRF_H */
