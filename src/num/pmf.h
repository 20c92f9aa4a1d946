/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IV_NUM_PMF_H
#define IV_NUM_PMF_H

#include "intervale/num.h"

/* Room for count atoms; what p held is lost when it must grow. */
IV_MUST_CHECK int iv_pmf_reserve(iv_pmf *pmf, size_t count, iv_err *err);

#endif /* IV_NUM_PMF_H */
