/* SPDX-License-Identifier: Apache-2.0 */
/*
 * References of a review, read from RIS, CSV, PubMed and databases.
 *
 * References of a systematic review: RIS (Zotero, EndNote, Rayyan, Covidence, ASReview), NBIB
 * (PubMed), BibTeX, XML of EndNote, CSV with a column title, and projects of ASReview.  Each
 * record becomes lines of RIS, from which its fields are read.  Of records that are
 * the same, one stays.
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
    int32_t label;     /* 1 included, 0 not; -1: it has none; -2: Rayyan's reviewers disagree */
    iv_str votes;      /* of Rayyan: {"Jo"=>"Included", "Al"=>"Maybe"}; empty: none */
    size_t of;         /* the record that it is the same as, or resembles, + 1; 0: none */
    const char *why;   /* "same title and DOI" */
    bool duplicate;    /* the same: it is removed */
} iv_bibliographic;

typedef struct iv_bibliography {
    iv_bibliographic *at;
    size_t count, capacity;
    size_t duplicates, skipped; /* skipped: without title and abstract, or outside of a record */
    size_t alike;               /* records that resemble another, and stay */
    size_t labelled, renamed;   /* renamed: another record has the id */
    bool labels;                /* given: ids with labels suffice, as for an import */
    char skipped_at[400];       /* the first of them: "refs.ris:12, refs.ris:40" */
} iv_bibliography;

/* By the end of its name (.ris, .nbib, .csv, .asreview, .bib; packed too) or its first lines. */
bool iv_bibliography_is(const char *path);

/* Reads files into *out, which starts as {0}; texts are the arena's.  IV_EPARSE, with the line,
 * for a file without records. */
IV_MUST_CHECK int iv_bibliography_load(iv_bibliography *out, iv_arena *a, const iv_texts *files,
                                       const iv_work *work, iv_err *err);

/* The fields of a record from its lines of RIS; without a label. */
iv_bibliographic iv_bibliographic_of(iv_arena *a, iv_str source);

/* Is it one of words that are separated by blanks, in any case? */
bool iv_is_one_of(iv_str word, const char *words);

/* "TI  - A title", "PMID- 1"; false: the line goes on with the field before. */
bool iv_reference_line(iv_str *tag, iv_str *value, iv_str line);

/* All values of some tags ("TI T1") in lines of RIS, joined by "; "; with first: the first one. */
iv_str iv_reference_field(iv_arena *a, iv_str source, const char *tags, bool first);

/* A title or an abstract as people read it: without tags of markup, entities decoded. */
iv_str iv_reference_text(iv_arena *a, iv_str text);

/* What equal titles have in common: letters and digits in lower case, without accents; or
 * equal DOIs, empty for what is none ("NA"). */
iv_str iv_reference_key(iv_arena *a, iv_str text, bool doi);

/* Marks each record that is the same as another, and each that resembles one. */
IV_MUST_CHECK int iv_bibliography_compare(iv_bibliography *b, iv_arena *a, iv_err *err);

#endif
