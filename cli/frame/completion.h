/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What could stand at the end of a command line.  The scripts of the shells are a
 * few lines each and ask the tool itself, so that they never fall behind.
 */
#ifndef COMPLETION_H
#define COMPLETION_H

#include "frame/cmd.h"

/* The shells that have a script, which end with NULL, and the script of the i-th. */
extern const char *const completion_shells[];
const char *completion_script(size_t i);

/*
 * Writes what the last of the words, which follow the tool's name, can become: a
 * line each, with a tab and what it means behind it.  Nothing: a file.
 */
void completion_offer(FILE *out, const cmd *const *commands, char **words, size_t count);

#endif /* COMPLETION_H */
