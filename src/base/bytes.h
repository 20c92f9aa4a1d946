/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whole file as bytes: read by all cores, and unpacked when it is gzip or zstd
 * (told by content, never by name); "-" and pipes as they come.
 */
#ifndef IV_BASE_BYTES_H
#define IV_BASE_BYTES_H

#include "base/unpack.h"

typedef struct iv_bytes {
    char *ptr;       /* not terminated; not to be written to */
    size_t len;
    uint64_t stored; /* the size of the file as it is kept */
    iv_packing packing;
} iv_bytes;

/*
 * Reads path ("-": standard input).  Damaged compressed data are IV_EPARSE at
 * the line where they break off; what the system refuses, a file that becomes shorter
 * while it is read and one of more than work's most_bytes are IV_EIO.
 */
IV_MUST_CHECK int iv_bytes_load(iv_bytes *out, const char *path, const iv_work *work,
                                iv_err *err);

/* A copy of len bytes, unpacked like a file's; name stands in messages. */
IV_MUST_CHECK int iv_bytes_copy(iv_bytes *out, const char *name,
                                const void *bytes, size_t len, const iv_work *work,
                                iv_err *err);

void iv_bytes_free(iv_bytes *b);

/* Adds a file's bytes to the list, unless it is there; from any thread.  d may be NULL. */
IV_MUST_CHECK int iv_digests_add(iv_digests *d, const char *path, const void *bytes, size_t len,
                                 iv_err *err);

#endif /* IV_BASE_BYTES_H */
