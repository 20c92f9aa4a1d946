/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the other end of a stream can show.  A file or a pipe gets 80 columns
 * of plain ASCII drawing, so that its bytes do not depend on who is watching.
 */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Columns: COLUMNS, or the window's, or 80; 80 for what is no terminal. */
int terminal_width(FILE *stream);

/* A terminal, in a locale whose characters are UTF-8? */
bool terminal_is_utf8(FILE *stream);

/* A terminal that takes colours, and nobody set NO_COLOR? */
bool terminal_has_colour(FILE *stream);

/*
 * Prints one line for a person to standard error: the prefix, then the text
 * with control characters as \xNN, since it may quote a file.
 */
void terminal_complain(const char *prefix, const char *text);

#endif /* TERMINAL_H */
