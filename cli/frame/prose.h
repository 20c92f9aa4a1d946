/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a command's description, for help and manual. */
#ifndef PROSE_H
#define PROSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct prose_part {
    const char *text; /* not terminated, without the line ends around it */
    size_t len;
    bool verbatim;    /* began with a blank: lines stay as they are */
} prose_part;

/* The next paragraph at *rest, which moves on; false after the last. */
bool prose_next(prose_part *out, const char **rest);

/* The next word of [*at, end), which moves on; its length, 0 after the last. */
size_t prose_word(const char **word, const char **at, const char *end);

/*
 * Writes text in lines of at most 79 columns that begin with indent blanks;
 * the first is already filled up to the given column.
 */
void prose_wrap(FILE *out, const char *text, size_t len, int indent, int column);

#endif /* PROSE_H */
