/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ids (topics, documents, runs) as numbers 0, 1, 2, ... in the order they are
 * first seen.  The bytes of an id are borrowed: they must outlive the table.
 */
#ifndef IV_BASE_IDS_H
#define IV_BASE_IDS_H

#include <string.h>

#include "intervale/base.h"

/* A hash for tables in memory; its value may change between versions. */
static inline uint64_t iv_hash(iv_str s)
{
    const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t h = s.len * odd;
    uint64_t word = 0;
    size_t at = 0;

    for (; at + 8 <= s.len; at += 8) {
        memcpy(&word, s.ptr + at, 8);
        h = (h ^ word) * odd;
        h ^= h >> 29;
    }
    if (at < s.len) {
        if (s.len >= 8) { /* overlaps the previous word, which does no harm */
            memcpy(&word, s.ptr + s.len - 8, 8);
        } else {
            word = 0;
            for (size_t i = 0; i < s.len; i++)
                word = word << 8 | (unsigned char)s.ptr[i];
        }
        h = (h ^ word) * odd;
        h ^= h >> 29;
    }
    h *= UINT64_C(0xbf58476d1ce4e5b9);
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

#define IV_NO_ID UINT32_MAX

/* {0} is a valid empty table. */
typedef struct iv_ids {
    iv_str *names;   /* by number */
    uint32_t *slots; /* number + 1; 0 is free */
    size_t count, names_capacity;
    size_t slot_count; /* a power of two, or 0 */
} iv_ids;

/* The number of id, a new one if need be; IV_NO_ID when memory is out. */
uint32_t iv_ids_add(iv_ids *t, iv_str id);

/* The number of id, or IV_NO_ID. */
uint32_t iv_ids_find(const iv_ids *t, iv_str id);

void iv_ids_free(iv_ids *t);

#endif /* IV_BASE_IDS_H */
