/* SPDX-License-Identifier: Apache-2.0 */
/* Plain text of a document, as a page may show it. */
#ifndef IV_STORE_DOCUMENT_TEXT_H
#define IV_STORE_DOCUMENT_TEXT_H

#include "base/memory.h"

/* Without blanks and line ends before and behind it. */
iv_str iv_trimmed(iv_str s);

/* UTF-8 without NUL, line ends of LF: what is no UTF-8 is taken for Windows-1252. */
IV_MUST_CHECK int iv_plain_utf8(iv_str *out, iv_arena *a, iv_str text, iv_err *err);

/* Without tags and with entities decoded; scripts, styles and comments are left out. */
IV_MUST_CHECK int iv_plain_text(iv_str *out, iv_arena *a, iv_str tagged, iv_err *err);

/* The entity at the beginning of s ("&uuml;"): writes its character, which is never longer, and
 * returns the entity's length; 0: there is none. */
size_t iv_decode_entity(char *out, size_t *written, iv_str s);

/* Writes a code point as UTF-8, up to 4 bytes; returns how many. */
size_t iv_put_code(char *out, uint32_t code);

/* Blanks and line ends become one blank, none at the ends; in place. */
iv_str iv_one_line(char *text, size_t len);

/* The place of a tag such as "<title", whatever its case; NULL: none. */
const char *iv_find_tag(iv_str text, const char *tag);

#endif
