/* SPDX-License-Identifier: Apache-2.0 */
/* Cholesky's factor of small dense matrices, row by row. */
#ifndef IV_NUM_CHOLESKY_H
#define IV_NUM_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

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

#endif /* IV_NUM_CHOLESKY_H */
