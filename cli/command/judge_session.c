/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands of `judge` say of a session. */
#include "command/judge_session.h"

void judge_tell(iv_result *out, const char *table, const session_row *rows, size_t count)
{
    static const iv_field fields[] = {
        { "what", IV_AT(session_row, what) },
        { "value", IV_AT(session_row, value) },
        { NULL } };

    (void)iv_result_rows(out, &(iv_rows){ table, fields, rows, count, sizeof *rows,
                                         .quiet = IV_QUIET(session_row, quiet) });
}
