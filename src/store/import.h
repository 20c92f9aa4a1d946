/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IV_STORE_IMPORT_H
#define IV_STORE_IMPORT_H

#include "store/store.h"

typedef struct iv_imported {
    size_t found, stored, others; /* judgments of the session's documents; of those, new ones;
                                     judgments of other documents, which are excluded */
    size_t changed;               /* of those found: another grade counted before */
    size_t again;                 /* labels of a document that the file had labelled before */
} iv_imported;

/*
 * Judgments of a file as the words of an assessor (NULL: the owner), in one transaction; what was
 * imported before, the same, is not stored again.  IV_ENODATA when no document is the session's,
 * IV_EPARSE for a grade that the session does not have.
 */
IV_MUST_CHECK int iv_store_import(iv_imported *out, iv_store *s, const char *path,
                                  const char *assessor, const iv_work *work, iv_err *err);

/*
 * Puts what is left to judge into the order of a ranking: documents by name, the best first; those
 * that it does not name stay behind, in their order.  *placed: how many open ones it names, of
 * *named.  A
 * file is a list, a run, or references such as a project of ASReview.  IV_EARG: the session is
 * judged in a random order; IV_ENODATA: none of the documents is left.
 */
IV_MUST_CHECK int iv_store_rank(size_t *placed, iv_store *s, const iv_str *names, size_t count,
                                iv_err *err);
IV_MUST_CHECK int iv_store_rank_file(size_t *placed, size_t *named, iv_store *s,
                                     const char *path, const iv_work *work, iv_err *err);

/* The documents of the session that a file of references names, in its order; of the arena. */
IV_MUST_CHECK int iv_store_find_references(const iv_str **out, size_t *count, iv_arena *a,
                                           iv_store *s, const char *path, const iv_work *work,
                                           iv_err *err);

#endif /* IV_STORE_IMPORT_H */
