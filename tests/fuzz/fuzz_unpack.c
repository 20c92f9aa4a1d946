/* SPDX-License-Identifier: Apache-2.0 */
/* Packed data unpack whole or are refused at a line. */
#include "fuzz.h"
#include "base/bytes.h"
#include "base/packing.h"

#include <zlib.h>
#include <zstd.h>

/* What our libraries pack, we unpack, alone or behind itself, up to the first NUL. */
static void both_ways(const uint8_t *data, size_t size)
{
    const size_t bound = ZSTD_compressBound(size);
    char *twice = malloc(2 * bound);
    iv_bytes b;

    PROMISE(twice != NULL);
    const size_t len = ZSTD_compress(twice, bound, data, size, 1);
    PROMISE(!ZSTD_isError(len));
    memcpy(twice + len, twice, len);
    PROMISE(iv_bytes_copy(&b, "f", twice, 2 * len, NULL, NULL) == IV_OK);
    const uint8_t *nul = size == 0 ? NULL : memchr(data, 0, size);
    const size_t kept = nul != NULL ? (size_t)(nul - data) + 1 : size;
    PROMISE(b.len == (nul != NULL ? kept : 2 * size) && b.packing == IV_ZSTD);
    PROMISE(kept == 0 || memcmp(b.ptr, data, kept) == 0);
    PROMISE(nul != NULL || size == 0 || memcmp(b.ptr + size, data, size) == 0);
    iv_bytes_free(&b);
    free(twice);
}

static void try_as(iv_packing packing, const uint8_t *data, size_t size)
{
    iv_bytes out = { NULL, 0, 0, IV_PLAIN };
    iv_err err = { IV_OK, "" };
    const int rc = iv_bytes_unpack(&out, "f", (iv_str){ (const char *)data, size }, packing, NULL,
                                   &err);

    PROMISE(rc == IV_OK || rc == IV_EPARSE);
    PROMISE((rc == IV_OK) == (out.ptr != NULL));
    if (rc != IV_OK)
        fuzz_message(&err);
    iv_bytes_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 600 }; /* a few bytes may unpack to very many */
    const uint8_t *exact = size > MOST ? NULL : malloc(size + 1);

    if (exact == NULL)
        return 0;
    if (size > 0)
        memcpy((void *)(uintptr_t)exact, data, size);
    try_as(IV_GZIP, exact, size);
    try_as(IV_ZSTD, exact, size);
    both_ways(exact, size);
    free((void *)(uintptr_t)exact);
    return 0;
}
