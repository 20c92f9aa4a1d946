/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mean over items that a judge scored, corrected by the labels that people gave some of them:
 * the generalized regression estimator of survey sampling.
 *
 *   estimate = mean over all items of g,   g = a_h + b (judge's score)
 *
 * a_h makes the residuals (label - g) of the labelled items of stratum h add up to 0; b is the
 * slope of the combined regression estimator (regression), that of power tuning (ppi), 1
 * (difference), or 0 (people alone).  Of several judges, regression has a slope for each.
 * doc/methods/judged.md.
 *
 * Refs: Cochran (1977), Sampling Techniques, ch. 7 and 12; Angelopoulos, Duchi and Zrnic (2023);
 * Fisch et al. (2024); for clusters Bell and McCaffrey (2002); for labels of 0 and 1 Zou and
 * Donner (2008) with Wilson's limits.
 */
#ifndef IV_STAT_MACHINE_JUDGED_MEAN_H
#define IV_STAT_MACHINE_JUDGED_MEAN_H

#include "base/memory.h"
#include "intervale/stat/judge_estimators.h"
#include "intervale/stat/structured_means.h"

/* One system, by item. */
typedef struct iv_judged_system {
    const double *judge;     /* mean over repeats; NaN: none */
    const double *human;     /* NaN: nobody looked */
    const double *beside;    /* the judge's mean over what people looked at */
    const uint32_t *stratum; /* NULL: one */
    double repeat_variance, repeat_df; /* of the judge's mean; 0: none */
    const struct iv_judged_system *next; /* by another judge; NULL: by no other */
} iv_judged_system;

enum { IV_JUDGES_MOST = 8 };

typedef struct iv_judged_design {
    size_t items, strata;          /* strata 0: one */
    const iv_structure *structure; /* clusters, sets, weights; not of repeats */
    iv_judge_estimator estimator;
    bool bounded;                  /* scores and labels are in [0, 1] */
} iv_judged_design;

/* A proportion of labels, and its part in the estimate. */
typedef struct iv_judged_cell {
    double p, n, part;
} iv_judged_cell;

/* A mean, or the difference of two systems. */
typedef struct iv_judged_mean {
    size_t items, labelled;   /* of a difference: labelled for either */
    double value, se, df;
    double of_labels;         /* the part of se^2 that more labels reduce */
    double slope[2];          /* of each system; NaN: none, or several judges */
    double differing;         /* effective number (Kish) of labels that g does not predict */
    bool bounded, difference;
    bool by_cells;            /* limits are made of Wilson's */
    iv_judged_cell cell[2][3]; /* of each system: labels where the judge says 1, 0; the judge's
                                 mean */
    double estimate[2], correlation; /* of the two systems */
    double inflation[2];      /* of the distances of limits */
    double units;             /* clusters, or items, with a label */
} iv_judged_mean;

/*
 * The mean of a, or of a - b on the items that the judge scored of both (b NULL: of a).  IV_ENODATA
 * for fewer than IV_JUDGED_LEAST labels, or fewer than 2 in a stratum, IV_EARG as
 * iv_structured_mean().  O(items).
 */
enum { IV_JUDGED_LEAST = 5 };

/*
 * With fewer labels that g does not predict (Kish's number), Student's t covers too little, and
 * correlation within clusters cannot be seen: doc/methods/judged.md has the coverage.
 */
enum { IV_JUDGED_DIFFERING = 10 };
IV_MUST_CHECK int iv_judged_mean_of(iv_judged_mean *out, const iv_judged_system *a,
                                    const iv_judged_system *b, const iv_judged_design *d,
                                    iv_err *err);

/*
 * The same with and without the judge.  Where too few labels differ from the judge's scores to see
 * how often they do, `both` is that of people alone, too; *few is then how many differ, else NaN.
 */
IV_MUST_CHECK int iv_judged_means_of(iv_judged_mean *both, iv_judged_mean *alone, double *few,
                                     const iv_judged_system *a, const iv_judged_system *b,
                                     const iv_judged_design *d, iv_err *err);

/* Limits with the error `tail` on each side. */
void iv_judged_limits(double *lower, double *upper, const iv_judged_mean *m, double tail);

/* p of the hypothesis that the value is not above `from` (above) or not below it: the tail at which
 * that limit is `from`. */
double iv_judged_p(const iv_judged_mean *m, double from, bool above);

/* A judge's 0/1 scores of other answers: by human label, how many, and how many are right. */
typedef struct iv_judge_calibration {
    double positive, found, negative, rejected;
} iv_judge_calibration;

/* The proportion of 1 where the judge gives p of n answers a 1, corrected by its sensitivity and
 * specificity, whose sum is above 1 (Rogan, Gladen 1978); limits by Lang and Reiczigel (2014). */
iv_interval iv_calibrated_proportion(const iv_judge_calibration *c, double p, double n, double z);

#endif
