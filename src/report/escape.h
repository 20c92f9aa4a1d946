/* SPDX-License-Identifier: Apache-2.0 */
/* Texts escaped for each output format. */
#ifndef IV_REPORT_ESCAPE_H
#define IV_REPORT_ESCAPE_H

#include "intervale/base.h"

/* Text of unknown origin, made safe for one output language. */
typedef struct iv_escapes {
    /* How to write an ASCII character the language gives a meaning to, or
     * NULL to write it as it is.  prev is the byte before it, or 0. */
    const char *(*special)(char c, char prev);
    /* How to write the backslash of \xNN. */
    const char *backslash;
} iv_escapes;

/* For a terminal: nothing has a meaning but control characters. */
extern const iv_escapes iv_escapes_plain;

/* For HTML and XML: safe as text of an element and inside quotes. */
extern const iv_escapes iv_escapes_html;

/*
 * Writes s to out and returns how many terminal columns it takes; control
 * characters and bytes that are not UTF-8 come out as \xNN.  With out NULL it
 * only measures.
 */
size_t iv_escape(FILE *out, iv_str s, const iv_escapes *e);

/* The template as it is, but for %s, a text, and %S, an iv_str, both made safe, and %z, a
 * size_t. */
void iv_put(FILE *out, const iv_escapes *e, const char *template, ...);

#endif
