/* SPDX-License-Identifier: Apache-2.0 */
/* Errors handed on to the caller. */
#ifndef IV_BASE_ERR_H
#define IV_BASE_ERR_H

#include "intervale/base.h"

/* Hands an error on to the caller: copies it to err (which may be NULL) and returns
 * its code. */
int iv_fail_as(iv_err *err, const iv_err *why);

/* Fails with IV_ENOMEM. */
int iv_no_memory(iv_err *err);

/* Leaves a function at the first error: one that has nothing to free, since what it took
 * is an arena's. */
#define IV_TRY(call)               \
    do {                           \
        const int rc_ = (call);    \
        if (rc_ != IV_OK)          \
            return rc_;            \
    } while (0)

#endif
