/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 of bytes, and the digests of files that were read. */
#ifndef IV_BASE_DIGEST_H
#define IV_BASE_DIGEST_H

#include "intervale/base.h"

/* The SHA-256 (FIPS 180-4) of len bytes in hexadecimal, terminated.  Returns out.  Takes
 * time linear in len; allocates nothing. */
const char *iv_sha256(char out[IV_SHA256_SIZE], const void *bytes, size_t len);

/* The SHA-256 of the file of that name, borrowed; NULL when it was not read. */
const char *iv_digests_find(const iv_digests *d, const char *path);

/* All of them, in the order in which they were read; returns how many.  Borrowed. */
size_t iv_digests_all(const iv_input **out, const iv_digests *d);

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

#endif
