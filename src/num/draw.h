/* SPDX-License-Identifier: Apache-2.0 */
/* Random streams, and draws from distributions. */
#ifndef IV_NUM_DRAW_H
#define IV_NUM_DRAW_H

#include "intervale/num.h"

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

#endif
