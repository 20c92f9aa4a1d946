/* SPDX-License-Identifier: Apache-2.0 */
/* The options that all commands share, cut to what one command heeds. */
#ifndef SESSION_H
#define SESSION_H

#include "frame/options.h"

enum { SESSION_OPTIONS = 14, SESSION_FORMATS = 24 };

/* Points into itself: fill it where it stays. */
typedef struct session_table {
    opt opts[SESSION_OPTIONS];            /* ends with OPT_END */
    const char *formats[SESSION_FORMATS]; /* ends with NULL */
} session_table;

/* The shared options of command c, with the formats and tables it has. */
void session_options(session_table *out, const cmd *c);

/* All of them, for the manual. */
void session_all_options(session_table *out);

/* Their values before parsing. */
extern const session session_defaults;

#endif /* SESSION_H */
