/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base_private.h"
#include "intervale/base.h"

#include <string.h>


iv_str iv_str_of(const char *s)
{
    return (iv_str){ s, strlen(s) };
}

int iv_str_cmp(iv_str a, iv_str b)
{
    const size_t shared = a.len < b.len ? a.len : b.len;
    const int order = shared == 0 ? 0 : memcmp(a.ptr, b.ptr, shared);

    if (order != 0)
        return order;
    return (a.len > b.len) - (a.len < b.len);
}

const char *iv_quote(char out[IV_QUOTE_SIZE], iv_str s)
{
    enum { SHOWN = 40 };
    static const char hex[] = "0123456789abcdef";
    size_t at = 0;
    size_t n = 0;

    out[n++] = '\'';
    while (at < s.len) {
        uint32_t code;
        size_t width = iv_utf8_next(&code, s, at);
        if (at + (width ? width : 1) > SHOWN) {
            memcpy(out + n, "...", 3);
            n += 3;
            break;
        }
        if (width != 0 && !iv_is_control(code)) {
            memcpy(out + n, s.ptr + at, width);
            n += width;
        } else {
            width += width == 0;
            for (size_t i = at; i < at + width; i++) {
                const unsigned char byte = (unsigned char)s.ptr[i];
                out[n++] = '\\';
                out[n++] = 'x';
                out[n++] = hex[byte >> 4];
                out[n++] = hex[byte & 15];
            }
        }
        at += width;
    }
    out[n++] = '\'';
    out[n] = '\0';
    return out;
}

bool iv_is_summary_word(iv_str name)
{
    static const char *const words[] = { "total", "totals", "sum", "all", "overall", "grand total",
                                         "subtotal", "mean", "average", "avg", "macro" };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t k = 0;
        while (k < name.len && words[i][k] != '\0'
               && (name.ptr[k] | 0x20) == (words[i][k] | 0x20))
            k++;
        if (k == name.len && words[i][k] == '\0')
            return true;
    }
    return false;
}
