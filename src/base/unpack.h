/* SPDX-License-Identifier: Apache-2.0 */
/* Unpacking gzip and zstd data held in memory. */
#ifndef IV_BASE_UNPACK_H
#define IV_BASE_UNPACK_H

#include "intervale/base.h"

typedef enum iv_packing { IV_PLAIN, IV_GZIP, IV_ZSTD } iv_packing;

/* What the first bytes say. */
iv_packing iv_packing_of(const char *ptr, size_t len);

/*
 * Unpacks len bytes, all members or frames one after another, into *out of
 * *out_len bytes, to be freed with free().  Data that end early or are damaged
 * are IV_EPARSE, named at the line where they break off.  Stops behind the first NUL
 * byte, which no reader of text accepts, and, with IV_EIO, at more bytes than the work
 * allows or when the build has no such unpacker.  Asks work's progress.
 */
IV_MUST_CHECK int iv_unpack(char **out, size_t *out_len, const char *name,
                            const char *ptr, size_t len, iv_packing packing,
                            const iv_work *work, iv_err *err);

#endif /* IV_BASE_UNPACK_H */
