/* SPDX-License-Identifier: Apache-2.0 */
/* Probabilities of counts as vectors, and their convolution. */
#ifndef IV_NUM_PMF_H
#define IV_NUM_PMF_H

#include "intervale/num.h"

void iv_pmf_free(iv_pmf *pmf);

/*
 * The three distributions of counts, with at most `trim` (>= 0; 1e-17 is
 * sensible, 0 keeps the whole support) of mass left out at each end.  About
 * 5 ns an atom; each p[i] is good to 1e-12.  IV_EARG for parameters outside
 * their domain, IV_ENOMEM.
 */
IV_MUST_CHECK int iv_pmf_binom(iv_pmf *out, int64_t n, double p,
                                      double trim, iv_err *err);

IV_MUST_CHECK int iv_pmf_hyper(iv_pmf *out, int64_t population,
                                      int64_t marked, int64_t drawn,
                                      double trim, iv_err *err);

IV_MUST_CHECK int iv_pmf_betabin(iv_pmf *out, int64_t n, double a,
                                        double b, double trim, iv_err *err);

/* Drops atoms at both ends while the mass dropped there is at most trim. */
void iv_pmf_trim(iv_pmf *pmf, double trim);

IV_MUST_CHECK int iv_convolver_new(iv_convolver **out, iv_err *err);

void iv_convolver_free(iv_convolver *c);

/*
 * The distribution of the sum of two independent counts; out is neither a nor
 * b.  Directly (each atom to 1e-14 relative) or by FFT (1e-15 of the largest
 * atom, negative dust set to 0), whichever is faster.  The mass must come out
 * as the product of the masses to 1e-11, else IV_ENUM and *out is empty.
 */
IV_MUST_CHECK int iv_pmf_convolve(iv_pmf *out, const iv_pmf *a,
                                         const iv_pmf *b, iv_convolver *c,
                                         iv_err *err);

/* Room for count atoms; what p held is lost when it must grow. */
IV_MUST_CHECK int iv_pmf_reserve(iv_pmf *pmf, size_t count, iv_err *err);

#endif
