/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base_private.h"

#include <string.h>

size_t iv_utf8_next(uint32_t *code, iv_str s, size_t at)
{
    static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char *p = (const unsigned char *)s.ptr + at;
    const size_t left = s.len - at;
    size_t width;
    uint32_t c = p[0];

    *code = c;
    if (c < 0x80)
        return 1;
    if (c >= 0xc2 && c < 0xe0) {
        width = 2;
        c &= 0x1f;
    } else if (c >= 0xe0 && c < 0xf0) {
        width = 3;
        c &= 0x0f;
    } else if (c >= 0xf0 && c < 0xf5) {
        width = 4;
        c &= 0x07;
    } else {
        return 0;
    }
    if (left < width)
        return 0;
    for (size_t i = 1; i < width; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (p[i] & 0x3fu);
    }
    if (c < smallest[width] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return 0;
    *code = c;
    return width;
}

bool iv_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0)
        || code == 0x061c || code == 0x200b || code == 0x200e || code == 0x200f
        || (code >= 0x2028 && code <= 0x202e)
        || code == 0x2060 || (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

bool iv_starts_formula(char c, char prev)
{
    return memchr("=+-@", c, 4) != NULL && memchr("\0,;\t\r\n", prev, 6) != NULL;
}
