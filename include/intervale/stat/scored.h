/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How good are a classifier's scores?  Discrimination (area under the ROC curve, average
 * precision), calibration of probabilities (Brier, logarithmic loss, calibration error),
 * and the choice of a threshold with its optimism taken off.
 *
 * Refs: DeLong, DeLong and Clarke-Pearson (1988); Hanley and McNeil (1982); Newcombe
 * (2006); Harrell, Lee and Mark (1996).  doc/methods/scored.md has the formulas.
 */
#ifndef INTERVALE_STAT_SCORED_H
#define INTERVALE_STAT_SCORED_H

#include "intervale/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Items with what they are and a score each; the higher, the more it looks positive. */
typedef struct iv_scored_items {
    const double *scores; /* finite */
    const bool *positive;
    size_t count;
} iv_scored_items;

/* A value with its standard error and interval; NaN: there is none. */
typedef struct iv_scored_value {
    double value, se, lower, upper;
} iv_scored_value;

/*
 * The area under the ROC curve: the probability that a positive item scores above a
 * negative one, ties half; se is DeLong's.  The interval is a score interval with Hanley
 * and McNeil's variance, scaled to DeLong's by how many items that rests on, and Student's
 * t; its levels are 2.5 % a side (at .95), and up to 5 % where the other side cannot err.
 * Confidence 0: .95, here and below.  IV_ENODATA unless there are items of both kinds,
 * IV_EARG for a score that is not finite or a confidence outside (0, 1).  n log n.
 */
IV_API IV_MUST_CHECK int iv_auc(iv_scored_value *out, const iv_scored_items *items,
                                double confidence, iv_err *err);

typedef struct iv_auc_difference {
    double value, se;    /* a - b; DeLong's, NaN: a class has one item */
    double lower, upper; /* a score interval, as of one area, and DeLong's: the wider limits */
    double p;            /* of no difference, two-sided: 1 less the confidence at which the
                            interval ends at 0, so the larger one of both */
    double z, p_delong;  /* DeLong's test: value / se, and p by the normal; NaN: se is 0 or NaN */
} iv_auc_difference;

/* Two systems' scores of the same items; as iv_auc(). */
IV_API IV_MUST_CHECK int iv_auc_compare(iv_auc_difference *out, const double *a,
                                        const double *b, const bool *positive, size_t count,
                                        double confidence, iv_err *err);

/* Items of several classes, and a score of every class for each. */
typedef struct iv_class_items {
    const double *const *scores; /* by class, then by item; finite */
    const size_t *is;            /* the class of each item, from 0 */
    size_t classes, count;
} iv_class_items;

/*
 * The area of each class against the rest, as iv_auc() has it (NaN: the class has no item), their
 * mean over classes that have items (macro), and that weighted by how many.  The averages' se
 * is that of the sum of what each item moves the areas by, as a positive item of its class and a
 * negative one of all others; their intervals are score intervals as those of an area.  `each` has
 * room for all classes.  IV_ENODATA unless two classes have items; fails as iv_auc() otherwise.
 */
IV_API IV_MUST_CHECK int iv_auc_classes(iv_scored_value *each, iv_scored_value *macro,
                                        iv_scored_value *weighted, const iv_class_items *items,
                                        double confidence, iv_err *err);

/* The macro average of a system less that of another, whose scores of the same items these
 * are; as iv_auc_compare(). */
IV_API IV_MUST_CHECK int iv_auc_classes_compare(iv_auc_difference *out, const iv_class_items *a,
                                                const double *const *scores, double confidence,
                                                iv_err *err);

/*
 * Average precision: the mean over positive items of the precision among those that score
 * as high or higher.  se by linearisation; the interval is t's on the scale of logits, its
 * degrees of freedom those of the smaller class.  As iv_auc().
 */
IV_API IV_MUST_CHECK int iv_scored_ap(iv_scored_value *out, const iv_scored_items *items,
                                      double confidence, iv_err *err);

/* What is measured of probabilities. */
typedef struct iv_calibration {
    iv_scored_value brier;    /* mean squared error; logit bootstrap over items */
    iv_scored_value log_loss; /* mean of -log of the probability of what was; Studentised
                                 bootstrap */
    iv_scored_value error;    /* root mean squared difference of shares and mean
                                 probabilities in bins, corrected for chance */
    double binned;            /* "ECE": mean absolute difference in the same bins, as it is */
    size_t bins;
    size_t clipped;           /* probabilities of 0 or 1 that were wrong: taken for 1e-15 */
} iv_calibration;

/*
 * Scores as probabilities, in [0, 1] or IV_EARG; bins of equal numbers of items (0: 10,
 * fewer where there are fewer than ten items for each), as near as equal probabilities, which
 * share a bin, let them be; bins tells how many they are.  resamples 0: 10,000.  Limits of
 * Brier and the logarithmic loss are NaN where all items have one loss.
 */
IV_API IV_MUST_CHECK int iv_calibrate(iv_calibration *out, const iv_scored_items *items,
                                      size_t bins, double confidence, size_t resamples,
                                      const iv_work *work, iv_err *err);

/* The same of several classes. */
typedef struct iv_class_losses {
    iv_scored_value brier;    /* mean of the squared errors' sum over classes, 0 to 2 */
    iv_scored_value log_loss;
    size_t clipped;
} iv_class_losses;

/* Scores as probabilities of the classes, in [0, 1] or IV_EARG, which add up to 1; intervals and
 * resamples as those of iv_calibrate(). */
IV_API IV_MUST_CHECK int iv_class_calibrate(iv_class_losses *out, const iv_class_items *items,
                                            double confidence, size_t resamples,
                                            const iv_work *work, iv_err *err);

/* What a threshold is chosen for. */
typedef enum iv_threshold_goal { IV_BEST_F1, IV_BEST_ACCURACY, IV_BEST_YOUDEN } iv_threshold_goal;

/* "f1", "accuracy", "youden", NULL. */
IV_API const char *const *iv_threshold_goal_names(void);

typedef struct iv_threshold {
    double at;         /* items that score so much or more are called positive */
    double apparent;   /* the goal there, on the items it was chosen on */
    double optimism;   /* how much that is too high, by the bootstrap */
    double value, lower, upper; /* of new items: apparent - optimism, and its interval */
} iv_threshold;

/* Chooses the threshold with the best goal; of several the highest.  resamples 0: 2,000. */
IV_API IV_MUST_CHECK int iv_threshold_choose(iv_threshold *out, const iv_scored_items *items,
                                             iv_threshold_goal goal, double confidence,
                                             size_t resamples, const iv_work *work, iv_err *err);

/* A point of a curve: y at x, in a band that holds each point with the confidence, at the ends of
 * curves from few items nearly. */
typedef struct iv_curve_point {
    double x, y, lower, upper;
} iv_curve_point;

enum { IV_CURVE_POINTS = 101 };

/*
 * The ROC curve (x: share of negatives called positive, y: of positives) and the
 * precision-recall curve (x: recall, y: precision) at 0, .01, ..., 1.  Bands are quantiles
 * of resampled curves, classes resampled apart, no nearer than limits of the shares.  resamples 0: 2,000.
 */
IV_API IV_MUST_CHECK int iv_scored_curves(iv_curve_point *roc, iv_curve_point *precision,
                                          const iv_scored_items *items, double confidence,
                                          size_t resamples, const iv_work *work, iv_err *err);

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_STAT_SCORED_H */
