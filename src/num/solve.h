/* SPDX-License-Identifier: Apache-2.0 */
/* Roots, minima, and the fit of a Poisson regression. */
#ifndef IV_NUM_SOLVE_H
#define IV_NUM_SOLVE_H

#include "intervale/num.h"

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

#endif
