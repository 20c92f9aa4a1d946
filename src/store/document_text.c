/* SPDX-License-Identifier: Apache-2.0 */
/* Texts as people read them, and as they are kept. */
#include "base/err.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "store/document_text.h"
#include "store/store_open.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#if INTERVALE_ZSTD
#include <zstd.h>
#endif

/* Text as people read it: no tags, no entities, UTF-8 that is valid. */

const char *iv_find_tag(iv_str text, const char *tag)
{
    const size_t len = strlen(tag);
    const char *at = text.ptr, *end = text.ptr + text.len;

    while (at < end && (at = memchr(at, '<', (size_t)(end - at))) != NULL) {
        if ((size_t)(end - at) >= len && strncasecmp(at, tag, len) == 0)
            return at;
        at++;
    }
    return NULL;
}

/* Writes a code point; returns how many bytes. */
static size_t put_code(char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xc0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xe0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3f));
        out[2] = (char)(0x80 | (c & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3f));
    out[2] = (char)(0x80 | (c >> 6 & 0x3f));
    out[3] = (char)(0x80 | (c & 0x3f));
    return 4;
}

/* 0x80 to 0x9f of Windows-1252, as Unicode's table CP1252 has them; 0: none. */
static const uint16_t windows[32] = {
    0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017d, 0, 0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc,
    0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e, 0x0178 };

int iv_plain_utf8(iv_str *out, iv_arena *a, iv_str text, iv_err *err)
{
    char *to = iv_arena_alloc(a, 3 * text.len + 1);
    size_t n = 0;

    if (to == NULL)
        return iv_no_memory(err);
    for (size_t at = 0; at < text.len;) {
        uint32_t code = 0;
        const size_t width = iv_utf8_next(&code, text, at);
        if (width == 0 && code < 0xa0) /* a byte of another encoding */
            code = windows[code - 0x80];
        if (code == 0)
            n += put_code(to + n, 0xfffd);
        else if (code != '\r')
            n += put_code(to + n, code);
        else if (at + 1 == text.len || text.ptr[at + 1] != '\n')
            to[n++] = '\n';
        at += width == 0 ? 1 : width;
    }
    to[n] = '\0';
    *out = (iv_str){ to, n };
    return IV_OK;
}

iv_str iv_one_line(char *text, size_t len)
{
    size_t n = 0;

    for (size_t i = 0; i < len; i++) {
        const bool blank = strchr(" \t\r\n", text[i]) != NULL && text[i] != '\0';
        if (!blank)
            text[n++] = text[i];
        else if (n > 0 && text[n - 1] != ' ')
            text[n++] = ' ';
    }
    if (n > 0 && text[n - 1] == ' ')
        n--;
    text[n] = '\0';
    return (iv_str){ text, n };
}

/* ------------------------------------------------------------- entities -- */

static const struct {
    const char *name;
    uint32_t code;
} entities[] = {
    { "amp", '&' }, { "lt", '<' }, { "gt", '>' }, { "quot", '"' }, { "apos", '\'' },
    { "nbsp", 0xa0 }, { "hyph", '-' }, { "blank", ' ' }, { "sect", 0xa7 }, { "para", 0xb6 },
    { "copy", 0xa9 }, { "reg", 0xae }, { "cent", 0xa2 }, { "pound", 0xa3 }, { "yen", 0xa5 },
    { "deg", 0xb0 }, { "plusmn", 0xb1 }, { "frac12", 0xbd }, { "times", 0xd7 },
    { "mdash", 0x2014 }, { "ndash", 0x2013 }, { "lsquo", 0x2018 }, { "rsquo", 0x2019 },
    { "ldquo", 0x201c }, { "rdquo", 0x201d }, { "bull", 0x2022 }, { "hellip", 0x2026 },
    { "euro", 0x20ac }, { "trade", 0x2122 }, { "agrave", 0xe0 }, { "aacute", 0xe1 },
    { "auml", 0xe4 }, { "ccedil", 0xe7 }, { "egrave", 0xe8 }, { "eacute", 0xe9 },
    { "ecirc", 0xea }, { "iacute", 0xed }, { "ntilde", 0xf1 }, { "oacute", 0xf3 },
    { "ouml", 0xf6 }, { "uuml", 0xfc }, { "szlig", 0xdf }, { "Auml", 0xc4 }, { "Ouml", 0xd6 },
    { "Uuml", 0xdc }, { "Eacute", 0xc9 }, { "acirc", 0xe2 }, { "atilde", 0xe3 }, { "aring", 0xe5 },
    { "aelig", 0xe6 }, { "euml", 0xeb }, { "igrave", 0xec }, { "icirc", 0xee }, { "iuml", 0xef },
    { "ograve", 0xf2 }, { "ocirc", 0xf4 }, { "otilde", 0xf5 }, { "oslash", 0xf8 },
    { "ugrave", 0xf9 }, { "uacute", 0xfa }, { "ucirc", 0xfb }, { "yacute", 0xfd },
    { "Aring", 0xc5 }, { "Oslash", 0xd8 }, { "micro", 0xb5 }, { "middot", 0xb7 },
    { "alpha", 0x3b1 }, { "beta", 0x3b2 }, { "gamma", 0x3b3 }, { "delta", 0x3b4 },
    { "kappa", 0x3ba }, { "lambda", 0x3bb }, { "mu", 0x3bc }, { "omega", 0x3c9 },
    { "le", 0x2264 }, { "ge", 0x2265 }, { "ne", 0x2260 }, { "thinsp", 0x2009 },
    { "minus", 0x2212 } };

/* The character of "&name;" at the beginning of s, and its length there; 0: it is none. */
static size_t entity(uint32_t *code, iv_str s)
{
    const size_t most = s.len < 12 ? s.len : 12;
    const char *stop = memchr(s.ptr, ';', most);

    if (stop == NULL || stop - s.ptr < 2)
        return 0;
    const size_t len = (size_t)(stop - s.ptr) - 1;
    if (s.ptr[1] == '#') {
        const bool hex = s.ptr[2] == 'x' || s.ptr[2] == 'X';
        char *end = NULL;
        const char *digits = s.ptr + (hex ? 3 : 2);
        if (strchr("+- ", *digits) != NULL)
            return 0;
        const unsigned long value = strtoul(digits, &end, hex ? 16 : 10);
        if (end != stop || end == digits || value == 0 || value > 0x10ffff
            || (value >= 0xd800 && value < 0xe000))
            return 0;
        *code = (uint32_t)value;
        return len + 2;
    }
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (strlen(entities[i].name) == len && memcmp(entities[i].name, s.ptr + 1, len) == 0) {
            *code = entities[i].code;
            return len + 2;
        }
    return 0;
}

size_t iv_decode_entity(char *out, size_t *written, iv_str s)
{
    uint32_t code = 0;
    const size_t len = s.len > 0 && *s.ptr == '&' ? entity(&code, s) : 0;

    *written = len > 0 ? put_code(out, code) : 0;
    return len;
}

size_t iv_put_code(char *out, uint32_t code) { return put_code(out, code); }

/* ----------------------------------------------------------------- tags -- */

static bool named(iv_str tag, const char *const *names)
{
    for (; *names != NULL; names++)
        if (tag.len == strlen(*names) && strncasecmp(tag.ptr, *names, tag.len) == 0)
            return true;
    return false;
}

/* The name of the tag at '<'; empty: it is none. */
static iv_str tag_name(iv_str s)
{
    size_t at = s.len > 1 && s.ptr[1] == '/' ? 2 : 1, n = 0;

    while (at + n < s.len && ((s.ptr[at + n] | 32) >= 'a' && (s.ptr[at + n] | 32) <= 'z'))
        n++;
    while (n > 0 && at + n < s.len && s.ptr[at + n] >= '0' && s.ptr[at + n] <= '9')
        n++;
    return (iv_str){ s.ptr + at, n };
}

/* Where what is not text ends: a tag, a comment, an element that people do not read.  0: the
 * '<' is text.  *breaks: a new line begins. */
static size_t behind_tag(bool *breaks, iv_str s)
{
    static const char *const inside[] = { "b", "i", "em", "strong", "a", "span", "font", "sub",
                                          "sup", "u", "tt", "code", "abbr", NULL };
    static const char *const unread[] = { "script", "style", "dochdr", "docid", "docno", NULL };
    const iv_str name = tag_name(s);
    const char *end;

    *breaks = false;
    if (s.len >= 4 && memcmp(s.ptr, "<!--", 4) == 0) {
        for (size_t i = 4; i + 3 <= s.len; i++)
            if (memcmp(s.ptr + i, "-->", 3) == 0)
                return i + 3;
        return s.len;
    }
    if (name.len == 0 && !(s.len > 1 && (s.ptr[1] == '!' || s.ptr[1] == '?')))
        return 0;
    end = memchr(s.ptr, '>', s.len);
    if (end == NULL)
        return 0;
    *breaks = !named(name, inside);
    if (s.ptr[1] != '/' && named(name, unread)) {
        char close[16];
        (void)snprintf(close, sizeof close, "</%.*s", (int)name.len, name.ptr);
        const char *stop = iv_find_tag((iv_str){ end, s.len - (size_t)(end - s.ptr) }, close);
        if (stop == NULL)
            return s.len;
        end = memchr(stop, '>', s.len - (size_t)(stop - s.ptr));
        return end == NULL ? s.len : (size_t)(end - s.ptr) + 1;
    }
    return (size_t)(end - s.ptr) + 1;
}

/* No blanks before a line end, no more than one empty line, none at the ends. */
static size_t tidy(char *text, size_t len)
{
    size_t n = 0, ends = 2;

    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\n' || text[i] == '\r') {
            while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
                n--;
            if (text[i] == '\n' && ends < 2) {
                text[n++] = '\n';
                ends++;
            }
        } else {
            text[n++] = text[i];
            if (text[i] != ' ' && text[i] != '\t')
                ends = 0;
        }
    }
    while (n > 0 && strchr(" \t\n", text[n - 1]) != NULL)
        n--;
    return n;
}

int iv_plain_text(iv_str *out, iv_arena *a, iv_str tagged, iv_err *err)
{
    char *to = iv_arena_alloc(a, tagged.len + 1);
    size_t n = 0;

    if (to == NULL)
        return iv_no_memory(err);
    for (size_t at = 0; at < tagged.len;) {
        const iv_str rest = { tagged.ptr + at, tagged.len - at };
        bool breaks = false;
        uint32_t code = 0;
        size_t len = 0;
        if (*rest.ptr == '<' && (len = behind_tag(&breaks, rest)) > 0) {
            if (breaks)
                to[n++] = '\n';
            while (breaks && len < rest.len && (rest.ptr[len] == ' ' || rest.ptr[len] == '\t'))
                len++;
        } else if (*rest.ptr == '&' && (len = entity(&code, rest)) > 0) {
            n += put_code(to + n, code); /* never longer than the entity */
        } else {
            to[n++] = *rest.ptr;
            len = 1;
        }
        at += len;
    }
    n = tidy(to, n);
    to[n] = '\0';
    *out = (iv_str){ to, n };
    return IV_OK;
}

/* Long texts are kept packed by zstd, where the build has it. */
enum { LONG = 4096 };

#if INTERVALE_ZSTD
/* Packs with a checksum, so that a flipped bit does not become another text. */
static int pack_checked(size_t *len, char *packed, size_t room, iv_str text, iv_err *err)
{
    ZSTD_CCtx *c = ZSTD_createCCtx();

    if (c == NULL)
        return iv_no_memory(err);
    (void)ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, 3);
    (void)ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
    *len = ZSTD_compress2(c, packed, room, text.ptr, text.len);
    (void)ZSTD_freeCCtx(c);
    return IV_OK;
}
#endif

int iv_store_pack(iv_str *out, bool *zipped, iv_arena *a, iv_str text, iv_err *err)
{
    *out = text;
    *zipped = false;
#if INTERVALE_ZSTD
    if (text.len < LONG)
        return IV_OK;
    const size_t room = ZSTD_compressBound(text.len);
    char *packed = iv_arena_alloc(a, room);
    if (packed == NULL)
        return iv_no_memory(err);
    size_t len = 0;
    IV_TRY(pack_checked(&len, packed, room, text, err));
    if (!ZSTD_isError(len) && len < text.len) {
        *out = (iv_str){ packed, len };
        *zipped = true;
    }
#else
    (void)a;
    (void)err;
    (void)LONG;
#endif
    return IV_OK;
}

int iv_store_unpack(iv_str *out, iv_arena *a, iv_str kept, bool zipped, iv_err *err)
{
    if (!zipped) {
        char *copy = iv_arena_copy(a, kept.len == 0 ? (iv_str){ "", 0 } : kept);
        *out = (iv_str){ copy, kept.len };
        return copy == NULL ? iv_no_memory(err) : IV_OK;
    }
#if INTERVALE_ZSTD
    const unsigned long long size = ZSTD_getFrameContentSize(kept.ptr, kept.len);
    if (size > (1ull << 32))
        return iv_fail(err, IV_EPARSE, "the database is damaged: a packed text");
    char *text = iv_arena_alloc(a, (size_t)size + 1);
    if (text == NULL)
        return iv_no_memory(err);
    if (ZSTD_decompress(text, (size_t)size, kept.ptr, kept.len) != size)
        return iv_fail(err, IV_EPARSE, "the database is damaged: a packed text");
    text[size] = '\0';
    *out = (iv_str){ text, (size_t)size };
    return IV_OK;
#else
    return iv_fail(err, IV_EIO, "the texts are packed by zstd, which this build was made "
                   "without");
#endif
}
