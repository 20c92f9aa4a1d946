/* SPDX-License-Identifier: Apache-2.0 */
#include "intervale/base.h"

#include <stdarg.h>

const char *iv_version(void) { return INTERVALE_VERSION; }

int iv_fail(iv_err *err, int code, const char *fmt, ...)
{
    va_list ap;

    if (err == NULL)
        return code;
    err->code = code;
    va_start(ap, fmt);
    (void)vsnprintf(err->msg, sizeof err->msg, fmt, ap);
    va_end(ap);
    return code;
}
