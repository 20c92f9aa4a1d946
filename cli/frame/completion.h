/* SPDX-License-Identifier: Apache-2.0 */
/* Shell scripts that complete command lines, from the table of commands. */
#ifndef COMPLETION_H
#define COMPLETION_H

#include "frame/cmd.h"

/*
 * The script of a shell completes names of commands, options, the words an
 * option takes, and files.
 */
void completion_bash(FILE *out, const cmd *const *commands);
void completion_zsh(FILE *out, const cmd *const *commands);
void completion_fish(FILE *out, const cmd *const *commands);

#endif /* COMPLETION_H */
