/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/base/digests.h beside what programs do. */
#ifndef IV_BASE_DIGESTS_PRIVATE_H
#define IV_BASE_DIGESTS_PRIVATE_H

#include "intervale/base/digests.h"

/* The SHA-256 (FIPS 180-4) of len bytes in hexadecimal, terminated.  Returns out.  Takes
 * time linear in len; allocates nothing. */
const char *iv_sha256(char out[IV_SHA256_SIZE], const void *bytes, size_t len);

/* The SHA-256 of the file of that name, borrowed; NULL when it was not read. */
const char *iv_digests_find(const iv_digests *d, const char *path);

#endif /* IV_BASE_DIGESTS_PRIVATE_H */
