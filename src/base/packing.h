/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a file is packed: gzip, zstd, or not at all.
 *
 * A file or a pipe, read from its beginning to its end through a buffer: what was taken is
 * gone.  Unpacked on the way when it is gzip or zstd, which is told by content, never by name.
 */
#ifndef IV_BASE_PACKING_H
#define IV_BASE_PACKING_H

#include <stddef.h>

typedef enum iv_packing { IV_PLAIN, IV_GZIP, IV_ZSTD } iv_packing;

/* What the first bytes say. */
iv_packing iv_packing_of(const char *ptr, size_t len);

/* How an open file is packed. */
iv_packing iv_packing_at(int fd);

#endif
