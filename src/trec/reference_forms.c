/* SPDX-License-Identifier: Apache-2.0 */
/* What a file of references begins with. */
#define _GNU_SOURCE /* memmem */

#include "trec/reference_forms.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool begins_with(iv_str text, const char *word)
{
    return text.len >= strlen(word) && memcmp(text.ptr, word, strlen(word)) == 0;
}

/* "@article{", "@string(". */
static bool begins_entry(iv_str text)
{
    size_t n = 1;

    if (text.len < 3 || text.ptr[0] != '@')
        return false;
    while (n < text.len && isalpha((unsigned char)text.ptr[n]))
        n++;
    const bool named = n > 1;
    while (n < text.len && (text.ptr[n] == ' ' || text.ptr[n] == '\t'))
        n++;
    return named && n < text.len && (text.ptr[n] == '{' || text.ptr[n] == '(');
}

/* Behind blanks, and behind "1." where a line ends behind it. */
static iv_str behind_number(iv_str text)
{
    size_t at = 0, n;

    while (at < text.len && isspace((unsigned char)text.ptr[at]))
        at++;
    n = at;
    while (n < text.len && isdigit((unsigned char)text.ptr[n]))
        n++;
    if (n > at && n < text.len && (text.ptr[n] == '.' || text.ptr[n] == ')'))
        for (n++; n < text.len && isspace((unsigned char)text.ptr[n]); n++)
            if (text.ptr[n] == '\n')
                at = n + 1;
    while (at < text.len && isspace((unsigned char)text.ptr[at]))
        at++;
    return (iv_str){ text.ptr + at, text.len - at };
}

/* Behind the lines of comments before an entry of BibTeX ("% Encoding: UTF-8"). */
static iv_str behind_comments(iv_str text)
{
    while (text.len > 0 && text.ptr[0] == '%') {
        const char *end = memchr(text.ptr, '\n', text.len);
        const size_t n = end == NULL ? text.len : (size_t)(end - text.ptr) + 1;
        text = behind_number((iv_str){ text.ptr + n, text.len - n });
    }
    return text;
}

const char *iv_references_begin(iv_str text)
{
    enum { SOME = 1 << 16 };

    if (begins_with(text, "\xef\xbb\xbf"))
        text = (iv_str){ text.ptr + 3, text.len - 3 };
    text = behind_number(text);
    if (begins_with(text, "TY  - "))
        return IV_RIS;
    if (begins_with(text, "PMID- ") || begins_with(text, "PMC - "))
        return IV_NBIB;
    if (begins_entry(behind_comments(text)))
        return IV_BIBTEX;
    const size_t head = text.len < SOME ? text.len : SOME;
    return (begins_with(text, "<?xml") || begins_with(text, "<xml"))
            && memmem(text.ptr, head, "<records>", 9) != NULL
            && memmem(text.ptr, head, "<record>", 8) != NULL ? IV_ENDNOTE : NULL;
}

size_t iv_references_in(const char *form, iv_str line)
{
    static const char *const others[] = { "string", "comment", "preamble" };
    size_t count = 0;

    if (strcmp(form, IV_RIS) == 0)
        return begins_with(line, "TY  - ");
    if (strcmp(form, IV_NBIB) == 0)
        return begins_with(line, "PMID- ");
    if (strcmp(form, IV_BIBTEX) == 0) {
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            if (line.len > strlen(others[i])
                && strncasecmp(line.ptr + 1, others[i], strlen(others[i])) == 0)
                return 0;
        return begins_entry(line);
    }
    for (const char *at; (at = memmem(line.ptr, line.len, "<record>", 8)) != NULL; count++) {
        line.len -= (size_t)(at + 8 - line.ptr);
        line.ptr = at + 8;
    }
    return count;
}
