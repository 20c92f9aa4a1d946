/* SPDX-License-Identifier: Apache-2.0 */
#include "num/cholesky.h"

#include <math.h>

bool iv_cholesky(double *a, size_t n)
{
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++) {
            const double sum = a[i * n + j] - iv_dot(a + i * n, a + j * n, j);
            if (i == j && !(sum > 0.0))
                return false;
            a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
        }
    return true;
}

void iv_solve_lower(const double *l, double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        b[i] = (b[i] - iv_dot(l + i * n, b, i)) / l[i * n + i];
}

void iv_solve_upper(const double *l, double *b, size_t n)
{
    for (size_t i = n; i-- > 0;) {
        b[i] /= l[i * n + i];
        for (size_t k = 0; k < i; k++)
            b[k] -= l[i * n + k] * b[i];
    }
}
