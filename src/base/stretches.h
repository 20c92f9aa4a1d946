/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines of a file, handed out in stretches that are read, or unpacked, when their turn
 * comes and are gone afterwards: for readers that keep less than the whole text.
 */
#ifndef IV_BASE_STRETCHES_H
#define IV_BASE_STRETCHES_H

#include "base/bytes.h"

enum { IV_NOT_TAKEN = 1 };

typedef struct iv_stretches {
    /* The text's first bytes, some whole lines, before anything else; by one thread. */
    int (*begin)(void *user, iv_str head, iv_err *err);
    /* There will be this many stretches, perhaps more later; called by one thread. */
    int (*room)(void *user, size_t count, iv_err *err);
    /* The lines of stretch i, perhaps none; by any thread, in any order.  IV_OK, an error,
     * or IV_NOT_TAKEN: no more. */
    int (*take)(void *user, size_t i, iv_str lines, iv_err *err);
    void *user;
    uint64_t stored;    /* of the file, once it is open */
    iv_packing packing;
    iv_str window;      /* of which stretches are handed out, from `first` on */
    size_t first;
} iv_stretches;

/*
 * Hands out a file.  IV_NOT_TAKEN when take() says so; when the file cannot be read twice
 * (a pipe, standard input), or is empty; when a line is too long; and for
 * everything that iv_bytes_load() tells better.
 */
IV_MUST_CHECK int iv_stretches_of(iv_stretches *s, const char *path, const iv_work *work,
                                  iv_err *err);

#endif /* IV_BASE_STRETCHES_H */
