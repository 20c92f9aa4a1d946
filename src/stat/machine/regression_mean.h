/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mean over units (topics) of which some have human values and all have automatic ones: the
 * regression estimator of two-phase sampling.
 *
 *   estimate = mean human value + b (mean automatic value of all units - of those with human ones)
 *
 * b by least squares.  Which units have human values must have been left to chance; nothing else is
 * asked of the automatic values.
 *
 * Refs: Cochran (1977), Sampling Techniques, ch. 7 and 12; Angelopoulos et al. (2023).
 */
#ifndef IV_STAT_MACHINE_REGRESSION_MEAN_H
#define IV_STAT_MACHINE_REGRESSION_MEAN_H

#include "intervale/base.h"

/* Topics of a regression: two degrees of freedom are left for its error. */
enum { IV_TWO_PHASE_LEAST = 4 };

typedef struct iv_regression_mean {
    double value, se, df; /* Student's t */
    double slope, rho;    /* rho: correlation of the two values; NaN: one does not vary */
    double human, human_se, human_df; /* human values alone */
} iv_regression_mean;

/*
 * human values of the first `judged` units, automatic ones of all; fixed: of this set of units, not
 * of a population of units.  Where automatic values do not vary, or all units have human ones, the
 * estimate is that of human values alone.  IV_ENODATA for fewer than IV_TWO_PHASE_LEAST judged
 * units; IV_EARG for a value that is not finite and for fewer units than judged ones.
 */
IV_MUST_CHECK int iv_regression_mean_of(iv_regression_mean *out, const double *human,
                                        size_t judged, const double *automatic, size_t units,
                                        bool fixed, iv_err *err);

/* Student's t from a value, its standard error and degrees of freedom: on the logit scale for a
 * value within (0, 1) of what is bounded by 0 and 1. */
void iv_student_limits(double *lower, double *upper, double value, double se, double df,
                              bool bounded, double confidence);

/*
 * Does the chance of being sampled depend on the group?  population and sampled are stratum x group
 * counts; a simple random sample of each stratum.  Cochran's, Mantel's and Haenszel's statistic,
 * groups of fewer than 5 expected merged, and its degrees of freedom: 0 where nothing can be said.
 */
IV_MUST_CHECK int iv_selection_test_of(double *statistic, double *df, const size_t *population,
                                       const size_t *sampled, size_t strata, size_t groups,
                                       iv_err *err);

/* Samples that chance makes in one of ten thousand cases are refused: more uneven, or more even. */
bool iv_selection_uneven(double statistic, double df);
bool iv_selection_even(double statistic, double df);

#endif
