/* SPDX-License-Identifier: Apache-2.0 */
/* Words for the values of an enum. */
#ifndef IV_BASE_NAMES_H
#define IV_BASE_NAMES_H

#include "intervale/base.h"

/* Defines a function that returns the words, in the enum's order and ended by NULL. */
#define IV_NAMES(function, ...)                                     \
    const char *const *function(void)                               \
    {                                                               \
        static const char *const names[] = { __VA_ARGS__, NULL };   \
        return names;                                               \
    }

#endif /* IV_BASE_NAMES_H */
