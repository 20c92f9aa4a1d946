/* SPDX-License-Identifier: Apache-2.0 */
/* Distributions: densities, tails and quantiles. */
#ifndef IV_NUM_DIST_H
#define IV_NUM_DIST_H

#include <stdint.h>

/* The derivative of log Gamma(x), x > 0; log B(a, b), a, b > 0. */
double iv_digamma(double x);

double iv_log_beta(double a, double b);

/* Normal with mean 0 and variance 1. */
double iv_norm_cdf(double x);

double iv_norm_sf(double x);

double iv_norm_quantile(double p);

double iv_norm_isf(double p);

/* Student's t, df > 0 degrees of freedom; df = inf is the normal. */
double iv_t_cdf(double x, double df);

double iv_t_sf(double x, double df);

double iv_t_quantile(double p, double df);

double iv_t_isf(double p, double df);

/* Chi-square, df > 0. */
double iv_chisq_isf(double p, double df);

/* Beta, a, b > 0. */
double iv_beta_log_pdf(double x, double a, double b);

double iv_beta_cdf(double x, double a, double b);

double iv_beta_sf(double x, double a, double b);

/* Binomial: successes in n trials of probability p. */
double iv_binom_log_pmf(int64_t k, int64_t n, double p);

double iv_binom_cdf(int64_t k, int64_t n, double p);

double iv_binom_sf(int64_t k, int64_t n, double p);

int64_t iv_binom_isf(double q, int64_t n, double p);

/*
 * Hypergeometric: marked ones among `drawn`, taken without replacement from a
 * population of which `marked` are marked.  A cdf takes some ten standard
 * deviations of steps.
 */
double iv_hyper_log_pmf(int64_t k, int64_t population, int64_t marked,
                               int64_t drawn);

double iv_hyper_cdf(int64_t k, int64_t population, int64_t marked,
                           int64_t drawn);

double iv_hyper_sf(int64_t k, int64_t population, int64_t marked,
                          int64_t drawn);

/*
 * Beta-binomial: successes in n trials whose probability is Beta(a, b).  The
 * curve is the smooth function through the atoms' logarithms, at any real k in
 * [0, n]; elsewhere it is NaN.
 */
double iv_betabin_log_curve(double k, int64_t n, double a, double b);

/* Functions of distributions that no other module uses; num.h says what their names mean. */
double iv_gamma_cdf(double x, double shape);
double iv_gamma_isf(double p, double shape);
double iv_gamma_log_pdf(double x, double shape);
double iv_gamma_sf(double x, double shape);

double iv_norm_log_pdf(double x);

double iv_t_log_pdf(double x, double df);

#endif
