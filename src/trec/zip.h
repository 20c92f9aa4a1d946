/* SPDX-License-Identifier: Apache-2.0 */
/* Reads zip archives. */
#ifndef IV_TREC_ZIP_H
#define IV_TREC_ZIP_H

#include "base/bytes.h"

typedef struct iv_zip_entry {
    iv_str name, packed; /* both borrowed from the archive */
    uint64_t size;       /* unpacked, by the directory */
    uint32_t crc;
    unsigned method;
} iv_zip_entry;

/* Is the file a zip archive?  False, too, when it cannot be read. */
bool iv_is_zip(const char *path);

/* The directory of an archive; *out is freed with free().  IV_EPARSE for a damaged one. */
IV_MUST_CHECK int iv_zip_entries(iv_zip_entry **out, size_t *count, const char *name, iv_str zip,
                                 iv_err *err);

/* Unpacks an entry as iv_bytes_unpack() does.  IV_EPARSE for other methods. */
IV_MUST_CHECK int iv_zip_unpack(iv_bytes *out, const char *name, const iv_zip_entry *e,
                                const iv_work *work, iv_err *err);

#endif
