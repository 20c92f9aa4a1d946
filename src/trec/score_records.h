/* SPDX-License-Identifier: Apache-2.0 */
/* Scores on their way from files to tables: what readers of all formats share. */
#ifndef IV_TREC_SCORE_RECORDS_H
#define IV_TREC_SCORE_RECORDS_H

#include "base/bytes.h"
#include "base/ids.h"
#include "base/memory.h"
#include "trec/csv.h"
#include "trec/json_read.h"
#include "trec/trec_private.h"

/* A record as a file has it; what is not there is empty (ptr NULL). */
typedef struct iv_score_record {
    iv_str text[IV_SCORE_ROLES];
    double score, weight; /* NaN: none */
} iv_score_record;

/* The file at hand. */
typedef struct iv_score_file {
    const char *name;
    uint32_t number;
    iv_str system, suite; /* what its name says, empty: nothing */
    iv_str from[IV_SCORE_ROLES]; /* what its path was asked for, before all else */
    bool wide; /* a cell without a score is no record */
} iv_score_file;

/* Names of a kind, each with a number, and as people read them. */
typedef struct iv_score_names {
    iv_ids ids;
    const char **shown;
    size_t capacity;
} iv_score_names;

typedef struct iv_scores_reader {
    iv_score_table *to;
    iv_str asked[IV_SCORE_ROLES];
    iv_str path_says[IV_SCORE_ROLES]; /* "@file", "@folder", "@path:PATTERN" */
    char taken[IV_SCORE_ROLES][64];
    iv_score_names systems, items, measures, repeats, clusters, suites;
    iv_texts files;
    uint64_t *bytes; /* by file */
    uint32_t *cluster, *suite; /* by item */
    double *weight;
    size_t cluster_room, suite_room, weight_room;
    iv_one_score *entries;
    size_t count, capacity;
    iv_score_rows rows;
    const iv_work *work; /* asked whether to go on */
    size_t added;        /* records, of which some were left out */
    bool clustered, weighted, any_suite, none_suite, any_repeat;
    char first_empty[300];
} iv_scores_reader;

/* Is a column a part of the path?  Then what that is for a file. */
bool iv_score_is_path(iv_str column);
IV_MUST_CHECK int iv_score_from_path(iv_score_file *f, const iv_str said[IV_SCORE_ROLES],
                                     iv_err *err);

/* The name of a file without folders and endings. */
iv_str iv_score_stem(const char *path);

/* Files, with those of folders in the place of folders, in byte order.  Start from {0}. */
typedef struct iv_score_paths {
    iv_arena own;
    const char **at;
    size_t count, capacity;
} iv_score_paths;
IV_MUST_CHECK int iv_score_paths_of(iv_score_paths *out, const iv_texts *files, iv_err *err);
void iv_score_paths_free(iv_score_paths *p);

/* Sorts what was read, refuses what is there twice, and fills r->to; frees the rest. */
IV_MUST_CHECK int iv_scores_finish(iv_scores_reader *r, iv_err *err);
void iv_scores_reader_free(iv_scores_reader *r);

/* What a column is called in files: asked for, or by one of its usual names. */
iv_str iv_score_asked(const iv_scores_reader *r, iv_score_role role); /* ptr NULL: not */
const char *const *iv_score_usual(iv_score_role role);                /* ending with NULL */

/* Remembers, once, that a column was taken for a role. */
void iv_score_taken(iv_scores_reader *r, iv_score_role role, iv_str column);

/* Adds a record of the file's line. */
IV_MUST_CHECK int iv_score_add(iv_scores_reader *r, const iv_score_file *f, uint64_t line,
                               const iv_score_record *record, iv_err *err);

/* A score in words: a number, true or false; Inspect's C, I, P and N if `grades`.  False:
 * none of these. */
bool iv_score_of(double *out, iv_str text, bool grades);

/* The formats: lines and tables, and JSON. */
IV_MUST_CHECK int iv_scores_read_text(iv_scores_reader *r, const iv_score_file *f, iv_bytes *b,
                                      iv_err *err);
IV_MUST_CHECK int iv_scores_read_json(iv_scores_reader *r, iv_score_file *f, iv_str text,
                                      iv_err *err);

IV_MUST_CHECK int iv_scores_read_eval(iv_scores_reader *r, iv_score_file *f, iv_str zip,
                                      iv_err *err);

/*
 * Do the cells of the first column name the rows?  They do unless all are
 * numbers and either one of them has a fraction or one stands there twice,
 * which no name would.
 */
bool iv_csv_rows_named(const iv_csv *t, iv_problems *problems);

/* Are all cells, but the names, numbers or empty, and at least one a number? */
bool iv_csv_is_matrix(const iv_csv *t, bool rows_named);

/* Is it the name of a measure, such as map, P_10, NDCG@10? */
bool iv_is_measure_name(iv_str name);

#endif /* IV_TREC_SCORE_RECORDS_H */
