/* SPDX-License-Identifier: Apache-2.0 */
/* Scores of systems on items, in one table, whatever file they come from. */
#ifndef IV_TREC_SCORE_TABLE_H
#define IV_TREC_SCORE_TABLE_H

#include <stdlib.h>

#include "base/memory.h"
#include "intervale/trec/score_sources.h"

/* A score, by numbers of names, and where it stands. */
typedef struct iv_one_score {
    uint32_t measure, system, item, repeat, file;
    uint32_t stratum, group; /* IV_NO_ID: none */
    double score;
    double human;     /* NaN: nobody looked */
    uint64_t line;
} iv_one_score;

/* Read only. */
typedef struct iv_score_table {
    const char *const *systems, *const *measures, *const *repeats, *const *clusters,
        *const *suites, *const *strata, *const *groups; /* as they first come */
    const char *const *plain; /* by system: its name without a date */
    const char *const *dates; /* by system, "": none; NULL: there are none at all */
    const iv_str *items; /* with suites "suite/item" */
    size_t system_count, measure_count, item_count;
    size_t repeat_count;  /* names of repeats; 0: there is no such column */
    size_t cluster_count; /* 0: no such column; items without one are one each */
    size_t suite_count;   /* 0: no such column */
    size_t stratum_count; /* 0: no such column */
    size_t human_count;   /* scores with a human label */
    size_t human_alone;   /* human labels without a score, left out */
    size_t group_count;   /* 0: none was asked for */
    const uint32_t *cluster, *suite, *group; /* by item; NULL: none; group UINT32_MAX: empty */
    const iv_one_score *regrouped;   /* the first score whose item is in another group than before;
                                        NULL: an item has one group */
    const double *weight;            /* by item; NULL: none */
    const iv_one_score *scores;      /* by measure, system, item, repeat, each once */
    size_t count;
    iv_texts files;             /* that were read, with those of folders */
    const uint64_t *file_bytes; /* by file, as they are kept */
    bool wide;           /* a file had a column for each system or item: runs and topics */
    bool binary;         /* a column was declared so */
    bool several;        /* columns of scores were named: they are the measures */
    const char *columns; /* "system = model, item = doc_id"; "" if all are named like their roles */
    const char *group_column; /* its name */
    const char *score_column; /* the column or member that is the score; "": has no name */
    size_t empty;        /* records without a score, left out ... */
    const char *first_empty; /* ... the first of them, FILE:LINE: whose; "" */
    const char *unfinished;  /* a log that says that its run did not succeed; NULL: none */
    iv_arena own;
} iv_score_table;

/* Their names in that order, ending with NULL. */
const char *const *iv_score_role_names(void);

/* The role of a name; "suite", its name before 0.3, is the set.  IV_SCORE_ROLES: none. */
size_t iv_score_role_named(iv_str name);

/* What the paths of runs say of their systems and repeats (system=@path:{system}.{repeat}), kept by
 * own; "": nothing.  IV_EARG for columns of anything else. */
IV_MUST_CHECK int iv_score_runs_named(const char **system, const char **repeat, iv_arena *own,
                                      const iv_texts *columns, const iv_texts *paths, iv_err *err);

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

/* Scores and weights beyond this have squares and sums that no double holds. */
#define IV_SCORE_MOST 1e100

#endif
