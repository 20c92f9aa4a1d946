/* SPDX-License-Identifier: Apache-2.0 */
/* A whole file as bytes in memory. */
#ifndef IV_BASE_BYTES_H
#define IV_BASE_BYTES_H

#include "base/packing.h"
#include "intervale/base.h"

typedef struct iv_bytes {
    char *ptr;       /* not terminated; not to be written to */
    size_t len;
    uint64_t stored; /* the size of the file as it is kept */
    iv_packing packing;
} iv_bytes;

/*
 * Reads path ("-": standard input); of a pipe or packed data no more than to the first NUL byte,
 * which no text has.  Damaged compressed data are IV_EPARSE
 * at the line where they break off; what the system refuses, a file that becomes shorter
 * while it is read, one of more than work's most_bytes and one that unpacks to what no text does
 * are IV_EIO.
 */
IV_MUST_CHECK int iv_bytes_load(iv_bytes *out, const char *path, const iv_work *work,
                                iv_err *err);

/* The same, as it is kept: what may be no text, and is not unpacked. */
IV_MUST_CHECK int iv_bytes_load_raw(iv_bytes *out, const char *path, const iv_work *work,
                                    iv_err *err);

/*
 * The same, for a reader that can tell by the beginning of a text that it is none of its
 * own: no more is read when `sound` says no to its first lines, which are the result then.
 */
IV_MUST_CHECK int iv_bytes_load_sound(iv_bytes *out, const char *path,
                                      bool (*sound)(const iv_bytes *first, const void *how),
                                      const void *how, const iv_work *work, iv_err *err);

/* An open file, which is closed; name stands in messages. */
IV_MUST_CHECK int iv_bytes_read(iv_bytes *out, int fd, const char *name, const iv_work *work,
                                iv_err *err);

/* A copy of len bytes, unpacked like a file's. */
IV_MUST_CHECK int iv_bytes_copy(iv_bytes *out, const char *name,
                                const void *bytes, size_t len, const iv_work *work,
                                iv_err *err);

/* What packed bytes unpack to. */
IV_MUST_CHECK int iv_bytes_unpack(iv_bytes *out, const char *name, iv_str packed,
                                  iv_packing packing, const iv_work *work, iv_err *err);

void iv_bytes_free(iv_bytes *b);

#endif
