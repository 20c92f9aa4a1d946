/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of references in lines of RIS, and keys by which they are compared. */
#include "base/lines.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "store/bibliography.h"
#include "store/document_text.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

iv_str iv_trimmed(iv_str s)
{
    while (s.len > 0 && isspace((unsigned char)s.ptr[0])) {
        s.ptr++;
        s.len--;
    }
    while (s.len > 0 && isspace((unsigned char)s.ptr[s.len - 1]))
        s.len--;
    return s;
}

bool iv_is_one_of(iv_str word, const char *words)
{
    for (const char *at = words; *at != '\0'; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == word.len && strncasecmp(at, word.ptr, word.len) == 0)
            return true;
    return false;
}

bool iv_reference_line(iv_str *tag, iv_str *value, iv_str line)
{
    size_t n = 0;

    while (n < line.len && n < 4 && (isupper((unsigned char)line.ptr[n])
                                     || isdigit((unsigned char)line.ptr[n])))
        n++;
    size_t dash = n;
    while (dash < line.len && dash < 6 && line.ptr[dash] == ' ')
        dash++;
    if (n < 2 || dash >= line.len || line.ptr[dash] != '-')
        return false;
    *tag = (iv_str){ line.ptr, n };
    *value = iv_trimmed((iv_str){ line.ptr + dash + 1, line.len - dash - 1 });
    return true;
}

iv_str iv_reference_field(iv_arena *a, iv_str source, const char *tags, bool first)
{
    char *joined = first ? NULL : iv_arena_alloc(a, source.len + 1);
    iv_str line, tag, value;
    size_t n = 0;

    while (iv_next_line(&line, &source)) {
        if (!iv_reference_line(&tag, &value, line) || !iv_is_one_of(tag, tags) || value.len == 0)
            continue;
        if (first)
            return value;
        if (joined == NULL)
            break;
        if (n > 0) {
            memcpy(joined + n, "; ", 2);
            n += 2;
        }
        memcpy(joined + n, value.ptr, value.len);
        n += value.len;
    }
    return (iv_str){ joined == NULL ? "" : joined, n };
}

/* The length of a tag of markup at the beginning of s, "<i>" or "</jats:p>", which people
 * do not read; 0: other text, as "<b and c>". */
static size_t markup(iv_str s)
{
    static const char names[] = "b i em strong sub sup u p br span div sc small inf title sec "
                                "italic bold jats:p jats:title jats:sec jats:italic jats:bold "
                                "jats:sub jats:sup";
    size_t at = s.len > 1 && s.ptr[1] == '/' ? 2 : 1, n = 0;

    while (at + n < s.len && (isalpha((unsigned char)s.ptr[at + n]) || s.ptr[at + n] == ':'))
        n++;
    if (n == 0 || !iv_is_one_of((iv_str){ s.ptr + at, n }, names))
        return 0;
    const char *end = memchr(s.ptr, '>', s.len);
    if (end == NULL)
        return 0;
    const size_t len = (size_t)(end - s.ptr);
    at += n;
    while (at < len && (s.ptr[at] == ' ' || s.ptr[at] == '/'))
        at++;
    return at == len || memchr(s.ptr, '=', len) != NULL ? len + 1 : 0;
}

iv_str iv_reference_text(iv_arena *a, iv_str text)
{
    char *to = memchr(text.ptr, '<', text.len) != NULL || memchr(text.ptr, '&', text.len) != NULL
        ? iv_arena_alloc(a, text.len + 1) : NULL;
    size_t n = 0;

    if (to == NULL)
        return text;
    for (size_t at = 0; at < text.len;) {
        const iv_str rest = { text.ptr + at, text.len - at };
        size_t written = 0;
        size_t len = *rest.ptr == '<' ? markup(rest) : iv_decode_entity(to + n, &written, rest);
        n += written;
        if (len == 0) {
            to[n++] = *rest.ptr;
            len = 1;
        }
        at += len;
    }
    return iv_one_line(to, n);
}

/* The DOI of "https://doi.org/10.1/x" or "doi:10.1/x"; empty: it has none, as "NA". */
static iv_str doi_in(iv_str text)
{
    for (size_t i = 0; i + 4 < text.len; i++) {
        size_t n = i + 3;
        if (memcmp(text.ptr + i, "10.", 3) != 0)
            continue;
        while (n < text.len && (isdigit((unsigned char)text.ptr[n]) || text.ptr[n] == '.'))
            n++;
        if (n > i + 3 && n + 1 < text.len && text.ptr[n] == '/')
            return (iv_str){ text.ptr + i, text.len - i };
    }
    return (iv_str){ "", 0 };
}

/* Base letters of Latin letters from U+00C0, and from U+1E00; a capital stands for two letters of
 * which it is the first (ss, ae, oe, th), a blank for a sign, ? for what has none. */
static const char latin[] =
    "aaaaaaAceeeeiiiidnooooo ouuuuyTSaaaaaaAceeeeiiiidnooooo ouuuuyTyaaaaaacccccc"
    "ccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnooooooOOrrrr"
    "rrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
static const char latin_additional[] =
    "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnn"
    "oooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzht"
    "wy****S*aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeeeeeeeeiiiioooooooooooooooooooooooo"
    "uuuuuuuuuuuuuuyyyyyyyy******";

/* Writes the base letters of a Latin letter, at most 2; returns how many, 0 for a sign. */
static size_t base_letters(char *out, uint32_t code)
{
    const char base = code < 0x180 ? latin[code - 0xc0]
        : code >= 0x1e00 ? latin_additional[code - 0x1e00] : '*';

    out[0] = (char)tolower((unsigned char)base);
    if (!isupper((unsigned char)base))
        return base != ' ';
    out[1] = base == 'S' ? 's' : base == 'T' ? 'h' : 'e';
    return 2;
}

iv_str iv_reference_key(iv_arena *a, iv_str text, bool doi)
{
    char *key = iv_arena_alloc(a, text.len + 1);
    size_t n = 0;

    text = doi ? doi_in(iv_trimmed(text)) : text;
    for (size_t at = 0, width; key != NULL && at < text.len; at += width) {
        uint32_t code;
        width = iv_utf8_next(&code, text, at);
        if (doi || code < 0x80) {
            key[n] = (char)tolower((unsigned char)text.ptr[at]);
            n += doi ? code > ' ' : isalnum((int)code) != 0;
            width = 1;
        } else if ((code >= 0xc0 && code < 0x280) || (code >= 0x1e00 && code < 0x1f00)) {
            n += base_letters(key + n, code);
        } else if (code >= 0x370 && (code < 0x2000 || code >= 0x2080)) { /* no punctuation */
            memcpy(key + n, text.ptr + at, width);
            n += width;
        }
        width += width == 0;
    }
    return (iv_str){ key, key == NULL ? 0 : n };
}
