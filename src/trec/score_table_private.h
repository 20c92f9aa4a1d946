/* SPDX-License-Identifier: Apache-2.0 */
/* The one table of scores: systems x measures x items, with what belongs to each. */
#ifndef IV_TREC_SCORE_TABLE_PRIVATE_H
#define IV_TREC_SCORE_TABLE_PRIVATE_H

#include "base/memory.h"
#include "intervale/trec.h"

/* A score, by numbers of names, and where it stands. */
typedef struct iv_one_score {
    uint32_t measure, system, item, repeat, file;
    double score;
    uint64_t line;
} iv_one_score;

/* Read only. */
typedef struct iv_score_table {
    const char *const *systems, *const *measures, *const *repeats, *const *clusters,
        *const *suites; /* as they first come */
    const iv_str *items; /* with suites "suite/item" */
    size_t system_count, measure_count, item_count;
    size_t repeat_count;  /* names of repeats; 0: there is no such column */
    size_t cluster_count; /* 0: no such column; items without one are one each */
    size_t suite_count;   /* 0: no such column */
    const uint32_t *cluster, *suite; /* by item; NULL: none */
    const double *weight;            /* by item; NULL: none */
    const iv_one_score *scores;      /* by measure, system, item, repeat, each once */
    size_t count;
    iv_texts files;             /* that were read, with those of folders */
    const uint64_t *file_bytes; /* by file, as they are kept */
    bool wide;           /* a file had a column for each system or item: runs and topics */
    bool binary;         /* a column was declared so */
    const char *columns; /* "system = model, item = doc_id"; "" if all are named like their roles */
    size_t empty;        /* records without a score, left out ... */
    const char *first_empty; /* ... the first of them, FILE:LINE: whose; "" */
    iv_arena own;
} iv_score_table;

/* Their names in that order, ending with NULL. */
const char *const *iv_score_role_names(void);

/*
 * Reads the files, or takes the arrays.  IV_EPARSE with file and line for what cannot be
 * read, a score that is no finite number, the same score twice, an item that is in two
 * clusters or sets or has two weights; IV_EARG for columns that are no role=name or for arrays
 * of unequal length; IV_ENODATA when there is no score.  *out is the caller's:
 * iv_score_table_free().
 */
IV_MUST_CHECK int iv_score_table_load(iv_score_table **out, const iv_score_source *source,
                                        const iv_work *work, iv_err *err);

/* One file's bytes, plain or packed; name stands in messages and gives the system. */
IV_MUST_CHECK int iv_score_table_parse(iv_score_table **out, const char *name, const void *text,
                                       size_t len, const iv_texts *columns, iv_score_rows rows,
                                       iv_err *err);

/* NULL: nothing to free; void, so that an arena can own a table. */
void iv_score_table_free(void *table);

/* The means over repeats of a measure, out[system * items + item]; NaN where there is none.
 * Returns the most scores that one system has on one item. */
size_t iv_score_values(double *out, const iv_score_table *t, size_t measure);

#endif /* IV_TREC_SCORE_TABLE_PRIVATE_H */
