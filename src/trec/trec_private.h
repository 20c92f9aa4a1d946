/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of trec beside what programs do. */
#ifndef IV_TREC_TREC_PRIVATE_H
#define IV_TREC_TREC_PRIVATE_H

#include "base/memory.h"
#include "intervale/trec.h"

/* The tag of the first line; empty in the MS MARCO format. */
iv_str iv_run_tag(const iv_run *run);

/* Size of the file as it is kept (packed, if it is packed). */
uint64_t iv_run_bytes(const iv_run *run);

/* The index of the topic with this id, or IV_NONE.  O(log topics). */
size_t iv_run_find_topic(const iv_run *run, iv_str id);

iv_str iv_run_docno(const iv_run *run, size_t topic, size_t rank);

double iv_run_score(const iv_run *run, size_t topic, size_t rank);

/*
 * Looks for them.  Where no score is above the one before it, ranks are looked
 * at in the first 16 KB only.  Takes a walk over the file at most.
 */
iv_run_oddities iv_run_odd(const iv_run *run);

/*
 * Reads judgments, from a file or from memory, as iv_run_load() and
 * iv_run_parse() do.  A line that begins with # is a comment.  IV_EPARSE also
 * for a file of five fields that could be in either format, when none is given.
 */
IV_MUST_CHECK int iv_judgments_load(iv_judgments **out, const char *path,
                                           iv_judgments_format format,
                                           const iv_work *work, iv_err *err);

/*
 * The format it was read in, never IV_JUDGMENTS_ANY; the size of the file as it
 * is kept; how many topics there are, in byte order, the id of one, borrowed,
 * and the index of an id, or IV_NONE.
 */
iv_judgments_format iv_judgments_format_of(const iv_judgments *j);

uint64_t iv_judgments_bytes(const iv_judgments *j);

size_t iv_judgments_topics(const iv_judgments *j);

iv_str iv_judgments_topic(const iv_judgments *j, size_t topic);

/* The judgments of a topic in the order of the file (by groups: by docno, group and
 * subgroup); borrowed.  Returns how many. */
size_t iv_judgments_of(const iv_judgment **out, const iv_judgments *j,
                              size_t topic);

/* The largest grade of all topics, or 0. */
int32_t iv_largest_grade(const iv_judgments *j);

/* The judgment of a document (by groups: its first), borrowed, or NULL.  O(1) on average. */
const iv_judgment *iv_judgments_find(const iv_judgments *j, size_t topic,
                                            iv_str docno);

/*
 * Goes on to the next comment line; false when there is none left.  A file
 * may keep in them what its columns have no room for.
 */
bool iv_judgments_next_comment(iv_comment *c, const iv_judgments *j);

/* The line of the file on which a judgment stands, for messages; slow. */
uint64_t iv_judgments_line(const iv_judgments *j, const iv_judgment *judgment);

/* The size of the file as it is kept; how many columns and rows (without the
 * header) it has, both at least 1; the name of a column, borrowed. */
uint64_t iv_csv_bytes(const iv_csv *t);

/* The column of that name, byte for byte, or IV_NONE; a cell, borrowed, empty if
 * the file has nothing there. */
size_t iv_csv_find(const iv_csv *t, iv_str name);

/* The line of the file on which a row begins, for messages. */
uint64_t iv_csv_line(const iv_csv *t, size_t row);

/*
 * Reads such a table, as iv_csv_load() does.  IV_EPARSE with the line for a column that is
 * missing, a name that is, an item labelled twice by one assessor; IV_ENODATA without a
 * label.  *out is the caller's.
 */
IV_MUST_CHECK int iv_assessments_load(iv_assessments **out, const char *path,
                                             const iv_work *work, iv_err *err);

IV_MUST_CHECK int iv_assessments_parse(iv_assessments **out, const char *name,
                                              const void *text, size_t len, iv_err *err);

void iv_assessments_free(iv_assessments *a);

const iv_assessments_view *iv_assessments_of(const iv_assessments *a);

/*
 * Reads such a file.  runs: the columns that are runs, separated by commas;
 * NULL: all that hold marks and nothing else, unless there is a column segment.
 * IV_EPARSE for a column that is missing, a count that is none, n > N or r > n,
 * a stratum without a name or with another's, and a cell that is no mark.  *out is the arena's.
 */
IV_MUST_CHECK int iv_strata_load(const iv_strata_table **out, iv_arena *own, const char *path,
                                 const char *runs, const iv_work *work, iv_err *err);

/* The same from a text, which is copied; name stands in messages. */
IV_MUST_CHECK int iv_strata_parse(const iv_strata_table **out, iv_arena *own, const char *name,
                                  iv_str text, iv_err *err);

/*
 * Writes the lines of a file ("-": standard input), unpacked if it is gzip or zstd, in the order
 * of their first field by bytes; lines of a topic stay as they were.  Lines without a topic
 * (comments, empty ones, the header of BEIR files) come first.  A last line gets its line end; a
 * byte-order mark is left out.
 * IV_EIO, also when a disk is full; IV_EPARSE for damaged packed data and for a line that does
 * not fit into memory.  Time is linear in the bytes, but for topics that share their first bytes.
 * found and how may be NULL.
 */
IV_MUST_CHECK int iv_sort_lines(FILE *out, const char *path, const iv_sorting *how,
                                       iv_sorted_lines *found, const iv_work *work, iv_err *err);

/*
 * Reads a machine's labels: qrels or BEIR as iv_judgments_load() does (format 0: told by
 * content), and lines of topic, document and score (or qrels whose grades are real numbers).
 * *scored tells that they are scores: their grades are then 0 to IV_SCORE_PARTS - 1 by rank,
 * equal scores alike.  Whole numbers of at most 16 different values are grades.  *out is the
 * caller's: iv_judgments_free().  Errors as iv_judgments_load(); IV_EPARSE too for a sample
 * or a stratified file, since a machine labels everything.
 */
IV_MUST_CHECK int iv_machine_labels_load(struct iv_judgments **out, bool *scored,
                                                const char *path, int format,
                                                const iv_work *work, iv_err *err);

/*
 * The same labels with new grades: as many as `count` rising cuts are at most the old one.
 * *out is the caller's.  IV_ENOMEM, IV_EARG for cuts that do not rise.
 */
IV_MUST_CHECK int iv_machine_labels_cut(struct iv_judgments **out,
                                               const struct iv_judgments *labels,
                                               const int32_t *cuts, size_t count, iv_err *err);

/* Is a file a run of six fields a line, told by its first line?  IV_EIO where it cannot be
 * read, IV_EPARSE where it is damaged. */
IV_MUST_CHECK int iv_file_is_run(bool *out, const char *path, const iv_work *work,
                                        iv_err *err);

/* The one table of scores: systems x measures x items, with what belongs to each. */

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

#endif /* IV_TREC_TREC_PRIVATE_H */
