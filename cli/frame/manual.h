/* SPDX-License-Identifier: Apache-2.0 */
/* Manual pages in troff's man macros, from the table of commands. */
#ifndef MANUAL_H
#define MANUAL_H

#include "frame/cmd.h"

/* Writes intervale(1), which lists the commands. */
void manual_overview(FILE *out, const cmd *const *commands);

/* Writes the page of one command, such as intervale-eval(1). */
void manual_command(FILE *out, const cmd *c);

/* The name of that page, "intervale-plan-recall"; NULL: of the overview's. */
enum { MANUAL_NAME_SIZE = 80 };
const char *manual_name(char out[MANUAL_NAME_SIZE], const cmd *c);

#endif /* MANUAL_H */
