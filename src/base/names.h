/* SPDX-License-Identifier: Apache-2.0 */
/* Names: compared, looked up, and those of the values of an enum. */
#ifndef IV_BASE_NAMES_H
#define IV_BASE_NAMES_H

#include <string.h>

#include "base/listing.h"

/* For qsort() of texts (char *). */
int iv_by_text(const void *a, const void *b);

/* Are two names the same, in any case and with a blank or a hyphen for _?  Doc ID is doc_id. */
bool iv_same_name(iv_str a, iv_str b);

/* Is it one of these names, which commas separate? */
bool iv_is_named(iv_str s, const char *names);

/* Is it what people call a row of totals or means: "Total", "all", "average"? */
bool iv_is_summary_word(iv_str name);

/* Words for the values of an enum. */

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

#endif
