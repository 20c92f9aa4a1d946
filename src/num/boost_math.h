/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the module takes from C++ libraries (Boost.Math, KISS FFT), in C terms.
 * Nothing throws; every failure is a NaN or a false.
 */
#ifndef IV_NUM_BOOST_MATH_H
#define IV_NUM_BOOST_MATH_H

#include "intervale/num.h"

IV_BEGIN_C

/* Regularised incomplete beta, lower and upper, and their inverses in x. */
double iv_boost_ibeta(double a, double b, double x);
double iv_boost_ibetac(double a, double b, double x);
double iv_boost_ibeta_inv(double a, double b, double p);
double iv_boost_ibetac_inv(double a, double b, double q);

/* Regularised incomplete gamma, lower and upper, and their inverses in x. */
double iv_boost_gamma_p(double shape, double x);
double iv_boost_gamma_q(double shape, double x);
double iv_boost_gamma_q_inv(double shape, double q);

double iv_boost_erfc(double x);
double iv_boost_erfc_inv(double p);
double iv_boost_digamma(double x);

/* Student's t: lower tail and its inverse, p <= 1/2. */
double iv_boost_t_cdf(double t, double df);
double iv_boost_t_quantile(double p, double df);

bool iv_boost_root(double *root, iv_function f, void *user, double from,
                   double to, double f_from, double f_to);
bool iv_boost_minimum(double *at, double *value, iv_function f, void *user, double from,
                      double to);

/* Cyclic convolutions of a fixed length, keeping the plan and its memory. */
typedef struct iv_fft iv_fft;
iv_fft *iv_fft_new(size_t length); /* NULL: out of memory */
void iv_fft_free(iv_fft *t);
/* out[i], i < count: of a (na) and b (nb), na + nb - 1 <= length. */
void iv_fft_convolve(iv_fft *t, double *out, size_t count, const double *a,
                     size_t na, const double *b, size_t nb);

IV_END_C

#endif /* IV_NUM_BOOST_MATH_H */
