/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts of the documents that a session needs, read from large files.
 *
 * Texts of documents and topics, from the files that collections come in: BEIR's JSONL, TREC's
 * SGML and trecweb, tab-separated lines, a folder of texts; plain, gzip or zstd.  Only what is
 * wanted is looked at closely: ids are found by searching for bytes.
 */
#ifndef IV_STORE_DOCUMENTS_H
#define IV_STORE_DOCUMENTS_H

#include "base/ids.h"
#include "store/bibliography.h"

/* What is wanted, and what was found of it. */
typedef struct iv_wanted {
    iv_ids ids;            /* docnos, or names of topics; added by the caller */
    bool topics;           /* the files are of topics */
    /* Called once for each, in any order; texts are UTF-8 and borrowed for the call. */
    int (*put)(void *user, uint32_t id, iv_str title, iv_str text, iv_str source, iv_err *err);
    void *user;
    uint64_t *line;        /* where each was found, from 1 (a folder's: 1); 0: not yet */
    const char **file;
    iv_str source;         /* of a reference: its lines of RIS */
    size_t left;           /* not found yet */
} iv_wanted;

/* Makes room for the marks of all ids. */
IV_MUST_CHECK int iv_wanted_begin(iv_wanted *w, iv_err *err);
void iv_wanted_free(iv_wanted *w);

/*
 * Reads a file or, of documents, a folder whose files are texts by their names.  IV_EPARSE,
 * with file and line, for what is not such a file and for a wanted id that stands twice.
 */
IV_MUST_CHECK int iv_documents_read(iv_wanted *w, const char *path, const iv_work *work,
                                    iv_err *err);

/* The wanted ones of references that were read from `path`. */
IV_MUST_CHECK int iv_references_read(iv_wanted *w, const iv_bibliography *b, const char *path,
                                     iv_err *err);

#endif
