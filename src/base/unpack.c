/* SPDX-License-Identifier: Apache-2.0 */
#include "base/unpack.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Either library may be left out of a build; the build says which are there. */
#if INTERVALE_ZLIB
#define ZLIB_CONST
#include <zlib.h>
#endif
#if INTERVALE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

#include "base/parallel.h"

iv_packing iv_packing_of(const char *ptr, size_t len)
{
    if (len >= 2 && memcmp(ptr, "\x1f\x8b", 2) == 0)
        return IV_GZIP;
    if (len >= 4 && memcmp(ptr, "\x28\xb5\x2f\xfd", 4) == 0)
        return IV_ZSTD;
    return IV_PLAIN;
}

const char *iv_packing_unread(const char *ptr, size_t len)
{
    static const struct {
        const char *magic;
        size_t len;
        const char *name;
    } others[] = { { "\xfd" "7zXZ\0", 6, "xz" }, { "BZh", 3, "bzip2" },
                   { "PK\x03\x04", 4, "zip" }, { "7z\xbc\xaf\x27\x1c", 6, "7z" },
                   { "\x04\x22\x4d\x18", 4, "lz4" } };

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (len > 8 && memcmp(ptr, others[i].magic, others[i].len) == 0)
            return others[i].name;
    return NULL;
}

enum { LONGEST_LINE = 1 << 24 };

/* What is unpacked so far. */
typedef struct sink {
    char *ptr;
    size_t len, capacity;
    uint64_t most;         /* bytes that may be; 0: no limit */
    const iv_work *work;   /* asked whether to go on */
    uint64_t enough;       /* bytes after which to stop; 0: none */
    const iv_taker *taker; /* gets what is there and makes room; NULL: all is kept */
    uint64_t taken;
    size_t line;           /* where the last line begins, of a text that is kept */
    int refused;           /* what the taker said when it did not go on */
    iv_err *err;
} sink;

/* How an unpacker ended.  One that met a NUL byte has kept the text up to it. */
typedef enum ending {
    WHOLE, CUT_SHORT, DAMAGED, NO_MEMORY, NOT_TEXT, TOO_LARGE, NOT_BUILT, CANCELLED, REFUSED,
    ENOUGH, LONG_LINE
} ending;

/* Hands over what there is, and keeps what was not used. */
static bool hand_over(sink *s, bool last)
{
    size_t used = 0;

    s->refused = s->taker->take(s->taker->user, &used, (iv_str){ s->ptr, s->len }, last,
                                s->err);
    s->taken += used;
    s->len -= used;
    if (s->len > 0)
        memmove(s->ptr, s->ptr + used, s->len);
    return s->refused == IV_OK;
}

#if INTERVALE_ZLIB || INTERVALE_ZSTD
static ending make_room(sink *s)
{
    enum { STEP = 1 << 16 };
    const size_t most = s->taker != NULL ? s->taker->bytes : 0;

    if (most > 0 && s->len >= most && !hand_over(s, false))
        return REFUSED;
    char *grown = iv_grow(s->ptr, &s->capacity, s->len + STEP, 1);
    if (grown == NULL)
        return NO_MEMORY;
    s->ptr = grown;
    return WHOLE;
}

/* How much to unpack at once: until the caller is asked whether to go on, some ms. */
static size_t room_in(const sink *s)
{
    enum { ONE_STEP = 1 << 20 };
    const size_t left = s->capacity - s->len, room = left > ONE_STEP ? ONE_STEP : left;
    const size_t most = s->taker != NULL ? s->taker->bytes : 0;

    return most > s->len && room > most - s->len ? most - s->len : room;
}

/*
 * After a step that began at `from`: is there a reason to stop?  A few packed bytes
 * can be gigabytes of zeros, and no reader goes on behind a NUL; or gigabytes of one line.
 */
static ending look(sink *s, size_t from)
{
    const char *nul = memchr(s->ptr + from, '\0', s->len - from);

    if (nul != NULL)
        s->len = (size_t)(nul - s->ptr) + 1;
    if (s->most > 0 && s->taken + s->len > s->most)
        return TOO_LARGE;
    if (nul != NULL)
        return NOT_TEXT;
    for (size_t i = s->len; s->taker == NULL && i > from && s->line <= from; i--)
        s->line = s->ptr[i - 1] == '\n' ? i : s->line;
    if (s->taker == NULL && s->len - s->line > LONGEST_LINE)
        return LONG_LINE;
    if (iv_check_work(s->work, 0.0, NULL) != IV_OK)
        return CANCELLED;
    if (s->enough == 0 || s->len < s->enough)
        return WHOLE;
    s->len = (size_t)s->enough;
    return ENOUGH;
}
#endif

#if INTERVALE_ZLIB
static ending unpack_gzip(sink *s, const char *ptr, size_t len)
{
    z_stream z = { 0 };
    size_t fed = 0;
    ending seen = WHOLE;
    int state = inflateInit2(&z, 15 + 16);

    if (state != Z_OK)
        return NO_MEMORY;
    for (;;) {
        seen = make_room(s);
        if (seen != WHOLE)
            break;
        const size_t left = len - fed;
        const uInt in = left > UINT_MAX ? UINT_MAX : (uInt)left;
        const size_t room = room_in(s);
        const uInt out = room > UINT_MAX ? UINT_MAX : (uInt)room;
        z.next_in = (const Bytef *)ptr + fed;
        z.avail_in = in;
        z.next_out = (Bytef *)s->ptr + s->len;
        z.avail_out = out;
        state = inflate(&z, Z_NO_FLUSH);
        fed += in - z.avail_in;
        s->len += out - z.avail_out;
        seen = look(s, s->len - (out - z.avail_out));
        if (seen != WHOLE)
            break;
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
    if (seen != WHOLE)
        return seen;
    if (state == Z_MEM_ERROR)
        return NO_MEMORY;
    if (state == Z_STREAM_END)
        return WHOLE;
    return state == Z_OK || state == Z_BUF_ERROR ? CUT_SHORT : DAMAGED;
}
#endif

#if INTERVALE_ZSTD
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
        end = make_room(s);
        if (end != WHOLE)
            break;
        ZSTD_outBuffer out = { s->ptr, s->len + room_in(s), s->len };
        const size_t from = s->len, more = ZSTD_decompressStream(z, &out, &in);
        s->len = out.pos;
        end = look(s, from);
        if (end != WHOLE)
            break;
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

    if (end != DAMAGED || s->taker != NULL)
        return end;
    s->len = s->line = 0;
    return feed_zstd(s, ptr, len, len / STEPS + 1);
}
#endif

static ending unpack_as(sink *s, const char *ptr, size_t len, iv_packing packing)
{
#if INTERVALE_ZLIB
    if (packing == IV_GZIP)
        return unpack_gzip(s, ptr, len);
#endif
#if INTERVALE_ZSTD
    if (packing == IV_ZSTD)
        return unpack_zstd(s, ptr, len);
#endif
    (void)s, (void)ptr, (void)len, (void)packing;
    return NOT_BUILT;
}

static size_t lines_in(const sink *s)
{
    size_t lines = 0;

    for (size_t i = 0; i < s->len; i++)
        lines += s->ptr[i] == '\n';
    return lines;
}

int iv_unpack(char **out, size_t *out_len, const char *name, const char *ptr,
              size_t len, iv_packing packing, uint64_t enough, const iv_work *work, iv_err *err)
{
    static const char *const flaws[] = {
        [CUT_SHORT] = "data end here, cut short",
        [DAMAGED] = "data are damaged here" };
    const char *kind = packing == IV_GZIP ? "gzip" : "zstd";
    iv_stage stage;
    sink s = { .most = work != NULL ? work->most_bytes : 0, .enough = enough,
               .work = iv_work_part(&stage, work, 0.0, 0.0) };
    int rc = IV_OK;
    const ending end = unpack_as(&s, ptr, len, packing);

    if (end == NO_MEMORY)
        rc = iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    else if (end == NOT_BUILT)
        rc = iv_fail_at(err, IV_EIO, name, 0, "cannot read: it is packed by %s, which this "
                        "build was made without; unpack it first", kind);
    else if (end == TOO_LARGE)
        rc = iv_fail_at(err, IV_EIO, name, 0, "cannot read: it unpacks to more than the "
                        "%llu bytes allowed", (unsigned long long)s.most);
    else if (end == CANCELLED)
        rc = iv_stopped(err);
    else if (end == CUT_SHORT || end == DAMAGED)
        rc = iv_fail_at(err, IV_EPARSE, name, lines_in(&s) + 1, "the %s %s; expected a "
                        "complete file", kind, flaws[end]);
    else if (end == LONG_LINE)
        rc = iv_fail_at(err, IV_EPARSE, name, lines_in(&s) + 1, "a line of more than %d bytes, "
                        "expected lines of text", LONGEST_LINE);
    if (rc < 0) {
        free(s.ptr);
        return rc;
    }
    char *trimmed = realloc(s.ptr, s.len > 0 ? s.len : 1);
    *out = trimmed != NULL ? trimmed : s.ptr;
    *out_len = s.len;
    return IV_OK;
}

int iv_unpack_windows(const iv_taker *taker, const char *ptr, size_t len,
                      iv_packing packing, uint64_t most, iv_err *err)
{
    sink s = { .most = most, .taker = taker, .err = err };
    const ending end = unpack_as(&s, ptr, len, packing);
    int rc = end == WHOLE ? IV_OK : end == REFUSED ? s.refused : IV_NOT_TAKEN;

    if (end == NO_MEMORY)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    if (rc == IV_OK && !hand_over(&s, true))
        rc = s.refused;
    free(s.ptr);
    return rc;
}
