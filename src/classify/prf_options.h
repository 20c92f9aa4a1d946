/* SPDX-License-Identifier: Apache-2.0 */
/* Options of prf: which need or exclude which. */
#ifndef IV_CLASSIFY_PRF_OPTIONS_H
#define IV_CLASSIFY_PRF_OPTIONS_H

#include "intervale/classify.h"

/* IV_EARG for the first option given that would do nothing. */
IV_MUST_CHECK int iv_prf_refuse(const iv_prf_question *q, iv_err *err);

#endif
