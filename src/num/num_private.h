/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of num share, and what other modules use of it. */
#ifndef IV_NUM_NUM_PRIVATE_H
#define IV_NUM_NUM_PRIVATE_H

#include "intervale/num.h"
#include "base/base_private.h"

/* ----------------------------------------------------------------- num -- */
/* What the other modules use of intervale/num.h beside what programs do. */

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

/* The sum and the mean of numbers, added in their order, as trec_eval does. */
static inline double iv_sum(const double *x, size_t n)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

static inline double iv_average(const double *x, size_t n)
{
    return iv_sum(x, n) / (double)n;
}

/* ------------------------------------------------------------ cholesky -- */
/* Cholesky's factor of small dense matrices, row by row. */

static inline double iv_dot(const double *a, const double *b, size_t n)
{
    double sum = 0.0;

    for (size_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* a = L L', n x n: L in its lower half; the upper one is not read. False if it is not positive. */
bool iv_cholesky(double *a, size_t n);

/* L x = b and L' x = b, in place. */
void iv_solve_lower(const double *l, double *b, size_t n);
void iv_solve_upper(const double *l, double *b, size_t n);

/* ----------------------------------------------------------------- num -- */
/* What the files of the module share: functions that no other module uses. */

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

#endif
