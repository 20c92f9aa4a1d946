/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/stat.h beside what programs do. */
#ifndef IV_STAT_LETTERS_PRIVATE_H
#define IV_STAT_LETTERS_PRIVATE_H

#include "intervale/stat.h"

/*
 * differ[iv_pair_index(systems, a, b)] says whether a < b differ; order lists
 * the systems, the best first, so that its letters come first in the alphabet
 * (a to z, then aa, ab, ...).  IV_ENUM for more than IV_LETTERS_MOST groups.
 * *out is the caller's: iv_letters_free().
 */
IV_MUST_CHECK int iv_letters_new(iv_letters **out, const bool *differ,
                                        const size_t *order, size_t systems,
                                        iv_err *err);

/* The letters of a system, separated by commas where one has two characters;
 * borrowed. */
const char *iv_letters_of(const iv_letters *l, size_t system);

/* How many groups there are. */
size_t iv_letters_groups(const iv_letters *l);

/* Frees the letters, also those borrowed. */
void iv_letters_free(iv_letters *l);

#endif /* IV_STAT_LETTERS_PRIVATE_H */
