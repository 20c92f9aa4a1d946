/* SPDX-License-Identifier: Apache-2.0 */
/* A file as text: its encoding, its first fields, and bytes that no text has. */
#ifndef IV_TREC_TEXT_H
#define IV_TREC_TEXT_H

#include "base/bytes.h"
#include "trec/problems.h"

/* What no text is: a file of scores of topics begins so. */
#define IV_PART_MAGIC "IVSCORES"

/* The text in the bytes: without UTF-8 byte-order marks, of which editors may put several. */
iv_str iv_text_of(const iv_bytes *b);

/*
 * Is there a NUL byte?  Whoever parses a chunk asks first, which also brings
 * it into the cache, and looks at every line if there is one.
 */
bool iv_text_has_nul(const char *begin, const char *end);

/* Tells of the first NUL byte, at its line; false: there is none. */
bool iv_text_refuse_nul(iv_str text, iv_problems *problems);

/* Tells of a NUL byte in the line that begins at *p, and moves *p behind it. */
bool iv_line_refuse_nul(const char **p, const char *end, uint64_t line,
                        iv_problems *problems);

/* Tells of an empty file; true when there is something to parse. */
bool iv_text_usable(iv_str text, iv_problems *problems);

/*
 * The fields of the first line that holds any and is no comment (its first
 * byte that is no blank is #, if comments is true); keeps the first `most` and returns how many
 * there are, 0 when there is no such line.  *line is its number.  A NUL byte ends a long one.
 */
size_t iv_first_fields(iv_str *fields, size_t most, iv_str text, bool comments,
                       uint64_t *line);

/* The next word of a list, and the list is the rest of it; false at its end. */
bool iv_next_word(iv_str *word, iv_str *list);

/* What lines of one field may be instead of fields: "" or "; ...". */
const char *iv_text_instead(iv_str first_field);

#endif
