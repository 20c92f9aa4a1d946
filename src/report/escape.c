/* SPDX-License-Identifier: Apache-2.0 */
/* Escapes text for each output format. */
#include "base/utf8.h"
#include "report/escape.h"

#include <stdarg.h>
#include <string.h>

/*
 * Marks drawn over their neighbour, and characters two columns wide.  Coarse:
 * whole blocks of the common scripts, from Unicode's charts.  A character that
 * is measured wrongly shifts one line of a table and does no other harm.
 */
static const uint32_t zero_wide[][2] = {
    { 0x0300, 0x036f }, { 0x0483, 0x0489 }, { 0x0591, 0x05bd }, { 0x0610, 0x061a },
    { 0x064b, 0x065f }, { 0x06d6, 0x06dc }, { 0x093a, 0x093a }, { 0x093c, 0x093c },
    { 0x0941, 0x0948 }, { 0x094d, 0x094d }, { 0x0e31, 0x0e31 }, { 0x0e34, 0x0e3a },
    { 0x0e47, 0x0e4e }, { 0x1ab0, 0x1aff }, { 0x1dc0, 0x1dff }, { 0x200b, 0x200d },
    { 0x2060, 0x2064 }, { 0x20d0, 0x20f0 }, { 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f },
    { 0xfeff, 0xfeff }, { 0xe0100, 0xe01ef },
};

static const uint32_t two_wide[][2] = {
    { 0x1100, 0x115f }, { 0x231a, 0x231b }, { 0x23e9, 0x23ec }, { 0x2614, 0x2615 },
    { 0x26a1, 0x26a1 }, { 0x2705, 0x2705 }, { 0x274c, 0x274c }, { 0x2e80, 0x303e },
    { 0x3041, 0x33ff }, { 0x3400, 0x4dbf }, { 0x4e00, 0x9fff }, { 0xa000, 0xa4cf },
    { 0xa960, 0xa97c }, { 0xac00, 0xd7a3 }, { 0xf900, 0xfaff }, { 0xfe30, 0xfe6f },
    { 0xff00, 0xff60 }, { 0xffe0, 0xffe6 }, { 0x1f300, 0x1f64f }, { 0x1f680, 0x1f6ff },
    { 0x1f900, 0x1f9ff }, { 0x20000, 0x3fffd },
};

/* Is it in one of the ranges, each from its first to its last? */
static bool within(const uint32_t (*r)[2], size_t count, uint32_t code)
{
    for (size_t i = 0; i < count && r[i][0] <= code; i++)
        if (code <= r[i][1])
            return true;
    return false;
}

static size_t columns_of(uint32_t code)
{
    if (code < 0x300)
        return 1;
    if (within(zero_wide, sizeof zero_wide / sizeof *zero_wide, code))
        return 0;
    return within(two_wide, sizeof two_wide / sizeof *two_wide, code) ? 2 : 1;
}

static const char *nothing_special(char c, char prev)
{
    (void)c;
    (void)prev;
    return NULL;
}

const iv_escapes iv_escapes_plain = { nothing_special, "\\" };

static const char *html_special(char c, char prev)
{
    (void)prev;
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

const iv_escapes iv_escapes_html = { html_special, "\\" };

/* How many bytes from `at` on are printable ASCII that is written as it is. */
static size_t plain_from(iv_str s, size_t at, const iv_escapes *e)
{
    size_t stop = at;

    while (stop < s.len && s.ptr[stop] >= ' ' && s.ptr[stop] < 0x7f
           && e->special(s.ptr[stop], stop > 0 ? s.ptr[stop - 1] : '\0') == NULL)
        stop++;
    return stop - at;
}

size_t iv_escape(FILE *out, iv_str s, const iv_escapes *e)
{
    size_t columns = 0;

    for (size_t at = 0; at < s.len;) {
        const size_t plain = plain_from(s, at, e);
        columns += plain;
        if (out != NULL)
            fwrite(s.ptr + at, 1, plain, out);
        at += plain;
        if (at == s.len)
            break;
        uint32_t code;
        const size_t width = iv_utf8_next(&code, s, at);
        const size_t step = width + (width == 0);
        const char *special = width != 1 ? NULL
            : e->special(s.ptr[at], at > 0 ? s.ptr[at - 1] : '\0');
        if (special != NULL) {
            columns += strlen(special);
            if (out != NULL)
                fputs(special, out);
        } else if (width > 0 && !iv_is_control(code)) {
            columns += columns_of(code);
            if (out != NULL)
                fwrite(s.ptr + at, 1, width, out);
        } else {
            columns += step * (strlen(e->backslash) + 3);
            for (size_t i = at; out != NULL && i < at + step; i++)
                fprintf(out, "%sx%02x", e->backslash, (unsigned)(unsigned char)s.ptr[i]);
        }
        at += step;
    }
    return columns;
}

void iv_put(FILE *out, const iv_escapes *e, const char *template, ...)
{
    va_list arguments;

    va_start(arguments, template);
    for (const char *at = template; *at != '\0'; at++) {
        const size_t len = strcspn(at, "%");
        fwrite(at, 1, len, out);
        at += len;
        if (*at == '\0')
            break;
        at++;
        if (*at == 's')
            (void)iv_escape(out, iv_str_of(va_arg(arguments, const char *)), e);
        else if (*at == 'S')
            (void)iv_escape(out, va_arg(arguments, iv_str), e);
        else
            fprintf(out, "%zu", va_arg(arguments, size_t));
    }
    va_end(arguments);
}
