/* SPDX-License-Identifier: Apache-2.0 */
#include "base/unpack.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define ZLIB_CONST
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/memory.h"

iv_packing iv_packing_of(const char *ptr, size_t len)
{
    if (len >= 2 && memcmp(ptr, "\x1f\x8b", 2) == 0)
        return IV_GZIP;
    if (len >= 4 && memcmp(ptr, "\x28\xb5\x2f\xfd", 4) == 0)
        return IV_ZSTD;
    return IV_PLAIN;
}

/* What is unpacked so far. */
typedef struct sink {
    char *ptr;
    size_t len, capacity;
} sink;

/* How an unpacker ended. */
typedef enum ending { WHOLE, CUT_SHORT, DAMAGED, NO_MEMORY } ending;

static bool make_room(sink *s)
{
    enum { STEP = 1 << 16 };
    char *grown = iv_grow(s->ptr, &s->capacity, s->len + STEP, 1);

    if (grown == NULL)
        return false;
    s->ptr = grown;
    return true;
}

static ending unpack_gzip(sink *s, const char *ptr, size_t len)
{
    z_stream z = { 0 };
    size_t fed = 0;
    int state = inflateInit2(&z, 15 + 16);

    if (state != Z_OK)
        return NO_MEMORY;
    for (;;) {
        if (!make_room(s)) {
            state = Z_MEM_ERROR;
            break;
        }
        const size_t left = len - fed;
        const uInt in = left > UINT_MAX ? UINT_MAX : (uInt)left;
        const size_t room = s->capacity - s->len;
        const uInt out = room > UINT_MAX ? UINT_MAX : (uInt)room;
        z.next_in = (const Bytef *)ptr + fed;
        z.avail_in = in;
        z.next_out = (Bytef *)s->ptr + s->len;
        z.avail_out = out;
        state = inflate(&z, Z_NO_FLUSH);
        fed += in - z.avail_in;
        s->len += out - z.avail_out;
        if (state == Z_STREAM_END) {
            /* gzip files may be glued together, and tapes pad with zeros. */
            while (fed < len && ptr[fed] == 0)
                fed++;
            if (fed == len || inflateReset(&z) != Z_OK)
                break;
        } else if (state != Z_OK || (fed == len && z.avail_out > 0)) {
            break;
        }
    }
    (void)inflateEnd(&z);
    if (state == Z_MEM_ERROR)
        return NO_MEMORY;
    if (state == Z_STREAM_END)
        return WHOLE;
    return state == Z_OK || state == Z_BUF_ERROR ? CUT_SHORT : DAMAGED;
}

/* Feeds `step` bytes at a time. */
static ending feed_zstd(sink *s, const char *ptr, size_t len, size_t step)
{
    ending end = WHOLE;
    ZSTD_inBuffer in = { ptr, 0, 0 };
    ZSTD_DCtx *z = ZSTD_createDCtx();

    if (z == NULL)
        return NO_MEMORY;
    for (;;) {
        if (in.pos == in.size)
            in.size += len - in.size < step ? len - in.size : step;
        if (!make_room(s)) {
            end = NO_MEMORY;
            break;
        }
        ZSTD_outBuffer out = { s->ptr, s->capacity, s->len };
        const size_t more = ZSTD_decompressStream(z, &out, &in);
        s->len = out.pos;
        if (ZSTD_isError(more)) {
            end = ZSTD_getErrorCode(more) == ZSTD_error_memory_allocation
                ? NO_MEMORY : DAMAGED;
            break;
        }
        if (in.pos == len && out.pos < out.size) {
            end = more == 0 ? WHOLE : CUT_SHORT;
            break;
        }
    }
    (void)ZSTD_freeDCtx(z);
    return end;
}

/*
 * All at once; damaged data once more in small steps, since zstd does not tell
 * what a call had unpacked before it met the damage.
 */
static ending unpack_zstd(sink *s, const char *ptr, size_t len)
{
    enum { STEPS = 1 << 16 };
    const ending end = feed_zstd(s, ptr, len, len);

    if (end != DAMAGED)
        return end;
    s->len = 0;
    return feed_zstd(s, ptr, len, len / STEPS + 1) == NO_MEMORY ? NO_MEMORY : DAMAGED;
}

static size_t lines_in(const sink *s)
{
    size_t lines = 0;

    for (size_t i = 0; i < s->len; i++)
        lines += s->ptr[i] == '\n';
    return lines;
}

int iv_unpack(char **out, size_t *out_len, const char *name, const char *ptr,
              size_t len, iv_packing packing, iv_err *err)
{
    static const char *const flaws[] = {
        [CUT_SHORT] = "data end here, cut short",
        [DAMAGED] = "data are damaged here" };
    const char *kind = packing == IV_GZIP ? "gzip" : "zstd";
    sink s = { NULL, 0, 0 };
    int rc = IV_OK;
    const ending end = packing == IV_GZIP ? unpack_gzip(&s, ptr, len)
                                          : unpack_zstd(&s, ptr, len);

    if (end == NO_MEMORY)
        rc = iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    else if (end != WHOLE)
        rc = iv_fail_at(err, IV_EPARSE, name, lines_in(&s) + 1, "the %s %s; expected a "
                        "complete file", kind, flaws[end]);
    if (rc < 0) {
        free(s.ptr);
        return rc;
    }
    char *trimmed = realloc(s.ptr, s.len > 0 ? s.len : 1);
    *out = trimmed != NULL ? trimmed : s.ptr;
    *out_len = s.len;
    return IV_OK;
}
