/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file sorted by topic, read from its beginning to its end through a buffer: what was
 * taken is gone.  A file or a pipe, unpacked on the way when it is gzip or zstd, and read
 * without a byte-order mark.
 */
#ifndef IV_TREC_SORTED_FILE_H
#define IV_TREC_SORTED_FILE_H

#include "base/bytes.h"
#include "base/unpacker.h"
#include "trec/topic_order.h"

typedef struct iv_sorted_file {
    const char *name;
    int fd;
    const iv_work *work; /* asked while nothing comes */
    bool regular;      /* it can be read again */
    uint64_t stored;   /* bytes of a regular file, or read so far */
    uint64_t read;     /* bytes of it that were read */
    iv_packing packing;
    iv_unpacker *unpacker; /* NULL: plain text */
    char *raw;         /* bytes as they are kept: the first ones, and all of a packed file's */
    size_t raw_at, raw_len;
    bool raw_ended;
    uint64_t lines;    /* that were taken */
    char *buffer;
    size_t capacity, begin, end; /* what is in the buffer and not yet taken */
    size_t whole;      /* the end of its last whole line */
    bool begun;        /* a byte-order mark was skipped, or cannot come any more */
    bool ended;        /* nothing comes behind the buffer */
    iv_sha256_state *digest; /* of what was read; NULL: nobody asks */
} iv_sorted_file;

/*
 * Opens path ("-": standard input), or takes an open file over that stands for it (-1: none).
 * digested: with a digest of what is read.  IV_EIO; IV_EPARSE for a packing that is not read.
 * *f starts as zeros, and is closed in any case; the work must live as long.
 */
IV_MUST_CHECK int iv_sorted_open(iv_sorted_file *f, const char *path, int fd, bool digested,
                                 const iv_work *work, iv_err *err);
void iv_sorted_close(iv_sorted_file *f);

/* Back to the beginning of a regular file. */
IV_MUST_CHECK int iv_sorted_rewind(iv_sorted_file *f, iv_err *err);

/*
 * Fills the buffer, which has room for `capacity` bytes from now on, if half of it is free or
 * it holds no whole line.  IV_EIO; IV_EPARSE for a line that does not fit into `most` bytes, and
 * for packed data that are damaged or end early.
 */
IV_MUST_CHECK int iv_sorted_fill(iv_sorted_file *f, size_t capacity, size_t most, iv_err *err);

/* The whole lines in the buffer, all lines at the end of the file. */
static inline iv_str iv_sorted_text(const iv_sorted_file *f)
{
    return (iv_str){ f->buffer + f->begin, f->whole - f->begin };
}

/* IV_EPARSE at the line of the first NUL byte in the buffer, as the readers tell it. */
IV_MUST_CHECK int iv_sorted_is_text(const iv_sorted_file *f, iv_err *err);

/* The topic of the first, or the last, line that has one; empty: there is none. */
iv_str iv_first_topic(iv_str lines);
iv_str iv_last_topic(iv_str lines);

/* The end of the lines whose topic comes before this one: lines are whole, and sorted. */
size_t iv_topics_before(iv_str lines, iv_topic_order order, iv_str topic);

/* Lets go of so many bytes of the text. */
void iv_sorted_take(iv_sorted_file *f, size_t bytes);

#endif /* IV_TREC_SORTED_FILE_H */
