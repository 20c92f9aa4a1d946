/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 one character at a time, and characters that are not safe to show. */
#ifndef IV_BASE_UTF8_H
#define IV_BASE_UTF8_H

#include "intervale/base.h"

/*
 * Decodes the character that begins at s.ptr[at] (at < s.len) into *code and
 * returns how many bytes it takes, or 0 when no valid character begins there
 * (overlong forms and surrogates are not valid); *code is then the byte.
 */
size_t iv_utf8_next(uint32_t *code, iv_str s, size_t at);

/* Would a terminal act on it?  C0, DEL, C1, and the bidirectional overrides. */
bool iv_is_control(uint32_t code);

/* Would a spreadsheet take it for the beginning of a formula, whatever byte separates cells
 * there?  prev: the byte before it, '\0' at the beginning. */
bool iv_starts_formula(char c, char prev);

/* The same of the signs in full width, of three bytes, at s.ptr[at] (at < s.len). */
bool iv_starts_wide_formula(iv_str s, size_t at, char prev);

#endif
