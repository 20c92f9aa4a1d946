/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison in words: the answer, and what the reader must know. */
#ifndef COMPARE_WORDS_H
#define COMPARE_WORDS_H

#include "command/compare_tables.h"

/* The answer, a sentence a measure (of the first three). */
void compare_tell_answer(iv_result *out, const compare_input *in, const compared *list,
                         size_t count, const iv_compare_options *options);

/* Notes on how p-values, intervals and marks were made. */
void compare_tell_method(iv_result *out, const compare_input *in, const compared *list,
                         size_t count, const iv_compare_options *options, bool people,
                         bool marks);

/* Which means of the table runs have no logit interval, where others could. */
void compare_tell_intervals(iv_result *out, const compare_input *in, const compared *list,
                            size_t count);

#endif /* COMPARE_WORDS_H */
