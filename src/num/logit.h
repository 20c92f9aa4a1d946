/* SPDX-License-Identifier: Apache-2.0 */
/* The logit transformation and its inverse. */
#ifndef IV_NUM_LOGIT_H
#define IV_NUM_LOGIT_H

/* 1 / (1 + exp(-t)); and limits of a value in (0, 1) that reach so far, a quantile times the
 * standard error, on the scale of logits. */
double iv_logistic(double t);
void iv_logit_wald(double *lower, double *upper, double value, double reach);

#endif
