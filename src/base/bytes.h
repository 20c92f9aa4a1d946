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
 * Reads path ("-": standard input), of a pipe no more than to the first NUL byte, which no
 * text has, or to what unpacking it refuses (base/unpack.h).  Damaged compressed data are IV_EPARSE
 * at the line where they break off; what the system refuses, a file that becomes shorter
 * while it is read and one of more than work's most_bytes are IV_EIO.
 */
IV_MUST_CHECK int iv_bytes_load(iv_bytes *out, const char *path, const iv_work *work,
                                iv_err *err);

/* The same, as it is kept: what may be no text, and is not unpacked. */
IV_MUST_CHECK int iv_bytes_load_raw(iv_bytes *out, const char *path, const iv_work *work,
                                    iv_err *err);

/*
 * The same, but no more than the first `enough` bytes, unpacked, and nothing behind them
 * is looked at; 0: all.
 */
IV_MUST_CHECK int iv_bytes_load_part(iv_bytes *out, const char *path, uint64_t enough,
                                     const iv_work *work, iv_err *err);

/*
 * The same, for a reader that can tell by the beginning of a text that it is none of its
 * own: no more of a pipe or a large file is read, or unpacked of a file that unpacks to many times
 * its size, when `sound` says no to its first lines, which are the result then.
 */
IV_MUST_CHECK int iv_bytes_load_sound(iv_bytes *out, const char *path,
                                      bool (*sound)(const iv_bytes *first, const void *how),
                                      const void *how, const iv_work *work, iv_err *err);

/* len bytes of a file that has `all`, from a place on; IV_EIO when they are not there. */
IV_MUST_CHECK int iv_read_at(char *out, int fd, uint64_t from, size_t len, uint64_t all,
                             const char *name, iv_err *err);

/* Opens a file, or a pipe as soon as somebody writes to it; asks the work when a signal comes. */
IV_MUST_CHECK int iv_open_file(int *fd, const char *path, const iv_work *work, iv_err *err);

/* What comes next of an open file, at most `room` bytes, and none at its end.  Asks the work
 * while nothing comes. */
IV_MUST_CHECK int iv_read_some(size_t *got, char *out, size_t room, int fd, const char *name,
                               const iv_work *work, iv_err *err);

/* An open file, as it is kept. */
IV_MUST_CHECK int iv_bytes_read(iv_bytes *out, int fd, const char *name, const iv_work *work,
                                iv_err *err);

/* How an open file is packed. */
iv_packing iv_packing_at(int fd);

/* A copy of len bytes, unpacked like a file's; name stands in messages. */
IV_MUST_CHECK int iv_bytes_copy(iv_bytes *out, const char *name,
                                const void *bytes, size_t len, const iv_work *work,
                                iv_err *err);

void iv_bytes_free(iv_bytes *b);

/* The digest of bytes that come one after another. */
typedef struct iv_sha256_state {
    uint32_t h[8];
    uint64_t len;
    unsigned char held[64]; /* less than a block */
} iv_sha256_state;
void iv_sha256_begin(iv_sha256_state *s);
void iv_sha256_add(iv_sha256_state *s, const void *bytes, size_t len);
const char *iv_sha256_end(char out[IV_SHA256_SIZE], const iv_sha256_state *s);

/* Adds a file's digest to the list, unless it is there; from any thread. */
IV_MUST_CHECK int iv_digests_put(iv_digests *d, const char *path, const char *sha256, iv_err *err);

/* Adds a file's bytes to the list, unless it is there; from any thread.  d may be NULL. */
IV_MUST_CHECK int iv_digests_add(iv_digests *d, const char *path, const void *bytes, size_t len,
                                 iv_err *err);

#endif /* IV_BASE_BYTES_H */
