/* SPDX-License-Identifier: Apache-2.0 */
/* Unpacking gzip and zstd data held in memory. */
#ifndef IV_BASE_UNPACK_H
#define IV_BASE_UNPACK_H

#include "intervale/base.h"

typedef enum iv_packing { IV_PLAIN, IV_GZIP, IV_ZSTD } iv_packing;

/* What the first bytes say. */
iv_packing iv_packing_of(const char *ptr, size_t len);

/* The name of another packing, which nothing here reads; NULL: none. */
const char *iv_packing_unread(const char *ptr, size_t len);

/*
 * Unpacks len bytes, all members or frames one after another, into *out of
 * *out_len bytes, to be freed with free().  Data that end early or are damaged
 * are IV_EPARSE, named at the line where they break off.  Stops behind the first NUL
 * byte, which no reader of text accepts, and, with IV_EIO, at more than `most` bytes
 * (0: no limit) or when the build has no such unpacker.
 */
IV_MUST_CHECK int iv_unpack(char **out, size_t *out_len, const char *name,
                            const char *ptr, size_t len, iv_packing packing,
                            uint64_t most, iv_err *err);

#endif /* IV_BASE_UNPACK_H */
