/* SPDX-License-Identifier: Apache-2.0 */
/*
 * References of a systematic review: RIS (Zotero, EndNote, Rayyan, Covidence, ASReview), NBIB
 * (PubMed), CSV with a column title, and projects of ASReview.  Each record becomes lines of RIS,
 * from which its fields are read.  Records with one DOI, or one title, are duplicates.
 */
#ifndef IV_STORE_BIBLIOGRAPHY_H
#define IV_STORE_BIBLIOGRAPHY_H

#include "base/memory.h"

/* The topic of a session that is made from references. */
#define IV_BIBLIOGRAPHY_TOPIC "review"

typedef struct iv_bibliographic {
    iv_str source;     /* "TI  - A title\n...": all fields but labels and the end */
    iv_str id;         /* without blanks, each once */
    iv_str title, abstract, authors, year, doi;
    uint64_t line;     /* where it begins */
    int32_t label;     /* 1 included, 0 not; -1: it has none */
    bool duplicate;    /* of one before it */
} iv_bibliographic;

typedef struct iv_bibliography {
    iv_bibliographic *at;
    size_t count, capacity;
    size_t duplicates, skipped; /* skipped: without title and abstract, or outside of a record */
    bool labels;                /* given: ids with labels suffice, as for an import */
    char skipped_at[400];       /* the first of them: "refs.ris:12, refs.ris:40" */
} iv_bibliography;

/* By the end of its name (.ris, .nbib, .csv, .asreview; packed too) or its first bytes. */
bool iv_bibliography_is(const char *path);

/* Reads files into *out, which starts as {0}; texts are the arena's.  IV_EPARSE, with the line,
 * for a file without records. */
IV_MUST_CHECK int iv_bibliography_load(iv_bibliography *out, iv_arena *a, const iv_texts *files,
                                       const iv_work *work, iv_err *err);

/* All values of some tags ("TI T1") in lines of RIS, joined by "; "; with first: the first one. */
iv_str iv_reference_field(iv_arena *a, iv_str source, const char *tags, bool first);

/* What equal titles, or equal DOIs, have in common: letters and digits in lower case. */
iv_str iv_reference_key(iv_arena *a, iv_str text, bool doi);

#endif /* IV_STORE_BIBLIOGRAPHY_H */
