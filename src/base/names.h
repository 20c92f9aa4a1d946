/* SPDX-License-Identifier: Apache-2.0 */
/* Words for the values of an enum. */
#ifndef IV_BASE_NAMES_H
#define IV_BASE_NAMES_H

#include <string.h>

#include "base/listing.h"
#include "intervale/base.h"

/* Defines a function that returns the words, in the enum's order and ended by NULL. */
#define IV_NAMES(function, ...)                                     \
    const char *const *function(void)                               \
    {                                                               \
        static const char *const names[] = { __VA_ARGS__, NULL };   \
        return names;                                               \
    }

/* The place of a name among such words; IV_EARG: "there is no <what> 'name', expected
 * one of: ...". */
static inline IV_MUST_CHECK int iv_name_place(size_t *out, const char *const *words,
                                              const char *name, const char *what, iv_err *err)
{
    for (*out = 0; words[*out] != NULL; ++*out)
        if (strcmp(words[*out], name) == 0)
            return IV_OK;
    iv_listing known = { .most = 20 };
    for (size_t i = 0; words[i] != NULL; i++)
        iv_list(&known, "%s", words[i]);
    return iv_fail(err, IV_EARG, "there is no %s '%.80s', expected one of: %s", what, name,
                   iv_listed(&known));
}

/* Is the i-th of the names none of those before it? */
static inline bool iv_name_first(const iv_texts *names, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(names->at[k], names->at[i]) == 0)
            return false;
    return true;
}

#endif /* IV_BASE_NAMES_H */
