/* SPDX-License-Identifier: Apache-2.0 */
/*
 * num -- functions of real numbers: random streams, distributions, discrete
 * probabilities as vectors, roots, minima, small fits.
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

/* ------------------------------------------------- special functions -- */

/* ------------------------------------------------------ distributions -- */

/*
 * Each name says its tail:
 *
 *     cdf(x)       P(X <= x)
 *     sf(x)        P(X > x)
 *     quantile(p)  the least x with cdf(x) >= p
 *     isf(p)       the least x with sf(x) <= p: small p keep their digits
 *     log_pdf, log_pmf    the logarithm of density or probability
 *
 * An argument outside the support has the limit's value (cdf 0 or 1, log_pdf
 * -inf); a parameter outside its domain, p outside [0, 1], or a NaN gives NaN.
 * Counts are int64_t up to 2^53, and a quantile that is a count answers -1
 * where a real one answers NaN.  Relative error below 1e-12 for parameters to 5e7, against 50-digit
 * arithmetic and R (tests/unit/test_num_dist.c).
 */

IV_API double iv_beta_quantile(double p, double a, double b);
IV_API double iv_beta_isf(double p, double a, double b);

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

/* Workspace of convolutions: the plans of its last lengths.  One thread. */
typedef struct iv_convolver iv_convolver;

/* ------------------------------------------------------- roots, minima -- */

/* A function of the caller; user is handed through. */
typedef double (*iv_function)(double x, void *user);

/* --------------------------------------------------- fits, correlation -- */

enum { IV_GLM_COLUMNS = 8 };

typedef struct iv_glm {
    size_t columns;
    double coefficient[IV_GLM_COLUMNS];
    double covariance[IV_GLM_COLUMNS][IV_GLM_COLUMNS];
    double deviance, null_deviance; /* of the fit, of a constant mean */
    size_t iterations;
} iv_glm;

IV_END_C

#endif /* INTERVALE_NUM_H */
