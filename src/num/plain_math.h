/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logarithm and exponential with the same bits on every machine.
 *
 * Logarithm and exponential from additions, multiplications and divisions
 * alone.  IEEE 754 fixes the result of each of those, but not of libm's log
 * and exp, which differ in the last bit between machines.  Random draws and
 * saddle-point probabilities use these, and so are the same everywhere.
 */
#ifndef IV_NUM_PLAIN_MATH_H
#define IV_NUM_PLAIN_MATH_H

#include <stddef.h>

/* log(x) to 1 ulp; -inf at 0, NaN below and for NaN, +inf at +inf. */
double iv_plain_log(double x);

/* log(1 + x) to 2 ulp for x > -1; -inf at -1, NaN below. */
double iv_plain_log1p(double x);

/* exp(x) to 2 ulp; 0 below the smallest number, +inf above the largest. */
double iv_plain_exp(double x);

/* exp() of each of n numbers in [-700, 0], in place and to 4 ulp: without branches, so
 * that many go side by side. */
void iv_plain_exp_each(double *x, size_t n);

#endif
