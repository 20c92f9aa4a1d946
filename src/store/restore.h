/* SPDX-License-Identifier: Apache-2.0 */
/* Duplicates of a session made from references: the list of them, and records that come back. */
#ifndef IV_STORE_RESTORE_H
#define IV_STORE_RESTORE_H

#include "base/memory.h"
#include "store/session.h"

/* A reference that is the same as one that stays, or resembles it. */
typedef struct iv_store_duplicate {
    const char *record, *title, *stays, *stays_title; /* of the arena; stays: an id */
    const char *reason; /* "same title and DOI" */
    const char *state;  /* "removed", "restored", or "kept": it only resembles the other */
} iv_store_duplicate;

/* All of them, those removed first; none of a session that is not of references, or is of version
 * 0.3 or before. */
IV_MUST_CHECK int iv_store_duplicates(const iv_store_duplicate **out, size_t *count, iv_arena *a,
                                      iv_store *s, iv_err *err);

/* Puts removed records, named with commas between, back into the session at `path`: they are
 * judged next.  IV_ENODATA: no such record was removed.  *out: how many. */
IV_MUST_CHECK int iv_store_restore_records(size_t *out, const char *path, const char *records,
                                           iv_err *err);

/* Restored references that nobody has judged: the control sample does not speak for them. */
IV_MUST_CHECK int iv_store_restored_open(size_t *out, iv_store *s, iv_err *err);

#endif
