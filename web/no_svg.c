/* SPDX-License-Identifier: Apache-2.0 */
/* Builds that start no other program (browsers, Windows): in place of cli/frame/svg.c. */
#include "frame/frame.h"

int svg_check(iv_err *err)
{
    return iv_fail(err, IV_ENODATA, "format svg is drawn by another program; save the picture from "
                   "the report (--format html)");
}

int svg_write(FILE *out, const iv_result *r, const char *table, iv_err *err)
{
    (void)out, (void)r, (void)table;
    return svg_check(err);
}
