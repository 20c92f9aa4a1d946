/* SPDX-License-Identifier: Apache-2.0 */
/* What --help and the help command print. */
#ifndef HELP_H
#define HELP_H

#include "frame/cmd.h"

/* All commands by group, or with a family's name those of the family. */
void help_overview(FILE *out, const cmd *const *commands, const char *family);

/* Everything about one command. */
void help_command(FILE *out, const cmd *c);

/* The line that says how it is called, without "usage:" and line end. */
void help_synopsis(FILE *out, const cmd *c);

/* Its references and the tool itself, as text and BibTeX. */
void help_references(FILE *out, const cmd *c);

#endif /* HELP_H */
