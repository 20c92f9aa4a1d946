/* SPDX-License-Identifier: Apache-2.0 */
/* The SHA-256 of files, so that a report names the very bytes it is about; a part of
 * base.h. */
#ifndef INTERVALE_BASE_DIGESTS_H
#define INTERVALE_BASE_DIGESTS_H

#include "intervale/base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IV_SHA256_SIZE = 65 };

/* The SHA-256 (FIPS 180-4) of len bytes in hexadecimal, terminated.  Returns out.  Takes
 * time linear in len; allocates nothing. */
IV_API const char *iv_sha256(char out[IV_SHA256_SIZE], const void *bytes, size_t len);

/*
 * A list of files and their SHA-256, to be filled by those who read them: see iv_work.
 * A file is named as it was asked for, and its bytes are those it is kept with, packed
 * or not.  IV_ENOMEM is the only failure.
 */
IV_API IV_MUST_CHECK int iv_digests_new(iv_digests **out, iv_err *err);
IV_API void iv_digests_free(iv_digests *d);

/* The SHA-256 of the file of that name, borrowed; NULL when it was not read. */
IV_API const char *iv_digests_find(const iv_digests *d, const char *path);

/* Gives the inputs of a result that are on the list their SHA-256. */
IV_API void iv_result_digests(iv_result *r, const iv_digests *d);

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_BASE_DIGESTS_H */
