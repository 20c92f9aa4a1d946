/* SPDX-License-Identifier: Apache-2.0 */
/* A list of documents, perhaps in families: an e-mail with its attachments. */
#ifndef IV_TREC_FAMILIES_H
#define IV_TREC_FAMILIES_H

#include "base/memory.h"
#include "intervale/trec.h"
#include "intervale/base.h"

typedef struct iv_family_list {
    size_t count, families;
    const iv_str *document;
    const size_t *family;  /* by document, from 0; without families each is its own */
    const bool *retrieved; /* by document; NULL: the list has no segments */
    bool clustered;        /* families are given */
} iv_family_list;

/* Reads lines "DOCUMENT [FAMILY]", or a table with a column document (or docno, id), and perhaps
 * family and segment (retrieved, unretrieved); in the arena.  IV_EPARSE, with the line: a document
 * twice, a family that misses, another segment. */
IV_MUST_CHECK int iv_family_list_load(iv_family_list *out, iv_arena *a, const char *path,
                                      const iv_work *work, iv_err *err);

#endif
