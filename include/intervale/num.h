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

#ifdef __cplusplus
extern "C" {
#endif

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
 * Dirichlet: k shares that sum to 1.  Every alpha >= 0 and finite, not all 0,
 * else all shares are NaN.  A share with alpha 0 is 0.  out may be alpha.
 */
IV_API void iv_draw_dirichlet(iv_stream *s, double *out, const double *alpha,
                              size_t k);

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

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_NUM_H */
