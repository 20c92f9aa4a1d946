/* SPDX-License-Identifier: Apache-2.0 */
#include "trec/text.h"

#include "trec/chunks.h"
#include "trec/fields.h"

iv_str iv_text_of(const iv_bytes *b)
{
    size_t mark = 0;

    while (b->len - mark >= 3 && memcmp(b->ptr + mark, "\xef\xbb\xbf", 3) == 0)
        mark += 3;
    return b->len == 0 ? iv_str_of("") : (iv_str){ b->ptr + mark, b->len - mark };
}

bool iv_text_has_nul(const char *begin, const char *end)
{
    return memchr(begin, '\0', (size_t)(end - begin)) != NULL;
}

/* One in what begins there, and stands on that line. */
static void refuse_nul(iv_problems *problems, uint64_t line, iv_str text)
{
    iv_complain(problems, line, IV_ERROR,
                text.len >= 8 && memcmp(text.ptr, IV_PART_MAGIC, 8) == 0
                    ? "a file of topic scores, expected text"
                      IV_HINT("; --scores reads it, uncompressed and as eval wrote it")
                    : "a NUL byte, expected text (UTF-16 must be converted to UTF-8)");
}

bool iv_text_refuse_nul(iv_str text, iv_problems *problems)
{
    const char *nul = memchr(text.ptr, '\0', text.len);

    if (nul != NULL)
        refuse_nul(problems, iv_line_of(text, nul), text);
    return nul != NULL;
}

bool iv_line_refuse_nul(const char **p, const char *end, uint64_t line,
                        iv_problems *problems)
{
    const char *eol = memchr(*p, '\n', (size_t)(end - *p));
    const char *const stop = eol == NULL ? end : eol + 1;

    if (!iv_text_has_nul(*p, stop))
        return false;
    refuse_nul(problems, line, (iv_str){ *p, (size_t)(stop - *p) });
    *p = stop;
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
    enum { LONG = 1 << 16 };
    const char *p = text.ptr;
    const char *const end = text.ptr + text.len;

    for (*line = 1; p < end; ++*line) {
        const bool comment = comments && iv_is_comment(p, end);
        const char *eol = memchr(p, '\n', (size_t)(end - p));
        const size_t len = (size_t)((eol == NULL ? end : eol) - p);
        const char *nul = len > LONG && !comment ? memchr(p, '\0', len) : NULL;
        const size_t count = iv_split_line(fields, most, &p, nul == NULL ? end : nul + 1);
        if (count > 0 && !comment)
            return count;
    }
    return 0;
}

const char *iv_text_instead(iv_str first)
{
    if (first.len > 0 && (first.ptr[0] == '{' || first.ptr[0] == '['))
        return "; this looks like JSON";
    return memchr(first.ptr, ',', first.len) != NULL
        ? "; fields are separated by blanks or tabs, not by commas" : "";
}
