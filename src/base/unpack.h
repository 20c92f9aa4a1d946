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

enum { IV_LONGEST_LINE = 1 << 24 };

/* Says that the file needs more window memory than there is. */
int iv_unpack_window(const char *name, iv_err *err);

/* Errors: another packing; one that the build lacks; data that are damaged, or end early, at a
 * line; a text that ends with a line too long. */
int iv_unpack_other(const char *name, const char *packing, iv_err *err);
int iv_unpack_not_built(const char *name, iv_packing packing, iv_err *err);
int iv_unpack_flaw(const char *name, uint64_t line, iv_packing packing, bool damaged, iv_err *err);
int iv_unpack_long_line(const char *name, iv_str text, iv_err *err);

/*
 * Who takes a text in windows of up to `bytes`: as much of one as *used says, with the rest
 * at the beginning of the next.  The text is gone when take() returns.
 */
enum { IV_NOT_TAKEN = 1 };
typedef struct iv_taker {
    size_t bytes;
    /* IV_OK, an error, or IV_NOT_TAKEN: no more of it. */
    int (*take)(void *user, size_t *used, iv_str text, bool last, iv_err *err);
    void *user;
} iv_taker;

/*
 * Unpacks len bytes, all members or frames one after another, into *out of
 * *out_len bytes, to be freed with free().  Data that end early or are damaged
 * are IV_EPARSE, named at the line where they break off.  Stops behind the first NUL
 * byte, which no reader of text accepts, at `enough` bytes (0: no end) and, with IV_EIO,
 * at more bytes than the work allows or when the build has no such unpacker.  Asks
 * work's progress.
 */
IV_MUST_CHECK int iv_unpack(char **out, size_t *out_len, const char *name,
                            const char *ptr, size_t len, iv_packing packing,
                            uint64_t enough, const iv_work *work, iv_err *err);

/*
 * The first `enough` bytes of what the beginning of packed data unpacks to, or less if it does
 * not reach so far, to be freed with free() in any case.  False when iv_unpack() of more would
 * stop there, too: damaged data, a NUL byte, a line too long.
 */
IV_MUST_CHECK bool iv_unpack_head(char **out, size_t *out_len, iv_str packed, iv_packing packing,
                                  uint64_t enough);

/*
 * The same in windows.  IV_NOT_TAKEN when the taker said so, or for anything else that
 * iv_unpack() tells better.
 */
IV_MUST_CHECK int iv_unpack_windows(const iv_taker *taker, const char *ptr, size_t len,
                                    iv_packing packing, uint64_t most, iv_err *err);

#endif /* IV_BASE_UNPACK_H */
