/* SPDX-License-Identifier: Apache-2.0 */
/* A file or a pipe, read once from beginning to end through a buffer. */
#ifndef IV_BASE_READER_H
#define IV_BASE_READER_H

#include "base/digest.h"
#include "base/packing.h"

typedef struct iv_reader {
    const char *name;
    int fd;              /* -1: memory is read */
    const iv_work *work; /* asked while nothing comes */
    bool regular;        /* it can be read again */
    uint64_t stored;     /* bytes of a regular file or of memory, or read so far */
    uint64_t read;       /* bytes of it that were read */
    iv_packing packing;
    void *unpacker;      /* NULL: it is read as it is kept */
    bool between;        /* members or frames: the data could end here */
    size_t wanted;       /* bytes that the unpacker asks for next */
    iv_str raw;          /* bytes as they are kept, read and not yet used ... */
    char *room;          /* ... and where they are */
    bool raw_ended;
    uint64_t made;       /* bytes that came into the buffer */
    uint64_t lines;      /* that were taken; who takes them counts */
    char *buffer;
    size_t capacity, begin, end; /* what is in the buffer and not yet taken */
    size_t whole;        /* the end of its last whole line, after iv_reader_fill() */
    bool begun;          /* a byte-order mark was skipped, or cannot come any more */
    bool ended;          /* nothing comes behind the buffer */
    iv_sha256_state *digest; /* of what was read; NULL: nobody asks */
} iv_reader;

/* Opens a file, or a pipe as soon as somebody writes to it; asks the work when a signal comes. */
IV_MUST_CHECK int iv_open_file(int *fd, const char *path, const iv_work *work, iv_err *err);

/*
 * Opens path ("-": standard input), or takes an open file over that stands for it (-1: none).
 * RAW: nothing is unpacked; DIGEST: with a digest of what is read, if the work keeps any.  IV_EIO,
 * also for more bytes than the work allows; IV_EPARSE for a packing that is not read.  *in starts
 * as zeros, and is closed in any case; the work must live as long.
 */
enum { IV_READ_RAW = 1, IV_READ_DIGEST = 2 };
IV_MUST_CHECK int iv_reader_open(iv_reader *in, const char *path, int fd, unsigned how,
                                const iv_work *work, iv_err *err);

/* The same for packed bytes in memory. */
void iv_reader_close(iv_reader *in);

/* Back to the beginning of a regular file. */
IV_MUST_CHECK int iv_reader_rewind(iv_reader *in, iv_err *err);

/*
 * What comes next into the buffer, which has room for `capacity` bytes then: in->ended when
 * nothing does.  IV_EIO, also for a file that became shorter meanwhile or has more bytes than the
 * work allows; IV_EPARSE, at the line, for packed data that are damaged or end early.
 */
IV_MUST_CHECK int iv_reader_some(iv_reader *in, size_t capacity, iv_err *err);

/*
 * Fills the buffer, which has room for `capacity` bytes from now on, if half of it is free or
 * it holds no whole line; skips a byte-order mark.  IV_EPARSE for a line that does not fit into
 * `most` bytes.
 */
IV_MUST_CHECK int iv_reader_fill(iv_reader *in, size_t capacity, size_t most, iv_err *err);

/* The whole lines in the buffer, all lines at the end of the file. */
static inline iv_str iv_reader_text(const iv_reader *in)
{
    return (iv_str){ in->buffer + in->begin, in->whole - in->begin };
}

/* Lets go of so many bytes. */
static inline void iv_reader_take(iv_reader *in, size_t bytes)
{
    in->begin += bytes;
}

/* Puts the digest of what was read on the work's list, if there is one. */
IV_MUST_CHECK int iv_reader_digested(const iv_reader *in, iv_err *err);

#endif
