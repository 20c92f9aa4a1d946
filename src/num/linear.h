/* SPDX-License-Identifier: Apache-2.0 */
/* Sums, correlations, and systems of linear equations. */
#ifndef IV_NUM_LINEAR_H
#define IV_NUM_LINEAR_H

#include "intervale/base.h"

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

#endif
