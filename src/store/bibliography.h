/* SPDX-License-Identifier: Apache-2.0 */
/*
 * References of a systematic review: RIS (Zotero, EndNote, Rayyan, Covidence, ASReview), NBIB
 * (PubMed) and CSV with a column title.  Records with one DOI, or one title, are duplicates.
 */
#ifndef IV_STORE_BIBLIOGRAPHY_H
#define IV_STORE_BIBLIOGRAPHY_H

#include "base/memory.h"

/* The topic of a session that is made from references. */
#define IV_BIBLIOGRAPHY_TOPIC "review"

typedef struct iv_bibliographic {
    iv_str id;         /* without blanks, each once */
    iv_str title, abstract, authors, year, doi;
    uint64_t line;     /* where it begins */
    int32_t label;     /* 1 included, 0 not; -1: it has none */
    bool duplicate;    /* of one before it */
} iv_bibliographic;

typedef struct iv_bibliography {
    iv_bibliographic *at;
    size_t count, capacity;
    size_t duplicates, skipped; /* skipped: without title and abstract */
    uint64_t skipped_line;      /* the first of them */
} iv_bibliography;

/* By the end of its name: .ris, .nbib or .csv, which may be packed. */
bool iv_bibliography_is(const char *path);

/* Reads it into *out, which starts as {0}; texts are the arena's.  IV_EPARSE, with the line, for a
 * file without records. */
IV_MUST_CHECK int iv_bibliography_load(iv_bibliography *out, iv_arena *a, const char *path,
                                       const iv_work *work, iv_err *err);

#endif /* IV_STORE_BIBLIOGRAPHY_H */
