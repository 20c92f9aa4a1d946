/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How good are a classifier's scores?  Discrimination (area under the ROC curve, average
 * precision), probabilities (Brier score, logarithmic loss, calibration error), and the choice
 * of a threshold.  doc/methods/scored.md has formulas and coverage.
 *
 * Refs: DeLong, DeLong and Clarke-Pearson (1988); Pepe (2003); Newcombe (2006); Boyd, Eng and
 * Page (2013); Naeini, Cooper and Hauskrecht (2015); Harrell, Lee and Mark (1996); Noma et al.
 * (2021).
 */
#ifndef IV_STAT_SCORED_SCORED_H
#define IV_STAT_SCORED_SCORED_H

#include "intervale/stat/thresholds.h"
#include "stat/group_gaps.h"

/* Items of two classes with a score each; the higher, the more it looks positive. */
typedef struct iv_scored_items {
    const double *scores; /* finite */
    const bool *positive;
    size_t count;
} iv_scored_items;

/*
 * The area under the ROC curve: the probability that a positive item scores above a negative
 * one, ties half.  se is DeLong's, with limits on the logit scale; if it is 0 or NaN, the limits
 * are those of Newcombe's method 5.  Confidence 0: 0.95, here and below.  IV_ENODATA unless there
 * are items of both classes, IV_EARG for a score that is not finite or a confidence outside
 * (0, 1).  O(n log n).
 */
IV_MUST_CHECK int iv_auc(iv_interval *out, const iv_scored_items *items, double confidence,
                         iv_err *err);

/* The same as the value of a group of items, for gaps between groups; none without items of both
 * classes.  IV_EARG for a score that is not finite. */
IV_MUST_CHECK int iv_auc_of_group(iv_group_value *out, const iv_scored_items *items, iv_err *err);

/* The effective number (Kish 1965) of items that the AUC ranks wrongly, of the class that adds more
 * to its variance: with few the interval covers less than its confidence.  Fails as iv_auc(). */
IV_MUST_CHECK int iv_auc_misranked(double *out, const iv_scored_items *items, iv_err *err);

/* The two-sided p-value of a difference below; NaN: there is none. */
double iv_scored_p(const iv_interval *difference);

/* DeLong's test and interval of two systems' areas on the same items; p is 1 where both place
 * every item alike.  Fails as iv_auc(). */
IV_MUST_CHECK int iv_auc_compare(iv_interval *out, const double *a, const double *b,
                                 const bool *positive, size_t count, double confidence,
                                 iv_err *err);

/* Items of several classes, and a score of every class for each. */
typedef struct iv_class_items {
    const double *const *scores; /* by class, then by item; finite */
    const size_t *is;            /* the class of each item, from 0 */
    size_t classes, count;
} iv_class_items;

/*
 * The area of each class against the rest, as iv_auc() has it (NaN: the class has no item), the
 * mean over classes that have items (macro), and that weighted by their sizes.  Averages have
 * DeLong's variance of the sum over areas, and limits on the logit scale.  `each` has room for
 * all classes.  IV_ENODATA unless two classes have items; fails as iv_auc() otherwise.
 */
IV_MUST_CHECK int iv_auc_classes(iv_interval *each, iv_interval *macro,
                                 iv_interval *weighted, const iv_class_items *items,
                                 double confidence, iv_err *err);

/* The macro average of a system less that of another with these scores of the same items. */
IV_MUST_CHECK int iv_auc_classes_compare(iv_interval *out, const iv_class_items *a,
                                         const double *const *scores, double confidence,
                                         iv_err *err);

/* Average precision: the mean over positive items of the precision among those that score as
 * high or higher; Boyd, Eng and Page's logit interval.  As iv_auc(). */
IV_MUST_CHECK int iv_scored_ap(iv_interval *out, const iv_scored_items *items,
                               double confidence, iv_err *err);

/* What is measured of probabilities.  Means have Student's t over items; no limits where all
 * items have the same loss. */
typedef struct iv_calibration {
    iv_interval brier;    /* mean squared error */
    iv_interval log_loss; /* mean of -log of the probability of the true class */
    double ece;               /* expected calibration error, equal-width bins; 0: several classes */
    size_t bins;
    size_t clipped;           /* probabilities of 0 for the true class: taken as 1e-15 */
} iv_calibration;

/* Scores as probabilities, in [0, 1] or IV_EARG; bins 0: 10. */
IV_MUST_CHECK int iv_calibrate(iv_calibration *out, const iv_scored_items *items, size_t bins,
                               double confidence, iv_err *err);

/* The same of several classes: brier is the sum over classes, 0 to 2; no bins. */
IV_MUST_CHECK int iv_class_calibrate(iv_calibration *out, const iv_class_items *items,
                                     double confidence, iv_err *err);

/* Brier score and logarithmic loss of a less those of b, on the same items: paired t tests. */
IV_MUST_CHECK int iv_losses_compare(iv_interval out[2], const double *a, const double *b,
                                    const bool *positive, size_t count, double confidence,
                                    iv_err *err);

typedef struct iv_threshold {
    double at;         /* items that score so much or more are called positive */
    double apparent;   /* the goal there, on the items it was chosen on */
    double optimism;   /* how much that is too high, by the bootstrap */
    double value, lower, upper; /* for new items: apparent - optimism, and its interval */
} iv_threshold;

/* What a threshold is chosen for, and what of it is reported. */
typedef enum iv_threshold_kind {
    IV_RULE_GOAL,      /* the goal */
    IV_RULE_COST,      /* the mean cost of an item, the least */
    IV_RULE_RECALL,    /* the fewest flagged items with this recall or more: recall */
    IV_RULE_PRECISION, /* the most hits with this precision or more: precision */
    IV_RULE_CAPACITY   /* as many flagged items as can be looked at: precision */
} iv_threshold_kind;

typedef struct iv_threshold_rule {
    iv_threshold_kind kind;
    iv_threshold_goal goal;
    double fp, fn;    /* what errors cost */
    double least;
    size_t capacity;
} iv_threshold_rule;

/* Chooses the threshold with the best goal, or by a rule; of several the highest.  resamples 0:
 * 2,000. */
IV_MUST_CHECK int iv_threshold_by_rule(iv_threshold *out, const iv_scored_items *items,
                                       const iv_threshold_rule *rule, double confidence,
                                       size_t resamples, const iv_work *work, iv_err *err);

enum { IV_CURVE_POINTS = 101 };

/* The ROC curve (true positive rate by false positive rate) and the precision-recall curve at
 * 0, 0.01, ..., 1, with pointwise limits; percentile bootstrap of each class.  resamples 0:
 * 2,000. */
IV_MUST_CHECK int iv_scored_curves(iv_interval *roc, iv_interval *precision,
                                   const iv_scored_items *items, double confidence,
                                   size_t resamples, const iv_work *work, iv_err *err);

#endif
