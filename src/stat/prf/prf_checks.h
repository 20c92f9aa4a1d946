/* SPDX-License-Identifier: Apache-2.0 */
/* Options, with their defaults filled in and their domains checked. */
#ifndef IV_STAT_PRF_CHECKS_H
#define IV_STAT_PRF_CHECKS_H

#include "intervale/stat/prf.h"

/* 0 becomes .95; IV_EARG outside (0, 1). */
IV_MUST_CHECK int iv_prf_check_confidence(double *confidence, iv_err *err);

/* 0 becomes the default; IV_EARG outside (0, 1e6]. */
IV_MUST_CHECK int iv_prf_check_prior(iv_prf_prior *prior, iv_err *err);

/* 0 becomes IV_PRF_DRAWS; IV_EARG outside what is allowed. */
IV_MUST_CHECK int iv_prf_check_draws(size_t *draws, iv_err *err);

#endif /* IV_STAT_PRF_CHECKS_H */
