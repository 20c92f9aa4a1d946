/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The logit of a beta variable, T = log(X/(1-X)), X ~ Beta(a, b).
 *
 * On this scale a density that is unbounded at 0 or 1 becomes smooth, and all
 * of them are log-concave with tails exp(a t) and exp(-b t).  T is measured
 * from its own mode log(a/b), so that a narrow density far from 0 loses no
 * digits to its place.
 */
#ifndef IV_STAT_PRF_LOGIT_H
#define IV_STAT_PRF_LOGIT_H

#include <stdbool.h>

typedef struct iv_logit_beta {
    double a, b;
    double centre; /* the mode of T */
    double spread; /* the standard deviation, roughly */
    double peak;   /* the density there */
} iv_logit_beta;

/* a, b > 0 and finite. */
iv_logit_beta iv_logit_beta_of(double a, double b);

/* The density of T at centre + offset; its logarithm without the peak's. */
double iv_logit_beta_density(const iv_logit_beta *t, double offset);
double iv_logit_beta_fall(const iv_logit_beta *t, double offset);

/* How far from the mode the density has fallen by exp(-depth), depth > 0. */
double iv_logit_beta_reach(const iv_logit_beta *t, double depth, bool above);

/* 1/(1 + exp(-t)) and log(x/y), where y = 1 - x is known better than that. */
double iv_logistic(double t);
double iv_logit_of(double x, double y);

#endif /* IV_STAT_PRF_LOGIT_H */
