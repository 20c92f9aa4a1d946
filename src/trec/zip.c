/* SPDX-License-Identifier: Apache-2.0 */
/* Reads zip archives in memory: PKWARE, APPNOTE.TXT, .ZIP File Format Specification 6.3.10. */
#include "base/bytes.h"
#include "base/err.h"
#include "base/packing.h"
#include "trec/zip.h"

#include <stdlib.h>
#include <string.h>

enum { STORED = 0, DEFLATE = 8, ZSTD = 93 };
enum { END = 22, END64 = 56, LOCATOR = 20, CENTRAL = 46, LOCAL = 30, COMMENT = 65535 };

static uint64_t number(const char *at, size_t bytes)
{
    uint64_t n = 0;

    for (size_t i = bytes; i-- > 0;)
        n = n << 8 | (unsigned char)at[i];
    return n;
}

static bool is_signed(iv_str zip, uint64_t at, const char *mark, size_t room)
{
    return at <= zip.len && zip.len - at >= room && memcmp(zip.ptr + at, mark, 4) == 0;
}

static int damaged(const char *name, iv_err *err)
{
    return iv_fail_at(err, IV_EPARSE, name, 0, "a damaged zip archive, expected a whole one");
}

bool iv_is_zip(const char *path)
{
    char magic[4];
    FILE *f = strcmp(path, "-") != 0 ? fopen(path, "rb") : NULL;
    const bool is_archive =
        f != NULL && fread(magic, 1, 4, f) == 4 && memcmp(magic, "PK\x03\x04", 4) == 0;

    if (f != NULL)
        (void)fclose(f);
    return is_archive;
}

/* Where the directory begins and how many entries it has. */
static bool find_directory(uint64_t *at, uint64_t *count, iv_str zip)
{
    for (size_t behind = END; behind <= zip.len && behind <= END + COMMENT; behind++) {
        const size_t end = zip.len - behind;
        if (!is_signed(zip, end, "PK\x05\x06", END))
            continue;
        *count = number(zip.ptr + end + 10, 2);
        *at = number(zip.ptr + end + 16, 4);
        if (end < LOCATOR || !is_signed(zip, end - LOCATOR, "PK\x06\x07", LOCATOR))
            return true;
        const uint64_t end64 = number(zip.ptr + end - LOCATOR + 8, 8);
        if (!is_signed(zip, end64, "PK\x06\x06", END64))
            return false;
        *count = number(zip.ptr + end64 + 32, 8);
        *at = number(zip.ptr + end64 + 48, 8);
        return true;
    }
    return false;
}

/* Sizes and place of an entry that 32 bits cannot hold stand in its extra field. */
static void widen(uint64_t wide[3], const char *extra, size_t len)
{
    while (len >= 4) {
        const size_t size = number(extra + 2, 2);
        size_t at = 4;
        if (size > len - 4)
            return;
        for (size_t i = 0; number(extra, 2) == 1 && i < 3; i++)
            if (wide[i] == UINT32_MAX && at + 8 <= size + 4) {
                wide[i] = number(extra + at, 8);
                at += 8;
            }
        extra += size + 4;
        len -= size + 4;
    }
}

static bool read_entry(iv_zip_entry *e, uint64_t *at, iv_str zip)
{
    if (!is_signed(zip, *at, "PK\x01\x02", CENTRAL))
        return false;
    const char *from = zip.ptr + *at;
    const size_t name = number(from + 28, 2), extra = number(from + 30, 2);
    const size_t whole = CENTRAL + name + extra + number(from + 32, 2);
    uint64_t wide[3] = { number(from + 24, 4), number(from + 20, 4), number(from + 42, 4) };
    if (zip.len - *at < whole)
        return false;
    widen(wide, from + CENTRAL + name, extra);
    if (!is_signed(zip, wide[2], "PK\x03\x04", LOCAL))
        return false;
    const char *local = zip.ptr + wide[2];
    const uint64_t data = wide[2] + LOCAL + number(local + 26, 2) + number(local + 28, 2);
    if (data > zip.len || wide[1] > zip.len - data)
        return false;
    *e = (iv_zip_entry){ { from + CENTRAL, name }, { zip.ptr + data, wide[1] }, wide[0],
                         (uint32_t)number(from + 16, 4), (unsigned)number(from + 10, 2) };
    *at += whole;
    return (number(from + 8, 2) & 1) == 0; /* not encrypted */
}

int iv_zip_entries(iv_zip_entry **out, size_t *count, const char *name, iv_str zip, iv_err *err)
{
    uint64_t at = 0, entries = 0;

    if (!find_directory(&at, &entries, zip) || entries > zip.len / CENTRAL)
        return damaged(name, err);
    iv_zip_entry *all = calloc((size_t)entries + 1, sizeof *all);
    if (all == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < entries; i++)
        if (!read_entry(&all[i], &at, zip)) {
            free(all);
            return damaged(name, err);
        }
    *out = all;
    *count = (size_t)entries;
    return IV_OK;
}

/* Deflated data as gzip has them, with their sum, which unpacking checks. */
static int unpack_deflated(iv_bytes *out, const char *name, const iv_zip_entry *e,
                           const iv_work *work, iv_err *err)
{
    static const char head[] = "\x1f\x8b\x08\0\0\0\0\0\0\xff";
    enum { HEAD = sizeof head - 1, TAIL = 8 };
    char *gzip = malloc(HEAD + e->packed.len + TAIL);

    if (gzip == NULL)
        return iv_no_memory(err);
    memcpy(gzip, head, HEAD);
    memcpy(gzip + HEAD, e->packed.ptr, e->packed.len);
    for (size_t i = 0; i < 4; i++) {
        gzip[HEAD + e->packed.len + i] = (char)(e->crc >> 8 * i);
        gzip[HEAD + e->packed.len + 4 + i] = (char)(e->size >> 8 * i);
    }
    const int rc = iv_bytes_unpack(out, name, (iv_str){ gzip, HEAD + e->packed.len + TAIL },
                                   IV_GZIP, work, err);
    free(gzip);
    return rc;
}

int iv_zip_unpack(iv_bytes *out, const char *name, const iv_zip_entry *e, const iv_work *work,
                  iv_err *err)
{
    switch (e->method) {
    case STORED:
        return iv_bytes_unpack(out, name, e->packed, IV_PLAIN, work, err);
    case DEFLATE:
        return unpack_deflated(out, name, e, work, err);
    case ZSTD:
        return iv_bytes_unpack(out, name, e->packed, IV_ZSTD, work, err);
    default:
        return iv_fail_at(err, IV_EPARSE, name, 0, "compressed by method %u of zip; expected "
                          "deflate or zstd", e->method);
    }
}
