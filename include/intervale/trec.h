/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trec -- runs, judgments and scores as the community's text files
 * hold them, and the join of a run with judgments, one topic at a time.
 *
 * Every reader takes plain, gzip or zstd data (detected from the content), from a path
 * or "-" for standard input, and refuses what it cannot vouch for: the message
 * names FILE:LINE:, the value and what was expected.  Fields are separated by
 * blanks or tabs; CR before LF is a blank; empty lines are skipped.  Topics
 * come in byte order.  The result does not depend on the number of threads.
 */
#ifndef INTERVALE_TREC_H
#define INTERVALE_TREC_H

#include "intervale/base.h"

IV_BEGIN_C

/* No such topic, no such index. */
#define IV_NONE SIZE_MAX

/* --------------------------------------------------------------- runs -- */

typedef enum iv_run_format {
    IV_RUN_ANY,    /* detected from the number of fields */
    IV_RUN_TREC,   /* topic Q0 docno rank score tag */
    IV_RUN_MSMARCO /* topic docno rank; the score is minus the rank */
} iv_run_format;

/* "any", "trec", "msmarco", NULL. */
IV_API const char *const *iv_run_format_names(void);

/* A system's ranked lists, one a topic. */
typedef struct iv_run iv_run;

/*
 * Reads a run.  Documents of a topic are ranked by score, highest first, then
 * by docno, last in byte order first; the rank column does not matter (but for
 * MS MARCO's).  A document twice in a topic is an error.
 * Some 80 ns a line on one core; memory about twice the file.
 * On success *out is the caller's: iv_run_free().
 */
IV_API IV_MUST_CHECK int iv_run_load(iv_run **out, const char *path,
                                     iv_run_format format,
                                     const iv_work *work,
                                     iv_err *err);

/* The same from memory, which is copied; name stands in messages. */
IV_API IV_MUST_CHECK int iv_run_parse(iv_run **out, const char *name,
                                      const void *text, size_t len,
                                      iv_run_format format,
                                     const iv_work *work,
                                      iv_err *err);

/* A column of texts in memory, in one of four forms; {0} is no column. */
typedef struct iv_text_column {
    const iv_str *strs;
    const char *const *texts; /* terminated */
    const char *joined;       /* one after another, ... */
    const int64_t *offsets;   /* ... the i-th from offsets[i] to offsets[i + 1]; NULL: ... */
    size_t bytes;             /* ... separated by line ends, that many bytes in all */
    /* One text for many rows: the i-th is that of the next repeats[i] rows, and there are
     * `distinct` of them.  NULL: one a row. */
    const int64_t *repeats;
    size_t distinct;
} iv_text_column;

/* A run as columns of `count` rows. */
typedef struct iv_run_columns {
    size_t count;
    iv_text_column topic, docno;
    const double *score; /* NULL: a topic's rows are in the order of their ranks */
    const char *tag;     /* what results call it; NULL: its name */
} iv_run_columns;

/*
 * A run from memory, ranked as a file's would be; everything is copied.  name stands
 * in messages, and their line is the row, from 1.  IV_EARG for a name that is empty or
 * has a line end or a zero in it, a score that is not finite, a document twice in a
 * topic, no rows.
 */
IV_API IV_MUST_CHECK int iv_run_build(iv_run **out, const char *name,
                                      const iv_run_columns *columns, const iv_work *work,
                                      iv_err *err);

/* Frees the run and everything borrowed from it. */
IV_API void iv_run_free(iv_run *run);

/* How many topics it has, in byte order, and the id of one; topic is below that
 * number here and in what follows.  Texts are borrowed.  O(1). */
IV_API size_t iv_run_topics(const iv_run *run);
IV_API iv_str iv_run_topic(const iv_run *run, size_t topic);

/* How many documents a topic retrieved, and the one at a rank, from 0 to below
 * that number, with its score. */
IV_API size_t iv_run_depth(const iv_run *run, size_t topic);

/* What in a file of a run a reader should hear of, though it can be read. */
typedef struct iv_run_oddities {
    bool many_tags;          /* its lines have more than one tag */
    uint64_t misranked_line; /* where rank and score disagree with the line
                                before; 0: they do not, or the file has no ranks */
    bool reversed;           /* from the first lines on scores rise with every rank */
    bool no_first_rank;      /* of three columns, and no topic has the rank 0 or 1 */
} iv_run_oddities;

/* ---------------------------------------------------------- judgments -- */

typedef enum iv_judgments_format {
    IV_JUDGMENTS_ANY,        /* detected from the fields; refused where ambiguous */
    IV_JUDGMENTS_QRELS,      /* topic iter docno grade */
    IV_JUDGMENTS_PRELS,      /* topic docno grade method pi */
    IV_JUDGMENTS_STRATIFIED, /* topic iter docno stratum grade; -1: not sampled */
    IV_JUDGMENTS_BEIR,       /* query-id corpus-id score, with that header */
    /* A document may stand in a topic once a group (a subtopic, a judge): */
    IV_JUDGMENTS_GROUPS,     /* topic group docno grade; never detected */
    IV_JUDGMENTS_PREFS,      /* topic group subgroup docno level; nor is this */
    IV_JUDGMENTS_NUGGETS,    /* topic nugget importance answer support; nor this */
    IV_JUDGMENTS_QRELS_JG,   /* trec_eval's names for IV_JUDGMENTS_GROUPS: */
    IV_JUDGMENTS_QRELS_PREFS
} iv_judgments_format;

/* "any", "qrels", "prels", "stratified", "beir", "groups", "prefs", "nuggets",
 * "qrels_jg", "qrels_prefs", NULL. */
IV_API const char *const *iv_judgments_format_names(void);

/* Grades are whole numbers in this range; below 0 means not judged. */
enum { IV_GRADE_MIN = -1000000, IV_GRADE_MAX = 1000000 };
#define IV_PI_MIN 1e-100 /* of an inclusion probability: squares of 1 / pi are numbers */

typedef struct iv_judgment {
    iv_str docno;
    double pi;       /* probability with which it was sampled, in (0, 1]; by groups: its level; of a
                        nugget 1 if it is vital, 0.5 if it is okay */
    /* of a nugget 2, 1 or 0 for full, partial, no support; in prefs: -1 - the number of its
     * subgroup within the topic, from 0 */
    int32_t grade;
    int32_t stratum; /* -1 where the format has none; by groups: the group's number within
                        the topic, from 0, in byte order */
} iv_judgment;

typedef struct iv_judgments iv_judgments;

IV_API IV_MUST_CHECK int iv_judgments_parse(iv_judgments **out, const char *name,
                                            const void *text, size_t len,
                                            iv_judgments_format format,
                                            const iv_work *work, iv_err *err);

/* Judgments as columns of `count` rows. */
typedef struct iv_judgment_columns {
    size_t count;
    iv_text_column topic, docno;
    const int32_t *grade;
    const double *pi;       /* as in prels; NULL: all 1 */
    const int32_t *stratum; /* as in the stratified format; NULL: none */
    iv_text_column group;   /* by groups: the subtopic or the judge; {0}: none */
    const char *comments;   /* lines that begin with #, as a sample writes; NULL: none */
} iv_judgment_columns;

/* Judgments from memory, as iv_run_build(); IV_EARG also for a grade or probability
 * outside its range, and for a group with a blank in it.  The format is that of
 * the columns that are given. */
IV_API IV_MUST_CHECK int iv_judgments_build(iv_judgments **out, const char *name,
                                            const iv_judgment_columns *columns,
                                            const iv_work *work, iv_err *err);

/* Frees the judgments and everything borrowed from them. */
IV_API void iv_judgments_free(iv_judgments *j);

/* The index of a topic, or IV_NONE. */
IV_API size_t iv_judgments_find_topic(const iv_judgments *j, iv_str id);

/* A comment line of the file, without its line end.  Start from {0}. */
typedef struct iv_comment {
    iv_str text;   /* from the # on */
    uint64_t line; /* from 1 */
    size_t at;     /* not for callers */
} iv_comment;

/* --------------------------------------------------------------- join -- */

/* A retrieved document; its rank is its place in the array, from 0. */
typedef struct iv_hit {
    iv_str docno;
    double score;
    const iv_judgment *judgment; /* NULL: the judgments do not have it */
} iv_hit;

/* One topic of a run beside its judgments; borrowed from the workspace. */
typedef struct iv_joined {
    iv_str topic;
    const iv_hit *hits;
    size_t hit_count;
    const iv_judgment *judged; /* all of the topic, retrieved or not */
    size_t judged_count;
    size_t float_ties; /* adjacent scores equal as float, not as double */
} iv_joined;

/* Scores cut to float as trec_eval 9 does, or as the file has them; see
 * iv_precision_of(). */
typedef enum iv_precision { IV_SCORES_FLOAT, IV_SCORES_DOUBLE } iv_precision;

/* Memory that joins reuse; one a thread. */
typedef struct iv_join iv_join;

/* *out is the caller's: iv_join_free(). */
IV_API IV_MUST_CHECK int iv_join_new(iv_join **out, iv_err *err);
IV_API void iv_join_free(iv_join *w);

/*
 * Joins a topic of a run with a topic of judgments (IV_NONE: with none), in
 * time linear in the documents retrieved.  *out is valid until the workspace
 * is used again.
 */
IV_API IV_MUST_CHECK int iv_join_topic(iv_joined *out, iv_join *w,
                                       const iv_run *run, size_t run_topic,
                                       const iv_judgments *j, size_t judged_topic,
                                       iv_precision precision, iv_err *err);

/* -------------------------------------------------------------- tables -- */

/* A file of cells with a header, separated by commas, tabs or blanks. */
typedef struct iv_csv iv_csv;

/*
 * Reads such a file (RFC 4180 quoting; tabs separate if the header has one and
 * no comma, runs of blanks if it has neither); every cell is text.  Blanks
 * around a cell are dropped, empty lines skipped.
 * IV_EPARSE for a row longer or shorter than the header, a column name twice,
 * an open quote, no rows at all.
 */
IV_API IV_MUST_CHECK int iv_csv_load(iv_csv **out, const char *path,
                                     const iv_work *work, iv_err *err);
IV_API IV_MUST_CHECK int iv_csv_parse(iv_csv **out, const char *name,
                                      const void *text, size_t len, iv_err *err);
IV_API void iv_csv_free(iv_csv *t);

/* The size of the table, the name of a column, a cell; texts are borrowed from the table. */
IV_API size_t iv_csv_columns(const iv_csv *t);
IV_API size_t iv_csv_rows(const iv_csv *t);
IV_API iv_str iv_csv_column(const iv_csv *t, size_t column);
IV_API iv_str iv_csv_cell(const iv_csv *t, size_t row, size_t column);

/* Is a file a table of labels by several assessors, detected from its header?  IV_EIO where it cannot be read, IV_EPARSE
 * where it is damaged. */
IV_API IV_MUST_CHECK int iv_file_is_assessments(bool *out, const char *path,
                                                const iv_work *work, iv_err *err);

/*
 * Labels of items: what gold says of each, and what systems said.
 *
 * A label that gold never gives is refused, as it is more often a misspelling
 * than an answer, unless `classes` lists it.
 */

/* Which labels there are; {0}: those that gold gives, and of 0 and 1 the latter
 * is positive. */
typedef struct iv_labels_options {
    const char *positive; /* this label is positive, all others are negative */
    const char *classes;  /* all labels there are, separated by commas */
    const char *gold;     /* the column of gold; NULL: gold, label, truth, y_true or target,
                             of which there must be one */
    iv_texts predictions; /* other files, with the columns id and one a system; then the first has
                             id and gold only.  A column that two have is called by its file */
    const char *threshold; /* a number: systems' cells are scores, and positive from it on */
    iv_texts systems;     /* of a table: only these of its columns are systems; none: all others,
                             but of several none that is called as gold */
} iv_labels_options;

/* Read it as it stands; all of it lives until iv_labels_free(). */
typedef struct iv_labels {
    size_t items, systems;
    int32_t classes;              /* 1000 at most; if binary 2, and 1 is positive */
    bool binary;
    const int32_t *at;            /* items x (systems + 1): gold's, then the systems' */
    const char *const *system_names;
    const char *const *class_names; /* in the order of their numbers; unless binary */
    double highest;               /* score, where the threshold is within 0 and 1 and no score is
                                     below 0: above 1 it is a percentage, perhaps; else 0 */
    uint64_t bytes;               /* of the file as it is kept */
    iv_texts notes;               /* what columns were taken for, by their names alone */
} iv_labels;

/*
 * Reads a table, as iv_csv_load() does, with the columns gold (see the options), one for each
 * system, and perhaps id (or a first one without a name): predictions of a file of their own need
 * it, items of one file are known by their rows otherwise.  IV_EPARSE for a missing column, an id
 * there twice, a label that is missing or unknown; IV_EARG for classes that are empty or there
 * twice. *out is the caller's.
 */
IV_API IV_MUST_CHECK int iv_labels_load(iv_labels **out, const char *path,
                                        const iv_labels_options *options, const iv_work *work,
                                        iv_err *err);
IV_API IV_MUST_CHECK int iv_labels_parse(iv_labels **out, const char *name, const void *text,
                                         size_t len, const iv_labels_options *options,
                                         iv_err *err);
IV_API void iv_labels_free(iv_labels *l);

/* A machine's scores are kept as the proportion of the file's scores below, in so many parts. */
enum { IV_SCORE_PARTS = 1000 };

/*
 * Scores of any kind, one a record: of a system on an item, perhaps the repeat of one,
 * perhaps an item of a cluster, of a suite's set, with a weight.
 *
 * Read from files: tables with a header (CSV, TSV), JSON lines, JSON arrays, the samples
 * of lm-evaluation-harness and of Inspect, dictionaries of pytrec_eval, ranx and BEIR,
 * trec_eval's -q lines, this library's own tables, tables with systems or items as columns;
 * detected from the content (doc/formats.md).
 * Or taken from arrays in memory.
 */

/* What a column can stand for. */
typedef enum iv_score_role {
    IV_ROLE_SYSTEM,  /* whose score it is; files without it: a system each */
    IV_ROLE_ITEM,    /* on what: a question, a topic */
    IV_ROLE_SCORE,
    IV_ROLE_MEASURE, /* one of several that the file has */
    IV_ROLE_REPEAT,  /* which one of several scores on the same item: a seed, an epoch */
    IV_ROLE_CLUSTER, /* items that belong together: questions of one document */
    IV_ROLE_SUITE,   /* the set that the item is of */
    IV_ROLE_WEIGHT,  /* of the item in its set */
    IV_SCORE_ROLES
} iv_score_role;

/* What a row of a table without a column of scores stands for; its columns are the other. */
typedef enum iv_score_rows {
    IV_ROWS_AUTO, /* items if the first column is named like one, such as topic; else systems */
    IV_ROWS_SYSTEMS,
    IV_ROWS_TOPICS
} iv_score_rows;

/* "auto", "systems", "topics", NULL. */
IV_API const char *const *iv_score_rows_names(void);

/* Files, or else arrays of one length; those that are empty are not there. */
typedef struct iv_score_source {
    iv_texts files;
    iv_texts columns; /* of files: "system=model"; in JSON a dot goes into an object;
                         "binary=correct" is the score, declared to be 0 or 1 */
    iv_score_rows rows; /* but auto: files are tables with a column for each of the others */
    iv_reals score;
    iv_texts system, item, measure, repeat, cluster, suite;
    iv_reals weight;
} iv_score_source;

/* Runs, judgments and other lines that begin with a topic, sorted by it in bounded memory. */

typedef struct iv_sorting {
    uint64_t memory;    /* to be used; 0: 256 MB, at least 1 MB */
    const char *folder; /* of temporary files, which have no names; NULL: /tmp */
} iv_sorting;

/* What was sorted. */
typedef struct iv_sorted_lines {
    uint64_t lines, bytes;
    uint64_t topics;
    uint64_t parts;     /* that were sorted by themselves, then merged */
    bool sorted;        /* they were in order already */
} iv_sorted_lines;

/*
 * Tables of strata: stratum,N,n,r and either a column `segment` (retrieved or
 * unretrieved) or one column a run that marks what the run retrieved (1/0 or
 * R/N); in any order, other columns ignored.
 */

typedef struct iv_strata_row {
    iv_str name;
    int64_t size, sampled, relevant; /* N, n, r */
    uint64_t line;                   /* of the file, for messages; 0: none */
} iv_strata_row;

/* A table, read from a file or made by the caller. */
typedef struct iv_strata_table {
    const iv_strata_row *rows;
    const iv_str *runs;     /* a table by segments has one, "review" */
    const bool *retrieved;  /* run after run, one for each row */
    size_t row_count, run_count;
    const char *path;       /* NULL: no file */
    uint64_t bytes;         /* of the file as it is kept */
    const char *ignored;    /* names of other columns, quoted; "" or NULL: none */
} iv_strata_table;

IV_END_C

#endif /* INTERVALE_TREC_H */
