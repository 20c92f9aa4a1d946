/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of distributions that no other room asks for; num.h says what their names mean. */
#ifndef IV_NUM_TAILS_H
#define IV_NUM_TAILS_H

#include "intervale/num.h"

double iv_beta_log_cdf(double x, double a, double b);
double iv_beta_log_sf(double x, double a, double b);

double iv_gamma_cdf(double x, double shape);
double iv_gamma_isf(double p, double shape);
double iv_gamma_log_pdf(double x, double shape);
double iv_gamma_sf(double x, double shape);

double iv_norm_log_cdf(double x);
double iv_norm_log_pdf(double x);

double iv_t_log_cdf(double x, double df);
double iv_t_log_pdf(double x, double df);

#endif /* IV_NUM_TAILS_H */
