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

/*
 * A list of files and their SHA-256, to be filled by those who read them: see iv_work.
 * A file is named as it was asked for, and its bytes are those it is kept with, packed
 * or not.  IV_ENOMEM is the only failure.
 */
IV_API IV_MUST_CHECK int iv_digests_new(iv_digests **out, iv_err *err);
IV_API void iv_digests_free(iv_digests *d);

/* Gives the inputs of a result that are on the list their SHA-256. */
IV_API void iv_result_digests(iv_result *r, const iv_digests *d);

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_BASE_DIGESTS_H */
