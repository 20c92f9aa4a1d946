/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of distributions that no other room asks for; num.h says what their names mean. */
#ifndef IV_NUM_TAILS_H
#define IV_NUM_TAILS_H

#include "intervale/num.h"

double iv_beta_log_cdf(double x, double a, double b);
double iv_beta_log_sf(double x, double a, double b);

int64_t iv_betabin_isf(double q, int64_t n, double a, double b);
double iv_betabin_log_cdf(int64_t k, int64_t n, double a, double b);
double iv_betabin_log_sf(int64_t k, int64_t n, double a, double b);
double iv_betabin_sf(int64_t k, int64_t n, double a, double b);

double iv_binom_log_cdf(int64_t k, int64_t n, double p);
double iv_binom_log_sf(int64_t k, int64_t n, double p);

double iv_chisq_cdf(double x, double df);
double iv_chisq_log_cdf(double x, double df);
double iv_chisq_log_sf(double x, double df);
double iv_chisq_quantile(double p, double df);
double iv_chisq_sf(double x, double df);

double iv_gamma_isf(double p, double shape);
double iv_gamma_log_cdf(double x, double shape);
double iv_gamma_log_pdf(double x, double shape);
double iv_gamma_log_sf(double x, double shape);
double iv_gamma_quantile(double p, double shape);
double iv_gamma_sf(double x, double shape);

int64_t iv_hyper_isf(double q, int64_t population, int64_t marked, int64_t drawn);
double iv_hyper_log_cdf(int64_t k, int64_t population, int64_t marked, int64_t drawn);
double iv_hyper_log_sf(int64_t k, int64_t population, int64_t marked, int64_t drawn);

double iv_log_gamma(double x);

double iv_norm_log_cdf(double x);
double iv_norm_log_pdf(double x);
double iv_norm_log_sf(double x);

double iv_t_log_cdf(double x, double df);
double iv_t_log_pdf(double x, double df);
double iv_t_log_sf(double x, double df);

#endif /* IV_NUM_TAILS_H */
