/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of systems that cannot be told apart: systems that share a letter do
 * not differ significantly, those that share none do (Piepho 2004).
 */
#ifndef INTERVALE_STAT_LETTERS_H
#define INTERVALE_STAT_LETTERS_H

#include "intervale/base.h"

IV_BEGIN_C

/* Letters of up to this many groups are found; more are IV_ENUM. */
enum { IV_LETTERS_MOST = 702 };

typedef struct iv_letters iv_letters;

/*
 * differ[iv_pair_index(systems, a, b)] says whether a < b differ; order lists
 * the systems, the best first, so that its letters come first in the alphabet
 * (a to z, then aa, ab, ...).  IV_ENUM for more than IV_LETTERS_MOST groups.
 * *out is the caller's: iv_letters_free().
 */
IV_API IV_MUST_CHECK int iv_letters_new(iv_letters **out, const bool *differ,
                                        const size_t *order, size_t systems,
                                        iv_err *err);

/* The letters of a system, separated by commas where one has two characters;
 * borrowed. */
IV_API const char *iv_letters_of(const iv_letters *l, size_t system);

/* How many groups there are. */
IV_API size_t iv_letters_groups(const iv_letters *l);

/* Frees the letters, also those borrowed. */
IV_API void iv_letters_free(iv_letters *l);

IV_END_C

#endif /* INTERVALE_STAT_LETTERS_H */
