/* SPDX-License-Identifier: Apache-2.0 */
#include "trec/text.h"

#include "trec/chunks.h"
#include "trec/fields.h"

iv_str iv_text_of(const iv_bytes *b)
{
    const size_t mark = b->len >= 3 && memcmp(b->ptr, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    return b->len == 0 ? iv_str_of("") : (iv_str){ b->ptr + mark, b->len - mark };
}

bool iv_text_has_nul(const char *begin, const char *end, iv_problems *problems)
{
    const char *nul = memchr(begin, '\0', (size_t)(end - begin));

    if (nul == NULL)
        return false;
    iv_complain(problems, iv_line_of((iv_str){ begin, (size_t)(end - begin) }, nul),
                IV_ERROR, "a NUL byte, expected text (UTF-16 must be converted to UTF-8)");
    return true;
}

bool iv_text_usable(iv_str text, iv_problems *problems)
{
    iv_str field;
    uint64_t line;

    if (iv_first_fields(&field, 1, text, false, &line) == 0) {
        iv_complain(problems, 1, IV_ERROR, "the file is empty, expected lines of fields");
        return false;
    }
    return true;
}

size_t iv_first_fields(iv_str *fields, size_t most, iv_str text, bool comments,
                       uint64_t *line)
{
    const char *p = text.ptr;
    const char *const end = text.ptr + text.len;

    for (*line = 1; p < end; ++*line) {
        const bool comment = comments && *p == '#';
        const size_t count = iv_split_line(fields, most, &p, end);
        if (count > 0 && !comment)
            return count;
    }
    return 0;
}
