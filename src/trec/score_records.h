/* SPDX-License-Identifier: Apache-2.0 */
/* Records of scores while files of any format are read into a score table. */
#ifndef IV_TREC_SCORE_RECORDS_H
#define IV_TREC_SCORE_RECORDS_H

#include <math.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "base/ids.h"
#include "base/memory.h"
#include "intervale/trec/delimited_tables.h"
#include "trec/problems.h"
#include "trec/score_table.h"

/* A record as a file has it; what is not there is empty (ptr NULL). */
typedef struct iv_score_record {
    iv_str text[IV_SCORE_ROLES];
    double score, weight, human; /* NaN: none */
    uint64_t document;    /* a hash of what the item is, 0: not known */
} iv_score_record;

/* Of nothing. */
#define IV_SCORE_RECORD ((iv_score_record){ .weight = (double)NAN, .human = (double)NAN })

/* The file at hand. */
typedef struct iv_score_file {
    const char *name;
    uint32_t number;
    iv_str system, suite; /* what its name says, empty: nothing */
    iv_str from[IV_SCORE_ROLES]; /* what its path was asked for, before all else */
    bool wide; /* a cell without a score is no record */
} iv_score_file;

enum { IV_MORE_SCORES = 7 }; /* columns of scores beside the first */

typedef struct iv_scores_reader {
    iv_score_table *to;
    iv_str asked[IV_SCORE_ROLES];
    iv_str more[IV_MORE_SCORES]; /* other columns of scores: a measure each, with the first */
    size_t more_count;
    iv_texts wanted; /* names of columns that are a measure each; none: the score alone */
    size_t *wanted_at, wanted_count; /* ... those of the table at hand */
    iv_str path_says[IV_SCORE_ROLES]; /* "@file", "@folder", "@path:PATTERN" */
    char taken[IV_SCORE_ROLES][64];
    const char *other_system; /* a column of a table with a usual name of systems, not taken */
    iv_ids systems, items, measures, repeats, clusters, suites, strata,
        groups; /* names, kept by the table */
    iv_texts files;
    uint64_t *bytes; /* by file */
    uint32_t *cluster, *suite, *group; /* by item */
    double *weight;
    uint64_t *document;
    const char **plain, **date; /* by system: its name, and the date or "" */
    size_t cluster_room, suite_room, group_room, weight_room, document_room;
    size_t plain_room, date_room;
    iv_one_score *entries;
    size_t count, capacity;
    iv_score_rows rows;
    const iv_work *work; /* asked whether to go on */
    size_t added;        /* records, of which some were left out */
    bool clustered, weighted, any_suite, none_suite, any_repeat, any_date;
    bool dated;          /* a date is taken by its usual names, too */
    char first_empty[300];
    iv_one_score regrouped; /* the first score whose item was in another group */
    bool is_regrouped;
} iv_scores_reader;

/* Is a column a part of the path?  Then what that is for a file. */
bool iv_score_is_path(iv_str column);
bool iv_score_is_given(iv_str column); /* a text that is given: @name:TEXT */
IV_MUST_CHECK int iv_score_from_path(iv_score_file *f, const iv_str said[IV_SCORE_ROLES],
                                     iv_err *err);

/* The last part of a path that ends at `end`. */
iv_str iv_score_part(const char *path, const char *end);

/* The name of a file without folders and endings. */
iv_str iv_score_stem(const char *path);

/* Files, with those of folders in the place of folders, in byte order. */
IV_MUST_CHECK int iv_score_paths_of(iv_words *out, iv_arena *own, const iv_texts *files,
                                    iv_err *err);

/* Sorts what was read, refuses what is there twice, and fills r->to; frees the rest. */
IV_MUST_CHECK int iv_scores_finish(iv_scores_reader *r, iv_err *err);
void iv_scores_reader_free(iv_scores_reader *r);

/* The usual names of a column that was not asked for, ending with NULL; dated: of dates, too. */
const char *const *iv_score_usual(iv_score_role role, bool dated);

/* Was a column asked for in another role?  Then it is never taken for this one unasked. */
bool iv_score_named_for_other(const iv_scores_reader *r, size_t role, iv_str column);

/* Of records without an item: is the column of their set that of tasks?  Then these are the
 * items. */
bool iv_score_task_is_item(iv_scores_reader *r, iv_str column);

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

#endif
