/* SPDX-License-Identifier: Apache-2.0 */
/* Packed data that come in pieces, unpacked into room that comes in pieces. */
#ifndef IV_BASE_UNPACKER_H
#define IV_BASE_UNPACKER_H

#include "base/unpack.h"

typedef struct iv_unpacker iv_unpacker;

typedef enum iv_unpacked {
    IV_UNPACKED,            /* as far as data and room went */
    IV_UNPACKED_DAMAGED,    /* what was made before is good */
    IV_UNPACKED_NO_MEMORY,
    IV_UNPACKED_WINDOW,     /* zstd needs a larger window than it has by default, 128 MB */
    IV_UNPACKED_NOT_BUILT   /* the build has no such unpacker */
} iv_unpacked;

/* For gzip or zstd, all members or frames one after another. */
IV_MUST_CHECK iv_unpacked iv_unpacker_new(iv_unpacker **out, iv_packing packing);
void iv_unpacker_free(iv_unpacker *u);

/*
 * Unpacks data, which move behind what was read, into at most `room` bytes, *made of them.
 * No data and nothing made: all was made that could be.
 */
IV_MUST_CHECK iv_unpacked iv_unpacker_step(iv_unpacker *u, iv_str *data, char *out, size_t room,
                                           size_t *made);

/* Could the data end here? */
bool iv_unpacker_whole(const iv_unpacker *u);

#endif /* IV_BASE_UNPACKER_H */
