/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts of documents and topics, from the files that collections come in: BEIR's JSONL, TREC's
 * SGML and trecweb, tab-separated lines, a folder of texts; plain, gzip or zstd.  Only what is
 * wanted is looked at closely: ids are found by searching for bytes.
 */
#ifndef IV_STORE_DOCUMENTS_H
#define IV_STORE_DOCUMENTS_H

#include <sqlite3.h>

#include "base/ids.h"
#include "base/memory.h"
#include "intervale/base.h"

/* What is wanted, and what was found of it. */
typedef struct iv_wanted {
    iv_ids ids;            /* docnos, or names of topics; added by the caller */
    bool topics;           /* the files are of topics */
    /* Called once for each, in any order; texts are UTF-8 and borrowed for the call. */
    int (*put)(void *user, uint32_t id, iv_str title, iv_str text, iv_err *err);
    void *user;
    uint64_t *line;        /* where each was found, from 1 (a folder's: 1); 0: not yet */
    const char **file;
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

/* ----------------------------------------------------------- the parts -- */

typedef enum iv_document_form { IV_FORM_JSON, IV_FORM_TAGS, IV_FORM_TABS } iv_document_form;

/* A file being read, window after window. */
typedef struct iv_document_file {
    iv_wanted *w;
    const char *path;
    const iv_work *work;
    uint64_t line;       /* of the byte that comes next */
    iv_document_form form;
    bool begun;
    char key[16];        /* JSON: the name of the id, in quotes */
    char open[16], close[16], id_tag[16]; /* of records in tags */
    sqlite3 *memory;     /* its JSON functions are used */
    sqlite3_stmt *valid, *parts;
    char *buffer;
} iv_document_file;

/* Takes whole records from the beginning of the text; *used says how much. */
int iv_take_lines(iv_document_file *f, size_t *used, iv_str text, bool last,
                  int (*take_line)(iv_document_file *f, iv_str line, iv_err *err), iv_err *err);
int iv_take_tags(iv_document_file *f, size_t *used, iv_str text, bool last, iv_err *err);

/* A record that is a line. */
int iv_take_json_line(iv_document_file *f, iv_str line, iv_err *err);

/* A wanted record was found on a line: hands it over, unless it was there before. */
IV_MUST_CHECK int iv_document_found(iv_document_file *f, uint32_t id, uint64_t line, iv_str title,
                                    iv_str text, iv_err *err);

/* The wanted one of that name, or IV_NO_ID. */
uint32_t iv_document_wanted(const iv_document_file *f, iv_str name);

/* Reads the texts of a folder. */
IV_MUST_CHECK int iv_folder_read(iv_wanted *w, const char *path, const iv_work *work, iv_err *err);

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
