/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/num.h beside what programs do. */
#ifndef IV_NUM_NUM_PRIVATE_H
#define IV_NUM_NUM_PRIVATE_H

#include "intervale/num.h"

/* 1 / (1 + exp(-t)); and limits of a value in (0, 1) that reach so far, a quantile times the
 * standard error, on the scale of logits. */
double iv_logistic(double t);
void iv_logit_wald(double *lower, double *upper, double value, double reach);

iv_stream iv_stream_start(uint64_t seed, uint32_t purpose,
                                 uint64_t replicate);

/* 64 independent fair bits. */
uint64_t iv_draw_bits(iv_stream *s);

/* Uniform on the multiples of 2^-53 in [0, 1). */
double iv_draw_uniform(iv_stream *s);

/* Uniform on the odd multiples of 2^-53 in (0, 1): never 0, never 1. */
double iv_draw_uniform_open(iv_stream *s);

/* Uniform integer in [0, n), without bias; 0 when n is 0. */
uint64_t iv_draw_below(iv_stream *s, uint64_t n);

/* Normal with mean 0 and variance 1; exponential with mean 1. */
double iv_draw_normal(iv_stream *s);

double iv_draw_exponential(iv_stream *s);

/*
 * Gamma with scale 1.  shape >= 0; shape 0 gives 0.  A shape far below 1 often
 * gives numbers under the smallest double, that is 0.
 */
double iv_draw_gamma(iv_stream *s, double shape);

/* Beta; a, b >= 0 and not both 0, else NaN; a = 0 gives 0, b = 0 gives 1. */
double iv_draw_beta(iv_stream *s, double a, double b);

/*
 * Successes in n trials of probability p.  -1 outside 0 <= n <= 2^53 and
 * 0 <= p <= 1.  Bounded time whatever n.
 */
int64_t iv_draw_binom(iv_stream *s, int64_t n, double p);

/*
 * Marked ones among `drawn` taken without replacement from a population of
 * which `marked` are marked.  -1 unless 0 <= marked, drawn <= population <=
 * 2^53.  Bounded time whatever the population.
 */
int64_t iv_draw_hyper(iv_stream *s, int64_t population, int64_t marked,
                             int64_t drawn);

/*
 * Counts of n trials over k cells with the given weights (>= 0, finite, any
 * positive sum); all -1 when the weights or n are not so.
 */
void iv_draw_multinomial(iv_stream *s, int64_t *counts, int64_t n,
                                const double *weights, size_t k);

/*
 * How often each of n cells is hit by n uniform draws: one bootstrap resample
 * as counts.  n < 2^32; fastest to 4096 cells.
 */
void iv_draw_resample(iv_stream *s, uint32_t *counts, size_t n);

/*
 * k of the integers [0, n), each subset equally likely, in increasing order
 * (iv_draw_subset) or in random order (iv_draw_sequence).  False, and out
 * untouched, when k > n.  O(k log k), or O(n) when that is less.
 */
bool iv_draw_subset(iv_stream *s, size_t *out, size_t k, size_t n);

bool iv_draw_sequence(iv_stream *s, size_t *out, size_t k, size_t n);

/* Random order of `count` elements of `size` bytes each. */
void iv_draw_shuffle(iv_stream *s, void *base, size_t count, size_t size);

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

void iv_pmf_free(iv_pmf *pmf);

/*
 * The three distributions of counts, with at most `trim` (>= 0; 1e-17 is
 * sensible, 0 keeps the whole support) of mass left out at each end.  About
 * 5 ns an atom; each p[i] is good to 1e-12.  IV_EARG for parameters outside
 * their domain, IV_ENOMEM.
 */
IV_MUST_CHECK int iv_pmf_binom(iv_pmf *out, int64_t n, double p,
                                      double trim, iv_err *err);

IV_MUST_CHECK int iv_pmf_hyper(iv_pmf *out, int64_t population,
                                      int64_t marked, int64_t drawn,
                                      double trim, iv_err *err);

IV_MUST_CHECK int iv_pmf_betabin(iv_pmf *out, int64_t n, double a,
                                        double b, double trim, iv_err *err);

/* Drops atoms at both ends while the mass dropped there is at most trim. */
void iv_pmf_trim(iv_pmf *pmf, double trim);

IV_MUST_CHECK int iv_convolver_new(iv_convolver **out, iv_err *err);

void iv_convolver_free(iv_convolver *c);

/*
 * The distribution of the sum of two independent counts; out is neither a nor
 * b.  Directly (each atom to 1e-14 relative) or by FFT (1e-15 of the largest
 * atom, negative dust set to 0), whichever is faster.  The mass must come out
 * as the product of the masses to 1e-11, else IV_ENUM and *out is empty.
 */
IV_MUST_CHECK int iv_pmf_convolve(iv_pmf *out, const iv_pmf *a,
                                         const iv_pmf *b, iv_convolver *c,
                                         iv_err *err);

/*
 * A root of f between from < to, to the last digits (TOMS 748).  f must have
 * different signs, or be 0, at the ends: IV_EARG if not.  IV_ENUM if f gives
 * NaN or the search does not end.
 */
IV_MUST_CHECK int iv_find_root(double *root, iv_function f, void *user,
                                      double from, double to, iv_err *err);

/*
 * A local minimum of f in [from, to], the only one if f has one (Brent), to
 * 3e-8 of the interval: f is flat there and tells no more.  at or value may be
 * NULL.  IV_ENUM if f gives NaN.
 */
IV_MUST_CHECK int iv_find_minimum(double *at, double *value,
                                         iv_function f, void *user, double from,
                                         double to, iv_err *err);

/*
 * Poisson regression with log link, E y = exp(x b), by iteratively reweighted
 * least squares; no intercept is added.  x holds rows x columns row by row,
 * y >= 0.  IV_EARG for bad values, IV_ENODATA for fewer rows than columns,
 * dependent columns or all y = 0, IV_ENUM when it does not converge (as when
 * the maximum lies at infinity).
 */
IV_MUST_CHECK int iv_poisson_glm(iv_glm *out, const double *x,
                                        const double *y, size_t rows,
                                        size_t columns, iv_err *err);

/*
 * Kendall's tau-b, which allows for ties on either side; O(n log n).
 * IV_ENODATA when one side is constant or n < 2, IV_EARG for NaN.
 */
IV_MUST_CHECK int iv_kendall(double *tau, const double *x,
                                    const double *y, size_t n, iv_err *err);

/* Pearson's correlation; NaN when one side is constant or n < 2. */
double iv_pearson(const double *x, const double *y, size_t n);

#endif /* IV_NUM_NUM_PRIVATE_H */
