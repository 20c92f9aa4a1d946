/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the module share: functions that no other module uses. */
#ifndef IV_NUM_NUM_PARTS_H
#define IV_NUM_NUM_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "intervale/num.h"

/* ----------------------------------------------------------------- pmf -- */

/* Room for count atoms; what p held is lost when it must grow. */
IV_MUST_CHECK int iv_pmf_reserve(iv_pmf *pmf, size_t count, iv_err *err);

/* --------------------------------------------------------------- tails -- */

/* Functions of distributions that no other module uses; num.h says what their names mean. */
double iv_gamma_cdf(double x, double shape);
double iv_gamma_isf(double p, double shape);
double iv_gamma_log_pdf(double x, double shape);
double iv_gamma_sf(double x, double shape);

double iv_norm_log_pdf(double x);

double iv_t_log_pdf(double x, double df);

/* -------------------------------------------------------------- saddle -- */

/*
 * Probabilities of counts without cancellation.
 *
 * log z! is written as z log z - z + c(z).  In a ratio of factorials the big
 * parts z log z - z of each term are gathered with the powers of p into
 * deviances D(x, m) = x log(x/m) + m - x, which are never negative, so nothing
 * cancels; the remainders c(z) are small.  Differences of lgamma() would lose
 * 4e-9 at populations of 5e6.
 *
 * Ref: C. Loader (2000), Fast and accurate computation of binomial
 * probabilities.
 */

/* c(z) = log Gamma(z+1) - z log z + z for z >= 0; c(0) = 0. */
double iv_factorial_rest(double z);

/*
 * D(x, m) = x log(x/m) + m - x for x >= 0, m > 0, given d = x - m.  The caller
 * knows d better than the rounded x and m tell, and D is about d^2/(2m).
 */
double iv_deviance(double x, double m, double d);

/* a b - c d, with one rounding of each product's low part at most. */
double iv_difference_of_products(double a, double b, double c, double d);

/*
 * Log probabilities for arguments inside the support, which the caller has
 * checked; k need not be whole (the curve through the atoms).
 */
double iv_binom_log_curve(double k, double n, double p);
double iv_hyper_log_curve(double k, double population, double marked,
                          double drawn);
double iv_betabin_log_curve_raw(double k, double n, double a, double b);

/* The same but for a constant that does not depend on k. */
double iv_binom_log_shape(double k, double n, double p);
double iv_hyper_log_shape(double k, double population, double marked,
                          double drawn);

/* ---------------------------------------------------------- plain math -- */

/*
 * Logarithm and exponential from additions, multiplications and divisions
 * alone.  IEEE 754 fixes the result of each of those, but not of libm's log
 * and exp, which differ in the last bit between machines.  Random draws and
 * saddle-point probabilities use these, and so are the same everywhere.
 */

/* log(x) to 1 ulp; -inf at 0, NaN below and for NaN, +inf at +inf. */
double iv_plain_log(double x);

/* log(1 + x) to 2 ulp for x > -1; -inf at -1, NaN below. */
double iv_plain_log1p(double x);

/* exp(x) to 2 ulp; 0 below the smallest number, +inf above the largest. */
double iv_plain_exp(double x);

/* exp() of each of n numbers in [-700, 0], in place and to 4 ulp: without branches, so
 * that many go side by side. */
void iv_plain_exp_each(double *x, size_t n);

/* --------------------------------------------------------------- atoms -- */

/*
 * What binomial, hypergeometric and beta-binomial have in common: whole-number
 * support, a log probability that is a smooth curve, and a rational ratio of
 * neighbours.  Tails, quantiles and vectors are written once, on this.
 */
typedef struct iv_atoms {
    double low, high; /* the support */
    double mode, mean, sd;
    double parameter[3];
    double (*log_curve)(const double parameter[3], double k);
    /* p(k+1)/p(k) = (u0 + u1 k)(v0 + v1 k) / ((k + 1)((z0 + z1 k) + z2)), with
     * whole z0 and z1, so that a small z2 survives where the rest is 0. */
    double u0, u1, v0, v1, z0, z1, z2;
    /* Beyond the mode p falls to the very end of that side (no U shape). */
    bool falls_down, falls_up;
} iv_atoms;

static inline double iv_atoms_ratio(const iv_atoms *d, double k)
{
    return (d->u0 + d->u1 * k) * (d->v0 + d->v1 * k)
           / ((k + 1.0) * ((d->z0 + d->z1 * k) + d->z2));
}

static inline double iv_atoms_log(const iv_atoms *d, double k)
{
    return d->log_curve(d->parameter, k);
}

/* Fill *d; false when a parameter is outside its domain. */
bool iv_atoms_binom(iv_atoms *d, int64_t n, double p);
bool iv_atoms_hyper(iv_atoms *d, int64_t population, int64_t marked,
                    int64_t drawn);
bool iv_atoms_betabin(iv_atoms *d, int64_t n, double a, double b);

/* log P(X = k) at any k. */
double iv_atoms_log_pmf(const iv_atoms *d, int64_t k);

/* P(X <= k) and P(X > k) at any k, of a distribution that falls on both sides of its mean: some
 * ten standard deviations of steps. */
double iv_atoms_cdf(const iv_atoms *d, int64_t k);
double iv_atoms_sf(const iv_atoms *d, int64_t k);

#endif /* IV_NUM_NUM_PARTS_H */
