/* SPDX-License-Identifier: Apache-2.0 */
#include "base/unpack.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/unpacker.h"

iv_packing iv_packing_of(const char *ptr, size_t len)
{
    if (len >= 2 && memcmp(ptr, "\x1f\x8b", 2) == 0)
        return IV_GZIP;
    if (len >= 4 && memcmp(ptr, "\x28\xb5\x2f\xfd", 4) == 0)
        return IV_ZSTD;
    /* A frame to be skipped, of 16 kinds, which some packers begin with. */
    if (len >= 4 && (*ptr & 0xf0) == 0x50 && memcmp(ptr + 1, "\x2a\x4d\x18", 3) == 0)
        return IV_ZSTD;
    return IV_PLAIN;
}

const char *iv_packing_unread(const char *ptr, size_t len)
{
    static const char *const others[][2] = { /* the first bytes, the name */
        { "\xfd" "7zXZ", "xz" }, { "BZh", "bzip2" }, { "PK\x03\x04", "zip" },
        { "7z\xbc\xaf\x27\x1c", "7z" }, { "\x04\x22\x4d\x18", "lz4" } };

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (len > 8 && memcmp(ptr, others[i][0], strlen(others[i][0])) == 0)
            return others[i][1];
    return NULL;
}

static const char *name_of(iv_packing packing)
{
    return packing == IV_GZIP ? "gzip" : "zstd";
}

int iv_unpack_other(const char *name, const char *packing, iv_err *err)
{
    return iv_fail_at(err, IV_EPARSE, name, 0, "is compressed with %s, which is not read; "
                      "expected plain text, gzip or zstd: decompress it first", packing);
}

int iv_unpack_not_built(const char *name, iv_packing packing, iv_err *err)
{
    return iv_fail_at(err, IV_EIO, name, 0, "cannot read: it is compressed with %s, which this "
                      "build was made without; decompress it first", name_of(packing));
}

int iv_unpack_window(const char *name, iv_err *err)
{
    return iv_fail_at(err, IV_EPARSE, name, 1, "it was compressed with zstd --long and needs a "
                      "window of more than 128 MB; decompress it first");
}

int iv_unpack_flaw(const char *name, uint64_t line, iv_packing packing, bool damaged, iv_err *err)
{
    return iv_fail_at(err, IV_EPARSE, name, line, "the %s %s; expected a complete file",
                      name_of(packing), damaged ? "data are damaged here"
                                                : "data end here, cut short");
}

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
    ENOUGH, LONG_LINE, WINDOW
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
    if (s->taker == NULL && s->len - s->line > IV_LONGEST_LINE)
        return LONG_LINE;
    if (iv_check_work(s->work, 0.0, NULL) != IV_OK)
        return CANCELLED;
    if (s->enough == 0 || s->len < s->enough)
        return WHOLE;
    s->len = (size_t)s->enough;
    return ENOUGH;
}

/* Feeds `step` bytes at a time. */
static ending feed(sink *s, iv_unpacker *u, const char *ptr, size_t len, size_t step)
{
    iv_str data = { ptr, 0 };
    size_t left = len;

    for (;;) {
        if (data.len == 0) {
            data.len = left < step ? left : step;
            left -= data.len;
        }
        ending end = make_room(s);
        if (end != WHOLE)
            return end;
        const size_t from = s->len, room = room_in(s), before = data.len;
        size_t made;
        const iv_unpacked state = iv_unpacker_step(u, &data, s->ptr + from, room, &made);
        s->len += made;
        end = look(s, from);
        if (end != WHOLE)
            return end;
        if (state == IV_UNPACKED_NO_MEMORY)
            return NO_MEMORY;
        if (state == IV_UNPACKED_WINDOW)
            return WINDOW;
        if (state != IV_UNPACKED || (made == 0 && before > 0 && data.len == before))
            return DAMAGED;
        if (data.len == 0 && left == 0 && made < room)
            return iv_unpacker_whole(u) ? WHOLE : CUT_SHORT;
    }
}

static ending unpack_in_steps(sink *s, const char *ptr, size_t len, iv_packing packing, size_t step)
{
    iv_unpacker *u = NULL;
    const iv_unpacked made = iv_unpacker_new(&u, packing);

    if (made != IV_UNPACKED)
        return made == IV_UNPACKED_NOT_BUILT ? NOT_BUILT : NO_MEMORY;
    const ending end = feed(s, u, ptr, len, step);
    iv_unpacker_free(u);
    return end;
}

/*
 * All at once; damaged data once more in small steps, since zstd does not tell
 * what a call had unpacked before it met the damage.
 */
static ending unpack_as(sink *s, const char *ptr, size_t len, iv_packing packing)
{
    enum { STEPS = 1 << 16 };
    const ending end = unpack_in_steps(s, ptr, len, packing, len);

    if (end != DAMAGED || packing != IV_ZSTD || s->taker != NULL)
        return end;
    s->len = s->line = 0;
    return unpack_in_steps(s, ptr, len, packing, len / STEPS + 1);
}

static size_t lines_in(iv_str text)
{
    size_t lines = 0;

    for (size_t i = 0; i < text.len; i++)
        lines += text.ptr[i] == '\n';
    return lines;
}

int iv_unpack_long_line(const char *name, iv_str text, iv_err *err)
{
    return iv_fail_at(err, IV_EPARSE, name, lines_in(text) + 1, "a line of more than %d bytes, "
                      "expected lines of text", IV_LONGEST_LINE);
}

bool iv_unpack_head(char **out, size_t *out_len, iv_str packed, iv_packing packing,
                    uint64_t enough)
{
    sink s = { .enough = enough };
    const ending end = unpack_in_steps(&s, packed.ptr, packed.len, packing, packed.len);

    *out = s.ptr;
    *out_len = s.len;
    return end == ENOUGH || end == WHOLE || end == CUT_SHORT;
}

int iv_unpack(char **out, size_t *out_len, const char *name, const char *ptr,
              size_t len, iv_packing packing, uint64_t enough, const iv_work *work, iv_err *err)
{
    /* No text is packed this well: gigabytes of empty lines would be kept. */
    enum { TIMES = 100, SMALL = 1 << 26 };
    const uint64_t asked = work != NULL ? work->most_bytes : 0;
    const uint64_t sane = len > SMALL / TIMES ? (uint64_t)len * TIMES : SMALL;
    iv_stage stage;
    sink s = { .most = asked > 0 && asked < sane ? asked : sane, .enough = enough,
               .work = iv_work_part(&stage, work, 0.0, 0.0) };
    int rc = IV_OK;
    const ending end = unpack_as(&s, ptr, len, packing);

    if (end == NO_MEMORY)
        rc = iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    else if (end == NOT_BUILT)
        rc = iv_unpack_not_built(name, packing, err);
    else if (end == TOO_LARGE && s.most == sane)
        rc = iv_fail_at(err, IV_EIO, name, 0, "decompresses to more than %d times its size, "
                        "expected a text; decompress it first if this is intended", TIMES);
    else if (end == TOO_LARGE)
        rc = iv_fail_at(err, IV_EIO, name, 0, "cannot read: it decompresses to more than the "
                        "%llu bytes allowed", (unsigned long long)s.most);
    else if (end == WINDOW)
        rc = iv_unpack_window(name, err);
    else if (end == CANCELLED)
        rc = iv_stopped(err);
    else if (end == CUT_SHORT || end == DAMAGED)
        rc = iv_unpack_flaw(name, lines_in((iv_str){ s.ptr, s.len }) + 1, packing, end == DAMAGED,
                            err);
    else if (end == LONG_LINE)
        rc = iv_unpack_long_line(name, (iv_str){ s.ptr, s.len }, err);
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
