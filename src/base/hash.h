/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hashes and equality of ids.
 *
 * Ids (topics, documents, runs) as numbers 0, 1, 2, ... in the order they are
 * first seen.  The bytes of an id are borrowed: they must outlive the table.
 */
#ifndef IV_BASE_HASH_H
#define IV_BASE_HASH_H

#include <string.h>

#include "intervale/base.h"

/* Drawn anew by every process, so that nobody can make ids that fall together. */
extern uint64_t iv_hash_key; /* 1 to 2^59 */

/* a b modulo 2^61 - 1, up to 2^62, for a below 2^63 and b up to 2^59. */
static inline uint64_t iv_times(uint64_t a, uint64_t b)
{
    const uint64_t p = (UINT64_C(1) << 61) - 1;
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 wide;
    const wide product = (wide)a * b;

    return ((uint64_t)product & p) + (uint64_t)(product >> 61);
#else
    const uint64_t a1 = a >> 32, a0 = (uint32_t)a, b1 = b >> 32, b0 = (uint32_t)b;
    const uint64_t low = a0 * b0, middle = a1 * b0 + a0 * b1; /* below 2^64 */
    const uint64_t top = a1 * b1 + (middle >> 32), rest = (middle << 32) + low;
    const uint64_t high = top + (rest < low);

    return (rest & p) + (high << 3 | rest >> 61);
#endif
}

/*
 * A hash for tables in memory: the bytes, seven at a time, as a polynomial of the key modulo
 * 2^61 - 1.  Whoever does not know the key finds two ids of n words that fall together with
 * probability n / 2^59.
 *
 * Ref: J. L. Carter and M. N. Wegman (1979), Universal classes of hash functions.
 */
static inline uint64_t iv_hash(iv_str s)
{
    const uint64_t seven = (UINT64_C(1) << 56) - 1;
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    uint64_t h = s.len, word = 0;
    size_t at = 0;

    for (; at + 8 <= s.len; at += 7) {
        memcpy(&word, s.ptr + at, 8);
        h = iv_times(h + (little ? word & seven : word >> 8), iv_hash_key);
    }
    word = 0;
    if (s.len >= 8) { /* the last seven, which may overlap those before */
        memcpy(&word, s.ptr + s.len - 8, 8);
        word = little ? word >> 8 : word & seven;
    } else {
        for (size_t i = 0; i < s.len; i++)
            word = word << 8 | (unsigned char)s.ptr[i];
    }
    h = iv_times(h + word, iv_hash_key);
    h *= UINT64_C(0xbf58476d1ce4e5b9); /* so that the lower bits depend on all */
    return h ^ h >> 32;
}

/* Ids are short: comparing them in place beats a call. */
static inline bool iv_str_eq(iv_str a, iv_str b)
{
    uint64_t x, y;

    if (a.len != b.len)
        return false;
    if (a.len < 4) /* the middle and the last may be the first again */
        return a.len == 0
            || (a.ptr[0] == b.ptr[0] && a.ptr[a.len / 2] == b.ptr[a.len / 2]
                && a.ptr[a.len - 1] == b.ptr[a.len - 1]);
    if (a.len < 8) { /* two halves, which may overlap */
        uint32_t first[2], last[2];
        memcpy(&first[0], a.ptr, 4);
        memcpy(&first[1], b.ptr, 4);
        memcpy(&last[0], a.ptr + a.len - 4, 4);
        memcpy(&last[1], b.ptr + b.len - 4, 4);
        return first[0] == first[1] && last[0] == last[1];
    }
    for (size_t at = 0; at + 8 < a.len; at += 8) {
        memcpy(&x, a.ptr + at, 8);
        memcpy(&y, b.ptr + at, 8);
        if (x != y)
            return false;
    }
    memcpy(&x, a.ptr + a.len - 8, 8);
    memcpy(&y, b.ptr + b.len - 8, 8);
    return x == y;
}

#endif
