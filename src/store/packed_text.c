/* SPDX-License-Identifier: Apache-2.0 */
/* Long texts are kept packed by zstd, where the build has it. */
#include <string.h>
#if INTERVALE_ZSTD
#include <zstd.h>
#endif

#include "store/store_parts.h"

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
