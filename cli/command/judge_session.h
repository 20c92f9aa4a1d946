/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands of judging share. */
#ifndef JUDGE_SESSION_H
#define JUDGE_SESSION_H

#include "frame/cmd.h"

/* A table of one row about the session and what was done to it. */
typedef struct session_row {
    const char *what;
    int64_t value;
    bool quiet; /* for programs only */
} session_row;

/* Shows numbers by name, in a table. */
void judge_tell(iv_result *out, const char *table, const session_row *rows, size_t count);

#endif /* JUDGE_SESSION_H */
