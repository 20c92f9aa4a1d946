/* SPDX-License-Identifier: Apache-2.0 */
/*
 * num -- functions of real numbers: random streams, distributions, discrete
 * probabilities as vectors, quadrature, roots, minima, small fits.
 *
 * Nothing here knows what a document or a score is.  Functions that return a
 * double answer NaN outside their domain, allocate nothing and may be called
 * from any thread.
 */
#ifndef INTERVALE_NUM_H
#define INTERVALE_NUM_H

#include "intervale/base.h"

IV_BEGIN_C

/* ----------------------------------------------------- random streams -- */

/*
 * A stream of random numbers named by (seed, purpose, replicate).  Streams of
 * different names are independent, and starting one costs nothing, so each
 * replicate of a computation starts its own: the numbers then do not depend
 * on the order of the replicates or on the number of threads.
 *
 * Every draw below is the same, bit for bit, on every machine with IEEE 754
 * doubles, whatever its libm: the generator is Philox4x32-10 (Random123) and
 * all arithmetic is +, -, *, / and sqrt.
 *
 * A stream is a plain value: copying it copies its state.  One stream serves
 * one thread at a time.  The fields are not for callers.
 */
typedef struct iv_stream {
    uint64_t seed, replicate;
    uint64_t blocks; /* of 128 bits, drawn so far; at most 2^40 */
    uint32_t purpose;
    uint32_t left; /* words not yet used */
    uint64_t word[8];
} iv_stream;

/*
 * What a stream is for; two uses of one seed with different purposes never
 * share numbers.  A use that is missing gets a line here.  Programs that use
 * the library number their own from IV_FOR_CALLER to 2^24 - 1.
 */
enum {
    IV_FOR_BOOTSTRAP = 1, /* resampling of topics or items */
    IV_FOR_PERMUTATION,   /* sign flips, permutations of systems */
    IV_FOR_POSTERIOR,     /* draws from posterior distributions */
    IV_FOR_SAMPLING,      /* which documents to judge */
    IV_FOR_COLLECTION,    /* simulated collections and runs */
    IV_FOR_STUDY,         /* coverage and power experiments */
    IV_FOR_PILOT,         /* resampled pilot studies */
    IV_FOR_TIES,          /* breaking ties at random */
    IV_FOR_CALLER = 0x10000
};

IV_API iv_stream iv_stream_start(uint64_t seed, uint32_t purpose,
                                 uint64_t replicate);

/* 64 independent fair bits. */
IV_API uint64_t iv_draw_bits(iv_stream *s);

/* Uniform on the multiples of 2^-53 in [0, 1). */
IV_API double iv_draw_uniform(iv_stream *s);

/* Uniform on the odd multiples of 2^-53 in (0, 1): never 0, never 1. */
IV_API double iv_draw_uniform_open(iv_stream *s);

/* Uniform integer in [0, n), without bias; 0 when n is 0. */
IV_API uint64_t iv_draw_below(iv_stream *s, uint64_t n);

/* Normal with mean 0 and variance 1; exponential with mean 1. */
IV_API double iv_draw_normal(iv_stream *s);
IV_API double iv_draw_exponential(iv_stream *s);

/*
 * Gamma with scale 1.  shape >= 0; shape 0 gives 0.  A shape far below 1 often
 * gives numbers under the smallest double, that is 0.
 */
IV_API double iv_draw_gamma(iv_stream *s, double shape);

/* Beta; a, b >= 0 and not both 0, else NaN; a = 0 gives 0, b = 0 gives 1. */
IV_API double iv_draw_beta(iv_stream *s, double a, double b);

/*
 * Successes in n trials of probability p.  -1 outside 0 <= n <= 2^53 and
 * 0 <= p <= 1.  Bounded time whatever n.
 */
IV_API int64_t iv_draw_binom(iv_stream *s, int64_t n, double p);

/*
 * Marked ones among `drawn` taken without replacement from a population of
 * which `marked` are marked.  -1 unless 0 <= marked, drawn <= population <=
 * 2^53.  Bounded time whatever the population.
 */
IV_API int64_t iv_draw_hyper(iv_stream *s, int64_t population, int64_t marked,
                             int64_t drawn);

/*
 * Counts of n trials over k cells with the given weights (>= 0, finite, any
 * positive sum); all -1 when the weights or n are not so.
 */
IV_API void iv_draw_multinomial(iv_stream *s, int64_t *counts, int64_t n,
                                const double *weights, size_t k);

/*
 * How often each of n cells is hit by n uniform draws: one bootstrap resample
 * as counts.  n < 2^32; fastest to 4096 cells.
 */
IV_API void iv_draw_resample(iv_stream *s, uint32_t *counts, size_t n);

/*
 * k of the integers [0, n), each subset equally likely, in increasing order
 * (iv_draw_subset) or in random order (iv_draw_sequence).  False, and out
 * untouched, when k > n.  O(k log k), or O(n) when that is less.
 */
IV_API bool iv_draw_subset(iv_stream *s, size_t *out, size_t k, size_t n);
IV_API bool iv_draw_sequence(iv_stream *s, size_t *out, size_t k, size_t n);

/* Random order of `count` elements of `size` bytes each. */
IV_API void iv_draw_shuffle(iv_stream *s, void *base, size_t count, size_t size);

/* ------------------------------------------------- special functions -- */

/* The derivative of log Gamma(x), x > 0; log B(a, b), a, b > 0. */
IV_API double iv_digamma(double x);
IV_API double iv_log_beta(double a, double b);

/* ------------------------------------------------------ distributions -- */

/*
 * Each name says its tail:
 *
 *     cdf(x)       P(X <= x)           log_cdf(x)  its logarithm
 *     sf(x)        P(X > x)            log_sf(x)   its logarithm
 *     quantile(p)  the least x with cdf(x) >= p
 *     isf(p)       the least x with sf(x) <= p: small p keep their digits
 *     log_pdf, log_pmf    the logarithm of density or probability
 *
 * An argument outside the support has the limit's value (cdf 0 or 1, log_pdf
 * -inf); a parameter outside its domain, p outside [0, 1], or a NaN gives NaN.
 * Counts are int64_t up to 2^53, and a quantile that is a count answers -1
 * where a real one answers NaN.  The log forms hold far beyond the smallest
 * double.  Relative error below 1e-12 for parameters to 5e7, against 50-digit
 * arithmetic and R (tests/unit/test_num_dist.c).
 */

/* Normal with mean 0 and variance 1. */
IV_API double iv_norm_cdf(double x);
IV_API double iv_norm_sf(double x);
IV_API double iv_norm_quantile(double p);
IV_API double iv_norm_isf(double p);

/* Student's t, df > 0 degrees of freedom; df = inf is the normal. */
IV_API double iv_t_cdf(double x, double df);
IV_API double iv_t_sf(double x, double df);
IV_API double iv_t_quantile(double p, double df);
IV_API double iv_t_isf(double p, double df);

/* Chi-square, df > 0. */
IV_API double iv_chisq_log_pdf(double x, double df);
IV_API double iv_chisq_isf(double p, double df);

/* Beta, a, b > 0. */
IV_API double iv_beta_log_pdf(double x, double a, double b);
IV_API double iv_beta_cdf(double x, double a, double b);
IV_API double iv_beta_sf(double x, double a, double b);
IV_API double iv_beta_quantile(double p, double a, double b);
IV_API double iv_beta_isf(double p, double a, double b);

/* Binomial: successes in n trials of probability p. */
IV_API double iv_binom_log_pmf(int64_t k, int64_t n, double p);
IV_API double iv_binom_cdf(int64_t k, int64_t n, double p);
IV_API double iv_binom_sf(int64_t k, int64_t n, double p);
IV_API int64_t iv_binom_quantile(double q, int64_t n, double p);
IV_API int64_t iv_binom_isf(double q, int64_t n, double p);

/*
 * Hypergeometric: marked ones among `drawn`, taken without replacement from a
 * population of which `marked` are marked.  At most some 10,000 steps for a
 * cdf, whatever the population.
 */
IV_API double iv_hyper_log_pmf(int64_t k, int64_t population, int64_t marked,
                               int64_t drawn);
IV_API double iv_hyper_cdf(int64_t k, int64_t population, int64_t marked,
                           int64_t drawn);
IV_API double iv_hyper_sf(int64_t k, int64_t population, int64_t marked,
                          int64_t drawn);
IV_API int64_t iv_hyper_quantile(double q, int64_t population, int64_t marked,
                                 int64_t drawn);

/*
 * Beta-binomial: successes in n trials whose probability is Beta(a, b).  The
 * curve is the smooth function through the atoms' logarithms, at any real k in
 * [0, n]; elsewhere it is NaN.
 */
IV_API double iv_betabin_log_curve(double k, int64_t n, double a, double b);

/* --------------------------------------------- probabilities as vectors -- */

/*
 * p[i] is the probability of offset + i.  Atoms too improbable to matter are
 * left out at both ends; left_out bounds their mass.  Start from
 * (iv_pmf){ 0 }; filling one again reuses its memory, so that a loop allocates
 * at most a few times.  iv_pmf_free() frees the memory, not the struct.
 */
typedef struct iv_pmf {
    int64_t offset;
    size_t count;
    double *p;
    double left_out;
    size_t capacity; /* of p; not for callers */
} iv_pmf;

IV_API void iv_pmf_free(iv_pmf *pmf);

/*
 * The three distributions of counts, with at most `trim` (>= 0; 1e-17 is
 * sensible, 0 keeps the whole support) of mass left out at each end.  About
 * 5 ns an atom; each p[i] is good to 1e-12.  IV_EARG for parameters outside
 * their domain, IV_ENOMEM.
 */
IV_API IV_MUST_CHECK int iv_pmf_binom(iv_pmf *out, int64_t n, double p,
                                      double trim, iv_err *err);
IV_API IV_MUST_CHECK int iv_pmf_hyper(iv_pmf *out, int64_t population,
                                      int64_t marked, int64_t drawn,
                                      double trim, iv_err *err);
IV_API IV_MUST_CHECK int iv_pmf_betabin(iv_pmf *out, int64_t n, double a,
                                        double b, double trim, iv_err *err);

/* Drops atoms at both ends while the mass dropped there is at most trim. */
IV_API void iv_pmf_trim(iv_pmf *pmf, double trim);

/* Workspace of convolutions: the plans of its last lengths.  One thread. */
typedef struct iv_convolver iv_convolver;
IV_API IV_MUST_CHECK int iv_convolver_new(iv_convolver **out, iv_err *err);
IV_API void iv_convolver_free(iv_convolver *c);

/*
 * The distribution of the sum of two independent counts; out is neither a nor
 * b.  Directly (each atom to 1e-14 relative) or by FFT (1e-15 of the largest
 * atom, negative dust set to 0), whichever is faster.  The mass must come out
 * as the product of the masses to 1e-11, else IV_ENUM and *out is empty.
 */
IV_API IV_MUST_CHECK int iv_pmf_convolve(iv_pmf *out, const iv_pmf *a,
                                         const iv_pmf *b, iv_convolver *c,
                                         iv_err *err);

/* ------------------------------------------- quadrature, roots, minima -- */

/* A function of the caller; user is handed through. */
typedef double (*iv_function)(double x, void *user);

typedef struct iv_integral {
    double value;
    double error; /* estimated, usually much above the true one */
    size_t calls; /* of the function */
} iv_integral;

/*
 * Integral of f over [from, to], from <= to, either end infinite if need be,
 * until error <= tolerance x the integral of |f| (1e-14 <= tolerance < 1).
 *
 * Gauss-Kronrod, bisecting where the error is largest; for functions that are
 * smooth but for a few kinks.
 *
 * IV_ENUM when the tolerance is not reached or f is not finite, IV_EARG for
 * bad arguments.  No allocation.
 */
IV_API IV_MUST_CHECK int iv_integrate(iv_integral *out, iv_function f,
                                      void *user, double from, double to,
                                      double tolerance, iv_err *err);

/*
 * A root of f between from < to, to the last digits (TOMS 748).  f must have
 * different signs, or be 0, at the ends: IV_EARG if not.  IV_ENUM if f gives
 * NaN or the search does not end.
 */
IV_API IV_MUST_CHECK int iv_find_root(double *root, iv_function f, void *user,
                                      double from, double to, iv_err *err);

/*
 * A local minimum of f in [from, to], the only one if f has one (Brent), to
 * 3e-8 of the interval: f is flat there and tells no more.  at or value may be
 * NULL.  IV_ENUM if f gives NaN.
 */
IV_API IV_MUST_CHECK int iv_find_minimum(double *at, double *value,
                                         iv_function f, void *user, double from,
                                         double to, iv_err *err);

/* --------------------------------------------------- fits, correlation -- */

enum { IV_GLM_COLUMNS = 8 };

typedef struct iv_glm {
    size_t columns;
    double coefficient[IV_GLM_COLUMNS];
    double covariance[IV_GLM_COLUMNS][IV_GLM_COLUMNS];
    double deviance, null_deviance; /* of the fit, of a constant mean */
    size_t iterations;
} iv_glm;

/*
 * Poisson regression with log link, E y = exp(x b), by iteratively reweighted
 * least squares; no intercept is added.  x holds rows x columns row by row,
 * y >= 0.  IV_EARG for bad values, IV_ENODATA for fewer rows than columns,
 * dependent columns or all y = 0, IV_ENUM when it does not converge (as when
 * the maximum lies at infinity).
 */
IV_API IV_MUST_CHECK int iv_poisson_glm(iv_glm *out, const double *x,
                                        const double *y, size_t rows,
                                        size_t columns, iv_err *err);

/*
 * Kendall's tau-b, which allows for ties on either side; O(n log n).
 * IV_ENODATA when one side is constant or n < 2, IV_EARG for NaN.
 */
IV_API IV_MUST_CHECK int iv_kendall(double *tau, const double *x,
                                    const double *y, size_t n, iv_err *err);

/* Pearson's correlation; NaN when one side is constant or n < 2. */
IV_API double iv_pearson(const double *x, const double *y, size_t n);

IV_END_C

#endif /* INTERVALE_NUM_H */
