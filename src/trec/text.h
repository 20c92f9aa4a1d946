/* SPDX-License-Identifier: Apache-2.0 */
/* What every reader asks of a text before it parses it. */
#ifndef IV_TREC_TEXT_H
#define IV_TREC_TEXT_H

#include "base/bytes.h"
#include "trec/problems.h"

/* The text in the bytes: without a UTF-8 byte-order mark. */
iv_str iv_text_of(const iv_bytes *b);

/* Tells of an empty file or a NUL byte; true when the text can be parsed. */
bool iv_text_usable(iv_str text, iv_problems *problems);

/*
 * The fields of the first line that holds any and is no comment (begins with
 * #, if comments is true); keeps the first `most` and returns how many there
 * are, 0 when there is no such line.  *line is its number.
 */
size_t iv_first_fields(iv_str *fields, size_t most, iv_str text, bool comments,
                       uint64_t *line);

#endif /* IV_TREC_TEXT_H */
