/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of the caller: one line, with file and line number. */
#include "base/err.h"

#include <stdarg.h>
#include <string.h>

const char *iv_version(void) { return INTERVALE_VERSION; }

/* The message, and what to do behind the mark of IV_HINT(). */
static void keep_message(iv_err *err, const char *fmt, va_list ap)
{
    char text[sizeof err->msg + sizeof err->hint];

    (void)vsnprintf(text, sizeof text, fmt, ap); /* aside: arguments may be of err itself */
    char *hint = strchr(text, '\x01');
    if (hint != NULL)
        *hint++ = '\0';
    (void)snprintf(err->msg, sizeof err->msg, "%.*s", (int)sizeof err->msg - 1, text);
    (void)snprintf(err->hint, sizeof err->hint, "%.*s", (int)sizeof err->hint - 1,
                   hint == NULL ? "" : hint);
}

/* The end of a path says more than its beginning. */
static void keep_path(iv_err *err, const char *path)
{
    const size_t len = strlen(path);

    if (len < sizeof err->file) {
        memcpy(err->file, path, len + 1);
        return;
    }
    const char *tail = path + len - (sizeof err->file - sizeof "...");
    while (((unsigned char)*tail & 0xC0) == 0x80) /* within a character */
        tail++;
    (void)snprintf(err->file, sizeof err->file, "...%s", tail);
}

static void fail(iv_err *err, int code, const char *file, uint64_t line, const char *fmt,
                 va_list ap)
{
    if (err == NULL)
        return;
    err->code = code;
    err->line = line;
    keep_message(err, fmt, ap);
    keep_path(err, file);
}

int iv_fail(iv_err *err, int code, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    fail(err, code, "", 0, fmt, ap);
    va_end(ap);
    return code;
}

int iv_fail_at(iv_err *err, int code, const char *file, uint64_t line, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    fail(err, code, file, line, fmt, ap);
    va_end(ap);
    return code;
}

int iv_fail_as(iv_err *err, const iv_err *why)
{
    const int code = why->code;

    if (err != NULL && err != why)
        *err = *why;
    return code;
}

const char *iv_err_text(char out[IV_ERR_TEXT_SIZE], const iv_err *err)
{
    if (err->file[0] == '\0')
        (void)snprintf(out, IV_ERR_TEXT_SIZE, "%s", err->msg);
    else if (err->line == 0)
        (void)snprintf(out, IV_ERR_TEXT_SIZE, "%s: %s", err->file, err->msg);
    else
        (void)snprintf(out, IV_ERR_TEXT_SIZE, "%s:%llu: %s", err->file,
                       (unsigned long long)err->line, err->msg);
    return out;
}
