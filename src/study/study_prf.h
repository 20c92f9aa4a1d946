/* SPDX-License-Identifier: Apache-2.0 */
/* Intervals of a binomial proportion, as studies and papers compare them. */
#ifndef IV_STUDY_STUDY_PRF_H
#define IV_STUDY_STUDY_PRF_H

#include <stdint.h>

typedef enum iv_binomial_interval {
    IV_BINOMIAL_WALD,
    IV_BINOMIAL_WILSON,
    IV_BINOMIAL_AGRESTI_COULL,
    IV_BINOMIAL_JEFFREYS,
    IV_BINOMIAL_CLOPPER_PEARSON,
    IV_BINOMIAL_INTERVALS
} iv_binomial_interval;

/* "wald", "wilson", "agresti-coull", "jeffreys", "clopper-pearson"; ends with NULL. */
const char *const *iv_binomial_interval_names(void);

/* The interval when k of n are successes (Brown, Cai and DasGupta 2001); Wald's and
 * Agresti and Coull's may leave [0, 1]. */
void iv_binomial_limits(double *lower, double *upper, iv_binomial_interval method, double k,
                        double n, double confidence);

/* Coverage at proportion p, summed over all outcomes of n. */
double iv_binomial_coverage(iv_binomial_interval method, int64_t n, double p, double confidence);

#endif /* IV_STUDY_STUDY_PRF_H */
