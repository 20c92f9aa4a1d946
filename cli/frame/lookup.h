/* SPDX-License-Identifier: Apache-2.0 */
/* Commands by name; a name may have two words, the first of them a family. */
#ifndef LOOKUP_H
#define LOOKUP_H

#include "frame/cmd.h"

/*
 * The command that the first words name, and in *used how many they are; NULL
 * when there is none.
 */
const cmd *lookup_command(const cmd *const *commands, char **words, size_t count,
                          size_t *used);

/*
 * Understands what was written differently before: a flag of command c that has become
 * a command of its own.  Takes the flag out of the words, which end with NULL, and
 * returns that command; c, when there is nothing of the kind.
 */
const cmd *lookup_moved(const cmd *const *commands, const cmd *c, char **words, size_t *count);

/* Is the word the first of some command's two? */
bool lookup_family(const cmd *const *commands, const char *word);

/* Does c belong to that family?  NULL is the family of one-word names. */
bool lookup_in_family(const cmd *c, const char *family);

/* Says that the words name no command, and which one comes near. */
int lookup_unknown(const cmd *const *commands, char **words, size_t count, iv_err *err);

#endif /* LOOKUP_H */
