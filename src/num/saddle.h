/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Log-probabilities of counts that keep their accuracy for large numbers.
 *
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
#ifndef IV_NUM_SADDLE_H
#define IV_NUM_SADDLE_H

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

#endif
