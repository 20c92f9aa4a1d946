/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of a line that blanks separate. */
#ifndef IV_TREC_FIELDS_H
#define IV_TREC_FIELDS_H

#include <string.h>

#include "base/hash.h"

/*
 * The first byte from p on that is at most a space, or end.  Eight bytes at a
 * time: subtracting 0x21 from each sets the top bit of those below it, and of
 * others only behind the first such byte.
 */
static inline const char *iv_skip_printable(const char *p, const char *end)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    while (end - p >= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        const uint64_t low = (word - UINT64_C(0x2121212121212121)) & ~word
            & UINT64_C(0x8080808080808080);
        if (low != 0)
            return p + (__builtin_ctzll(low) >> 3);
        p += 8;
    }
#endif
    while (p < end && (unsigned char)*p > ' ')
        p++;
    return p;
}

static inline bool iv_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* The end of the field that begins at p: a blank, a line end, or end. */
static inline const char *iv_field_end(const char *p, const char *end)
{
    p = iv_skip_printable(p, end);
    while (p < end && *p != '\n' && !iv_is_blank(*p))
        p = iv_skip_printable(p + 1, end); /* a control byte separates nothing */
    return p;
}

/* The field that ends before p, which begins the third field of a line or a later one. */
static inline iv_str iv_field_before(const char *p)
{
    while (iv_is_blank(p[-1]))
        p--;
    const char *const end = p;
    while (!iv_is_blank(p[-1]))
        p--;
    return (iv_str){ p, (size_t)(end - p) };
}

/*
 * Splits the line that begins at *p into fields; keeps the first `most` and
 * returns how many there are.  *p moves behind the line.
 */
static inline size_t iv_split_line(iv_str *fields, size_t most, const char **p,
                                   const char *end)
{
    const char *at = *p;
    size_t count = 0;

    for (;;) {
        while (at < end && iv_is_blank(*at))
            at++;
        if (at == end || *at == '\n')
            break;
        const char *const stop = iv_field_end(at, end);
        if (count < most)
            fields[count] = (iv_str){ at, (size_t)(stop - at) };
        count++;
        at = stop;
    }
    *p = at + (at < end);
    return count;
}

/*
 * What most lines repeat of the one before them, to the byte: all before a field and all behind
 * a later one, with the line end.  Two thirds of such a line need not be searched for the ends
 * of fields.  {0}: nothing to go by.
 */
typedef struct iv_likeness {
    iv_str before, behind;
    char blank; /* between the fields that differ, once */
} iv_likeness;

/* Of a line whose fields from `first` to `last` may differ in the next; stop: behind the line. */
static inline iv_likeness iv_likeness_of(const char *line, const iv_str *fields, size_t first,
                                   size_t last, const char *stop)
{
    const char *const end = fields[last].ptr + fields[last].len;

    return (iv_likeness){ { line, (size_t)(fields[first].ptr - line) },
                       { end, stop[-1] == '\n' ? (size_t)(stop - end) : 0 },
                       fields[first].ptr[fields[first].len] };
}

/*
 * Splits a line into its fields from `first` to `last`; the others are the last line's.  *p
 * moves behind the line.  False, with these fields lost, when the line is another.
 */
static inline bool iv_split_alike(iv_str *fields, size_t first, size_t last, const iv_likeness *a,
                                  const char **p, const char *end)
{
    const char *at = *p;

    if (a->behind.len == 0 || (size_t)(end - at) < a->before.len
        || !iv_str_eq((iv_str){ at, a->before.len }, a->before))
        return false;
    at += a->before.len;
    for (size_t i = first; i < last; i++) {
        const char *const stop = iv_skip_printable(at, end);
        if (stop == at || stop == end || *stop != a->blank)
            return false;
        fields[i] = (iv_str){ at, (size_t)(stop - at) };
        at = stop + 1;
    }
    const char *const stop = iv_skip_printable(at, end);
    if (stop == at || (size_t)(end - stop) < a->behind.len
        || !iv_str_eq((iv_str){ stop, a->behind.len }, a->behind))
        return false;
    fields[last] = (iv_str){ at, (size_t)(stop - at) };
    *p = stop + a->behind.len;
    return true;
}

/* Does the line that begins at p have # as its first byte that is no blank? */
static inline bool iv_is_comment(const char *p, const char *end)
{
    while (p < end && iv_is_blank(*p))
        p++;
    return p < end && *p == '#';
}

#endif
