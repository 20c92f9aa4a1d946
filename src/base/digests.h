/* SPDX-License-Identifier: Apache-2.0 */
/* Filling the list of digests, by those who read files. */
#ifndef IV_BASE_DIGESTS_H
#define IV_BASE_DIGESTS_H

#include "intervale/base.h"

/* Adds a file's bytes, unless it is there; from any thread.  d may be NULL. */
IV_MUST_CHECK int iv_digests_add(iv_digests *d, const char *path, const void *bytes, size_t len,
                                 iv_err *err);

#endif /* IV_BASE_DIGESTS_H */
