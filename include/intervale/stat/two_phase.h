/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mean over many units (topics) of which people judged a few and machines judged
 * all: the regression estimator of two-phase sampling, with the jackknife's error.
 *
 *   est = mean of people's values + b (mean of the machine's over all units - over
 *         the judged ones), b by least squares over the judged units, drawn towards 0
 *         where chance alone may explain half of what it explains
 *
 * Which units people judged must have been left to chance.  Nothing else is asked of
 * the machine: a useless one costs a little width, one that is always wrong is as good
 * as one that is always right.  doc/methods/machine.md has formulas and evidence.
 *
 * Refs: Neyman (1938); Cochran (1977), Sampling Techniques, ch. 12; Angelopoulos et al.
 * (2023), Prediction-powered inference.
 */
#ifndef INTERVALE_STAT_TWO_PHASE_H
#define INTERVALE_STAT_TWO_PHASE_H

#include "intervale/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* More machines than this are not used together; with fewer judged units than
 * IV_TWO_PHASE_LEAST there is no estimate. */
enum { IV_MACHINES_MOST = 8, IV_TWO_PHASE_LEAST = 4 };

/* At most so many machines can be used with n judged units: (n - 4) / 4, and one. */
IV_API size_t iv_machines_allowed(size_t n);

typedef struct iv_two_phase_data {
    const double *human; /* of the judged units */
    size_t judged;
    const double *const *machine; /* one array of `units` a machine, judged units first */
    size_t machines, units;
} iv_two_phase_data;

typedef struct iv_two_phase_options {
    double confidence; /* 0: .95 */
    bool these;        /* of these units, not of all such */
    bool bounded;      /* values are in [0, 1]: logit scale */
    double noise;      /* variance of a judged unit's own value, if it is an estimate: of these
                          units that is left when all are judged */
} iv_two_phase_options;

typedef struct iv_two_phase {
    double value, se, lower, upper;
    double p;               /* two-sided, of the mean being 0 */
    double df;              /* of Student's t */
    double share;           /* of the least squares slopes that counts, 1 unless the machines
                               explain less than twice what chance does */
    double slope[IV_MACHINES_MOST]; /* 0 for a machine that tells nothing new */
    double rho;             /* correlation of people's values with what the machines predict;
                               of one machine with its sign */
    double residual;        /* variance around the regression */
    double v_judged, v_units; /* the parts of se^2: which were judged, which there are */
    size_t used;            /* machines that tell something */
    double skewness;        /* of what single units do to the value: of its pseudo-values */
    double human, human_se; /* people alone */
    double effective;       /* judged units that would be as good without a machine */
} iv_two_phase;

/*
 * Estimates the mean.  With no machine that tells anything it is people alone by
 * Student's t (n - 1).  left_out has room for `judged` estimates without one unit each,
 * or is NULL.  IV_ENODATA for fewer than four judged units, IV_EARG for a value that is not
 * finite, fewer units than judged ones, more machines than iv_machines_allowed() or a
 * confidence outside (0, 1).  O(units x machines^2); allocates O(judged x machines).
 */
IV_API IV_MUST_CHECK int iv_two_phase_mean(iv_two_phase *out, double *left_out,
                                           const iv_two_phase_data *data,
                                           const iv_two_phase_options *options, iv_err *err);

/* How the judged units differ from the others by the machine's values: p of Welch's t
 * test; NaN where one side has fewer than two units or nothing varies. */
IV_API double iv_two_phase_unlike(const double *machine, size_t judged, size_t units);

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_STAT_TWO_PHASE_H */
