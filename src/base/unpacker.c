/* SPDX-License-Identifier: Apache-2.0 */
#include "base/unpacker.h"

#include <limits.h>
#include <stdlib.h>

/* Either library may be left out of a build; the build says which are there. */
#if INTERVALE_ZLIB
#define ZLIB_CONST
#include <zlib.h>
#endif
#if INTERVALE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

struct iv_unpacker {
    iv_packing packing;
    bool between; /* members or frames */
#if INTERVALE_ZLIB
    z_stream gzip;
#endif
#if INTERVALE_ZSTD
    ZSTD_DCtx *zstd;
#endif
};

iv_unpacked iv_unpacker_new(iv_unpacker **out, iv_packing packing)
{
    iv_unpacker *u = calloc(1, sizeof *u);
    iv_unpacked made = IV_UNPACKED_NOT_BUILT;

    if (u == NULL)
        return IV_UNPACKED_NO_MEMORY;
    u->packing = packing;
#if INTERVALE_ZLIB
    if (packing == IV_GZIP)
        made = inflateInit2(&u->gzip, 15 + 16) == Z_OK ? IV_UNPACKED : IV_UNPACKED_NO_MEMORY;
#endif
#if INTERVALE_ZSTD
    if (packing == IV_ZSTD) {
        u->zstd = ZSTD_createDCtx();
        made = u->zstd != NULL ? IV_UNPACKED : IV_UNPACKED_NO_MEMORY;
    }
#endif
    if (made == IV_UNPACKED)
        *out = u;
    else
        free(u);
    return made;
}

void iv_unpacker_free(iv_unpacker *u)
{
    if (u == NULL)
        return;
#if INTERVALE_ZLIB
    if (u->packing == IV_GZIP)
        (void)inflateEnd(&u->gzip);
#endif
#if INTERVALE_ZSTD
    (void)ZSTD_freeDCtx(u->zstd);
#endif
    free(u);
}

#if INTERVALE_ZLIB
static iv_unpacked step_gzip(iv_unpacker *u, iv_str *data, char *out, size_t room, size_t *made)
{
    z_stream *z = &u->gzip;

    /* gzip files may be glued together, and tapes pad with zeros. */
    while (u->between && data->len > 0 && *data->ptr == 0) {
        data->ptr++;
        data->len--;
    }
    if (u->between && data->len == 0)
        return IV_UNPACKED;
    if (u->between && inflateReset(z) != Z_OK)
        return IV_UNPACKED_NO_MEMORY;
    const uInt in = data->len > UINT_MAX ? UINT_MAX : (uInt)data->len;
    const uInt space = room > UINT_MAX ? UINT_MAX : (uInt)room;
    z->next_in = (const Bytef *)data->ptr;
    z->avail_in = in;
    z->next_out = (Bytef *)out;
    z->avail_out = space;
    const int state = inflate(z, Z_NO_FLUSH);
    data->ptr += in - z->avail_in;
    data->len -= in - z->avail_in;
    *made = space - z->avail_out;
    u->between = state == Z_STREAM_END;
    return state == Z_MEM_ERROR ? IV_UNPACKED_NO_MEMORY
        : state == Z_OK || state == Z_STREAM_END || state == Z_BUF_ERROR ? IV_UNPACKED
                                                                         : IV_UNPACKED_DAMAGED;
}
#endif

#if INTERVALE_ZSTD
static iv_unpacked step_zstd(iv_unpacker *u, iv_str *data, char *out, size_t room, size_t *made)
{
    ZSTD_inBuffer in = { data->ptr, data->len, 0 };
    ZSTD_outBuffer to = { out, room, 0 };
    const size_t more = ZSTD_decompressStream(u->zstd, &to, &in);

    *made = to.pos;
    data->ptr += in.pos;
    data->len -= in.pos;
    if (ZSTD_isError(more))
        switch (ZSTD_getErrorCode(more)) {
        case ZSTD_error_memory_allocation: return IV_UNPACKED_NO_MEMORY;
        case ZSTD_error_frameParameter_windowTooLarge: return IV_UNPACKED_WINDOW;
        default: return IV_UNPACKED_DAMAGED;
        }
    if (in.pos > 0 || to.pos > 0) /* else it asks for a frame that need not come */
        u->between = more == 0;
    return IV_UNPACKED;
}
#endif

iv_unpacked iv_unpacker_step(iv_unpacker *u, iv_str *data, char *out, size_t room, size_t *made)
{
    *made = 0;
#if INTERVALE_ZLIB
    if (u->packing == IV_GZIP)
        return step_gzip(u, data, out, room, made);
#endif
#if INTERVALE_ZSTD
    if (u->packing == IV_ZSTD)
        return step_zstd(u, data, out, room, made);
#endif
    (void)u, (void)data, (void)out, (void)room;
    return IV_UNPACKED_NOT_BUILT;
}

bool iv_unpacker_whole(const iv_unpacker *u)
{
    return u->between;
}
