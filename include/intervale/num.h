/* SPDX-License-Identifier: Apache-2.0 */
/*
 * num -- numerical functions: random streams, distributions, discrete
 * probabilities as vectors, roots, minima, small regression models.
 *
 * A function that returns a double returns NaN outside its domain, allocates
 * nothing and may be called from any thread.
 */
#ifndef INTERVALE_NUM_H
#define INTERVALE_NUM_H

#include "intervale/base.h"

IV_BEGIN_C

/* ----------------------------------------------------- random streams -- */

/*
 * A stream of random numbers, identified by seed, purpose and replicate.  Different
 * streams are independent.  Each replicate of a computation starts a stream of its own,
 * so the numbers do not depend on the order of the replicates or the number of threads.
 *
 * The numbers are identical, bit for bit, on every machine with IEEE 754 doubles: the
 * generator is Philox4x32-10 (Random123), and all arithmetic is +, -, *, / and sqrt.
 *
 * Copying the struct copies the state of the stream.  Do not use one stream in two
 * threads at once.  The fields are private.
 */
typedef struct iv_stream {
    uint64_t seed, replicate;
    uint64_t blocks; /* blocks of 128 bits used so far; at most 2^40 */
    uint32_t purpose;
    uint32_t left; /* words not yet used */
    uint64_t word[8];
} iv_stream;

/*
 * The purpose of a stream.  Streams with the same seed but different purposes never share
 * numbers.  Programs that use the library number their own purposes from IV_FOR_CALLER to
 * 2^24 - 1.
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

/* ------------------------------------------------------ distributions -- */

/*
 * The end of a function's name says what it computes:
 *
 *     cdf(x)       P(X <= x)
 *     sf(x)        P(X > x)
 *     quantile(p)  the least x with cdf(x) >= p
 *     isf(p)       the least x with sf(x) <= p; accurate for small p
 *     log_pdf, log_pmf    the logarithm of density or probability
 *
 * For x outside the support, cdf is 0 or 1 and log_pdf is -inf.  The result is NaN for a
 * parameter outside its domain, for p outside [0, 1] and for NaN.  Counts are int64_t up to
 * 2^53; the quantile of a discrete distribution is -1 instead of NaN.  The relative error is
 * below 1e-12 for parameters up to 5e7, compared with 50-digit arithmetic and R
 * (tests/unit/test_num_dist.c).
 */

IV_API double iv_beta_quantile(double p, double a, double b);
IV_API double iv_beta_isf(double p, double a, double b);

/* --------------------------------------------- probabilities as vectors -- */

/*
 * p[i] is the probability of offset + i.  Values with a negligible probability are
 * excluded at both ends; left_out is an upper bound of their total probability.  Start from
 * (iv_pmf){ 0 }; filling it again reuses its memory.  iv_pmf_free() frees the memory, not
 * the struct.
 */
typedef struct iv_pmf {
    int64_t offset;
    size_t count;
    double *p;
    double left_out;
    size_t capacity; /* of p; private */
} iv_pmf;

/* Workspace of convolutions: plans for the most recent lengths.  For one thread. */
typedef struct iv_convolver iv_convolver;

/* ------------------------------------------------------- roots, minima -- */

/* The caller's function; user is passed on to it. */
typedef double (*iv_function)(double x, void *user);

/* --------------------------------------------------- fits, correlation -- */

enum { IV_GLM_COLUMNS = 8 };

typedef struct iv_glm {
    size_t columns;
    double coefficient[IV_GLM_COLUMNS];
    double covariance[IV_GLM_COLUMNS][IV_GLM_COLUMNS];
    double deviance, null_deviance; /* of the model, and of a constant mean */
    size_t iterations;
} iv_glm;

IV_END_C

#endif /* INTERVALE_NUM_H */
