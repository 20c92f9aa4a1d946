/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IV_BASE_TRY_H
#define IV_BASE_TRY_H

#include "intervale/base.h"

/* Hands an error on: the function ends with what the call returned unless that is IV_OK.
 * For functions that have nothing to clean up. */
#define IV_TRY(call)              \
    do {                          \
        const int tried_ = (call); \
        if (tried_ != IV_OK)      \
            return tried_;        \
    } while (0)

#endif /* IV_BASE_TRY_H */
