/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts of documents and topics, from the files that collections come in: BEIR's JSONL, TREC's
 * SGML and trecweb, tab-separated lines, a folder of texts; plain, gzip or zstd.  Only what is
 * wanted is looked at closely: ids are found by searching for bytes.
 */
#ifndef IV_STORE_DOCUMENTS_H
#define IV_STORE_DOCUMENTS_H

#include "base/ids.h"
#include "base/memory.h"
#include "intervale/base.h"
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

/* ------------------------------------------------------------ plain text -- */

/* UTF-8 without NUL, line ends of LF: what is no UTF-8 is taken for Latin 1. */
IV_MUST_CHECK int iv_plain_utf8(iv_str *out, iv_arena *a, iv_str text, iv_err *err);

/* Without tags and with entities decoded; scripts, styles and comments are left out. */
IV_MUST_CHECK int iv_plain_text(iv_str *out, iv_arena *a, iv_str tagged, iv_err *err);

/* Blanks and line ends become one blank, none at the ends; in place. */
iv_str iv_one_line(char *text, size_t len);

/* The place of a tag such as "<title", whatever its case; NULL: none. */
const char *iv_find_tag(iv_str text, const char *tag);

#endif /* IV_STORE_DOCUMENTS_H */
