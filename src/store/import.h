/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IV_STORE_IMPORT_H
#define IV_STORE_IMPORT_H

#include "store/store.h"

typedef struct iv_imported {
    size_t found, stored, others; /* judgments of the session's documents; of those, new ones;
                                     judgments of other documents, which are left out */
} iv_imported;

/*
 * Judgments of a file as the words of an assessor (NULL: the owner), in one transaction; what was
 * imported before, the same, is not stored again.  IV_ENODATA when no document is the session's, IV_EPARSE for a
 * grade that the session does not have.
 */
IV_MUST_CHECK int iv_store_import(iv_imported *out, iv_store *s, const char *path,
                                  const char *assessor, const iv_work *work, iv_err *err);

#endif /* IV_STORE_IMPORT_H */
