/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whole file as bytes: mapped when it is plain, unpacked when it is gzip or
 * zstd (told by content, never by name), read when it is a pipe or "-".
 */
#ifndef IV_BASE_BYTES_H
#define IV_BASE_BYTES_H

#include "base/unpack.h"

typedef struct iv_bytes {
    char *ptr;       /* not terminated; not to be written to */
    size_t len;
    uint64_t stored; /* the size of the file as it is kept */
    size_t mapped;   /* bytes to unmap; 0: ptr is on the heap */
    iv_packing packing;
} iv_bytes;

/*
 * Reads path ("-": standard input).  Damaged compressed data are IV_EPARSE at
 * the line where they break off; what the system refuses is IV_EIO.
 */
IV_MUST_CHECK int iv_bytes_load(iv_bytes *out, const char *path, iv_err *err);

/* A copy of len bytes, unpacked like a file's; name stands in messages. */
IV_MUST_CHECK int iv_bytes_copy(iv_bytes *out, const char *name,
                                const void *bytes, size_t len, iv_err *err);

void iv_bytes_free(iv_bytes *b);

#endif /* IV_BASE_BYTES_H */
