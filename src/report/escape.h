/* SPDX-License-Identifier: Apache-2.0 */
/* Text of unknown origin, made safe for one output language. */
#ifndef IV_REPORT_ESCAPE_H
#define IV_REPORT_ESCAPE_H

#include "intervale/base.h"

typedef struct iv_escapes {
    /* How to write an ASCII character the language gives a meaning to, or
     * NULL to write it as it is.  prev is the byte before it, or 0. */
    const char *(*special)(char c, char prev);
    /* How to write the backslash of \xNN. */
    const char *backslash;
} iv_escapes;

/* For a terminal: nothing has a meaning but control characters. */
extern const iv_escapes iv_escapes_plain;

/*
 * Writes s to out and returns how many terminal columns it takes; control
 * characters and bytes that are not UTF-8 come out as \xNN.  With out NULL it
 * only measures.
 */
size_t iv_escape(FILE *out, iv_str s, const iv_escapes *e);

#endif /* IV_REPORT_ESCAPE_H */
