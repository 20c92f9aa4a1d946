/* SPDX-License-Identifier: Apache-2.0 */
/* Says of a file what it is and what is wrong with it, for `check`. */
#ifndef IV_TREC_INSPECTION_H
#define IV_TREC_INSPECTION_H

#include "base/bytes.h"
#include "base/memory.h"
#include "intervale/trec/relevance_judgments.h"
#include "trec/problems.h"

/* Is a file a run of six fields a line, told by its first line?  IV_EIO where it cannot be
 * read, IV_EPARSE where it is damaged. */
IV_MUST_CHECK int iv_file_is_run(bool *out, const char *path, const iv_work *work,
                                        iv_err *err);

/* What a file is, and all that is wrong with it. */

typedef enum iv_file_kind {
    IV_FILE_UNKNOWN,
    IV_FILE_RUN,
    IV_FILE_JUDGMENTS,
    IV_FILE_MATRIX, /* a table of numbers, perhaps scores */
    IV_FILE_TABLE,  /* any other table with a header */
    IV_FILE_SCORES, /* scores in JSON, JSON lines or .eval: records are scores, topics items */
    IV_FILE_REFERENCES /* RIS, NBIB, a project of ASReview; `judge new` reads them */
} iv_file_kind;

/* What a file is and all that is wrong with it. */
typedef struct iv_inspector {
    iv_file_kind kind;
    const char *format;  /* such as "TREC run", "prels" */
    const char *packing; /* "plain", "gzip" or "zstd" */
    uint64_t bytes;      /* as kept */
    uint64_t lines;      /* not empty; a header or a comment counts */
    uint64_t records;    /* documents retrieved, judgments, rows */
    size_t topics;       /* columns, in a matrix or table */
    size_t documents;    /* different docnos over all topics */
    int32_t grade_min, grade_max; /* judgments; min > max: none */
    uint64_t relevant;   /* judgments with a grade above 0 */
    uint64_t unjudged;   /* judgments with a grade below 0 */
    uint64_t duplicates; /* lines that repeat a document of their topic */
    uint64_t ties;       /* retrieved documents that share score and topic with another */
    size_t tags;         /* different tags, in a run */
    const char *tag;     /* the first; NULL: none */
    bool score_order;    /* the lines of each topic are in rank order */
    iv_problems problems; /* by line */
    iv_bytes content;    /* topics point into it */
    iv_arena text;
    iv_str *topic_ids;   /* of a run or of judgments, in byte order; NULL otherwise */
    const char *columns_of; /* what a table may be by the names of its columns; NULL: nothing */
    const char *start;      /* what `eval --scores` needs beside a table; NULL: nothing */
    bool systems;           /* a table has a column of systems */
    iv_judgments_format judgments; /* what they were read as; any: no judgments, or none told */
} iv_inspector;

/*
 * Looks at a file as check does.  Bad content is no failure: it is what the
 * inspection reports; only IV_EIO and IV_ENOMEM are.  most: how many problems
 * are listed; the rest are counted.
 */
IV_MUST_CHECK int iv_inspect(iv_inspector **out, const char *path, iv_judgments_format format,
                             size_t most, const iv_work *work, iv_err *err);

/* Frees the inspector and what was borrowed from it. */
void iv_inspector_free(iv_inspector *i);

/* Adds a problem to those of a finished inspection, in the place of its line; false: out of
 * memory. */
IV_MUST_CHECK bool iv_inspector_add(iv_inspector *i, uint64_t line, iv_severity severity,
                                    const char *message);

/* Inspects bytes, which it takes over; chunk and thread rules as elsewhere. */
IV_MUST_CHECK int iv_inspect_bytes(iv_inspector **out, iv_bytes *bytes,
                                   iv_judgments_format format, size_t most,
                                   const iv_work *work, const char *name, iv_err *err);

#endif
