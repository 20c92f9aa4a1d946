/* SPDX-License-Identifier: Apache-2.0 */
/* Mean and variance of a difference in AP when judgments are missing. */
#ifndef IV_STAT_INCOMPLETE_AP_MOMENTS_H
#define IV_STAT_INCOMPLETE_AP_MOMENTS_H

#include "intervale/stat/incomplete_judgments.h"

/* "delta", "plain", NULL. */
const char *const *iv_moments_form_names(void);

/*
 * P(difference < 0) by the normal distribution: 0 or 1 when the variance is 0,
 * 1/2 when mean and variance are.
 */
double iv_probability_less(iv_moments d);

/* How sure one is of the sign: the larger of that and its complement. */
double iv_sign_confidence(iv_moments d);

/*
 * No normal distribution is ever sure.  From this confidence on nobody will
 * make another judgment, and it counts as 1: three decimals print it so.
 */
#define IV_CERTAIN 0.9995

/*
 * Limits that dAP cannot leave, however documents of a relevance strictly
 * between 0 and 1 turn out; not always attained.  O(m log m).  If both have
 * the same sign, nothing can change it.
 */
IV_MUST_CHECK int iv_ap_difference_limits(double *lower, double *upper,
                                                 const uint32_t *rank_a,
                                                 const uint32_t *rank_b,
                                                 const double *relevance, size_t m,
                                                 iv_err *err);

#endif
