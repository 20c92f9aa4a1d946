/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trec -- text files of runs, judgments and scores, and the join of a run with judgments,
 * one topic at a time.
 *
 * Every reader reads plain, gzip or zstd data (detected from the content) from a path, or
 * from standard input ("-").  An error names FILE:LINE:, the value and what was expected.
 * Fields are separated by blanks or tabs; CR before LF is a blank; empty lines are skipped.
 * Topics are sorted in byte order.  The result does not depend on the number of threads.
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

/* The ranked lists of a system, one for each topic. */
typedef struct iv_run iv_run;

/*
 * Reads a run.  Documents of a topic are ranked by score, highest first; tied documents
 * by docno in reverse byte order.  The rank column is ignored, except in MS MARCO's format.
 * It is an error if a topic has a document twice.  Reading takes about 80 ns per line on
 * one core, and memory of about twice the file.  Free *out with iv_run_free().
 */
IV_API IV_MUST_CHECK int iv_run_load(iv_run **out, const char *path,
                                     iv_run_format format,
                                     const iv_work *work,
                                     iv_err *err);

/* Reads a run from memory, which is copied; messages call it `name`. */
IV_API IV_MUST_CHECK int iv_run_parse(iv_run **out, const char *name,
                                      const void *text, size_t len,
                                      iv_run_format format,
                                     const iv_work *work,
                                      iv_err *err);

/* A column of texts in memory, in one of four forms; {0}: no column. */
typedef struct iv_text_column {
    const iv_str *strs;
    const char *const *texts; /* strings that end with a zero byte */
    const char *joined;       /* all texts in one string: */
    const int64_t *offsets;   /* text i is from offsets[i] to offsets[i + 1]; if NULL, ... */
    size_t bytes;             /* ... texts are separated by line ends; bytes in all */
    /* If not NULL, text i is for the next repeats[i] rows, and there are `distinct` texts.
     * If NULL, there is one text for each row. */
    const int64_t *repeats;
    size_t distinct;
} iv_text_column;

/* A run as columns of `count` rows. */
typedef struct iv_run_columns {
    size_t count;
    iv_text_column topic, docno;
    const double *score; /* NULL: the rows of a topic are in the order of rank */
    const char *tag;     /* name of the run in results; NULL: `name` below */
} iv_run_columns;

/*
 * Makes a run from columns in memory, which are copied, and ranks it as a file would be.
 * Messages call it `name` and count rows from 1.  IV_EARG if a name is empty or contains a
 * line end or a zero byte, if a score is not finite, if a topic has a document twice, or if
 * there are no rows.
 */
IV_API IV_MUST_CHECK int iv_run_build(iv_run **out, const char *name,
                                      const iv_run_columns *columns, const iv_work *work,
                                      iv_err *err);

/* Frees the run; texts borrowed from it are then invalid. */
IV_API void iv_run_free(iv_run *run);

/* The number of topics, and the id of a topic.  Topics are numbered from 0, in byte order.
 * Texts are borrowed.  O(1). */
IV_API size_t iv_run_topics(const iv_run *run);
IV_API iv_str iv_run_topic(const iv_run *run, size_t topic);

/* The number of documents that the run retrieved for a topic. */
IV_API size_t iv_run_depth(const iv_run *run, size_t topic);

/* What is unusual in the file of a run, though it can be read. */
typedef struct iv_run_oddities {
    bool many_tags;          /* its lines have more than one tag */
    uint64_t misranked_line; /* line whose rank and score are not in the same order as those
                                of the line before; 0: none, or the file has no ranks */
    bool reversed;           /* scores rise with rank, from the first lines on */
    bool no_first_rank;      /* the file has three columns, and no topic has rank 0 or 1 */
} iv_run_oddities;

/* ---------------------------------------------------------- judgments -- */

typedef enum iv_judgments_format {
    IV_JUDGMENTS_ANY,        /* detected from the fields; refused where ambiguous */
    IV_JUDGMENTS_QRELS,      /* topic iter docno grade */
    IV_JUDGMENTS_PRELS,      /* topic docno grade method pi */
    IV_JUDGMENTS_STRATIFIED, /* topic iter docno stratum grade; -1: not sampled */
    IV_JUDGMENTS_BEIR,       /* query-id corpus-id score, with that header */
    /* In these, a topic may have a document once for each group (a subtopic or a judge).
     * They are never detected: */
    IV_JUDGMENTS_GROUPS,     /* topic group docno grade */
    IV_JUDGMENTS_PREFS,      /* topic group subgroup docno level */
    IV_JUDGMENTS_NUGGETS,    /* topic nugget importance answer support */
    IV_JUDGMENTS_QRELS_JG,   /* trec_eval's names for GROUPS and PREFS: */
    IV_JUDGMENTS_QRELS_PREFS
} iv_judgments_format;

/* "any", "qrels", "prels", "stratified", "beir", "groups", "prefs", "nuggets",
 * "qrels_jg", "qrels_prefs", NULL. */
IV_API const char *const *iv_judgments_format_names(void);

/* Grades are whole numbers in this range; a grade below 0 means not judged. */
enum { IV_GRADE_MIN = -1000000, IV_GRADE_MAX = 1000000 };
#define IV_PI_MIN 1e-100 /* smallest inclusion probability; (1 / pi)^2 is finite */

typedef struct iv_judgment {
    iv_str docno;
    double pi;       /* inclusion probability, in (0, 1]; in groups: the level; for nuggets: 1 if
                        vital, 0.5 if okay */
    /* For nuggets: 2, 1 or 0 for full, partial or no support.  In prefs: -1 minus the number
     * of the subgroup within the topic, from 0. */
    int32_t grade;
    int32_t stratum; /* -1 if the format has no strata; in groups: the number of the group
                        within the topic, from 0, in byte order */
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
    const double *pi;       /* inclusion probabilities; NULL: all 1 */
    const int32_t *stratum; /* as in the stratified format; NULL: none */
    iv_text_column group;   /* the subtopic or the judge; {0}: no groups */
    const char *comments;   /* lines that begin with #, as in a sample; NULL: none */
} iv_judgment_columns;

/* Makes judgments from columns in memory, as iv_run_build() makes a run.  IV_EARG also for a
 * grade or probability outside its range, and for a group whose name contains a blank.  The columns
 * that are given determine the format. */
IV_API IV_MUST_CHECK int iv_judgments_build(iv_judgments **out, const char *name,
                                            const iv_judgment_columns *columns,
                                            const iv_work *work, iv_err *err);

/* Frees the judgments; texts borrowed from them are then invalid. */
IV_API void iv_judgments_free(iv_judgments *j);

/* The index of a topic, or IV_NONE. */
IV_API size_t iv_judgments_find_topic(const iv_judgments *j, iv_str id);

/* A comment line of the file, without its line end.  Start from {0}. */
typedef struct iv_comment {
    iv_str text;   /* from the # on */
    uint64_t line; /* from 1 */
    size_t at;     /* private */
} iv_comment;

/* --------------------------------------------------------------- join -- */

/* A retrieved document; its rank is its index in the array, from 0. */
typedef struct iv_hit {
    iv_str docno;
    double score;
    const iv_judgment *judgment; /* NULL: not in the judgments */
} iv_hit;

/* One topic of a run with its judgments; borrowed from the workspace. */
typedef struct iv_joined {
    iv_str topic;
    const iv_hit *hits;
    size_t hit_count;
    const iv_judgment *judged; /* all judgments of the topic, retrieved or not */
    size_t judged_count;
    size_t float_ties; /* adjacent scores that are equal as float but not as double */
} iv_joined;

/* Scores rounded to float as in trec_eval 9, or as in the file; see iv_precision_of(). */
typedef enum iv_precision { IV_SCORES_FLOAT, IV_SCORES_DOUBLE } iv_precision;

/* Workspace of joins; one for each thread. */
typedef struct iv_join iv_join;

/* Free *out with iv_join_free(). */
IV_API IV_MUST_CHECK int iv_join_new(iv_join **out, iv_err *err);
IV_API void iv_join_free(iv_join *w);

/*
 * Joins a topic of a run with a topic of judgments (IV_NONE: none), in time linear in the
 * number of retrieved documents.  *out is valid until the workspace is used again.
 */
IV_API IV_MUST_CHECK int iv_join_topic(iv_joined *out, iv_join *w,
                                       const iv_run *run, size_t run_topic,
                                       const iv_judgments *j, size_t judged_topic,
                                       iv_precision precision, iv_err *err);

/* -------------------------------------------------------------- tables -- */

/* A table with a header; cells are separated by commas, tabs or blanks. */
typedef struct iv_csv iv_csv;

/*
 * Reads such a file, with quotes as in RFC 4180.  The separator is the comma; the tab, if
 * the header has tabs but no comma; or blanks, if it has neither.  Every cell is text.
 * Blanks around a cell are removed; empty lines are skipped.  IV_EPARSE if a row is longer
 * or shorter than the header, if a column name occurs twice, if a quote is not closed, or
 * if there are no rows.
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

/* Is a file a table of labels by several assessors, by its header?  IV_EIO if it cannot be
 * read, IV_EPARSE if it is damaged. */
IV_API IV_MUST_CHECK int iv_file_is_assessments(bool *out, const char *path,
                                                const iv_work *work, iv_err *err);

/*
 * Gold labels of items, and the labels that systems predicted.
 *
 * A predicted label that is not among the gold labels is an error, because it is probably
 * misspelt, unless `classes` lists it.
 */

/* {0}: the labels are the gold labels; if these are 0 and 1, 1 is positive. */
typedef struct iv_labels_options {
    const char *positive; /* this label is positive, all others are negative */
    const char *classes;  /* all labels, separated by commas */
    const char *gold;     /* the column of gold labels; NULL: gold, label, truth, y_true or
                             target; there must be exactly one of these */
    iv_texts predictions; /* other files, with a column id and one column for each system; the
                             first file then has only id and gold.  If two files have a column
                             of the same name, systems are named after the files */
    const char *threshold; /* a number; cells of systems are scores, and scores of at least this
                              are positive */
    iv_texts systems;     /* the columns that are systems; none: all columns other than id and
                             gold, and other than further columns with a usual name of gold */
    iv_texts columns;     /* "group=NAME": a column that says which group an item is in; several
                             between commas */
} iv_labels_options;

/* A column that puts items into groups. */
typedef struct iv_item_groups {
    const char *name;          /* of the column */
    size_t count;
    const char *const *names;  /* in byte order */
    const uint32_t *of;        /* by item; UINT32_MAX: its cell is empty */
} iv_item_groups;

/* Read the fields directly; they are valid until iv_labels_free(). */
typedef struct iv_labels {
    size_t items, systems;
    int32_t classes;              /* at most 1000; if binary 2, and class 1 is positive */
    bool binary;
    const int32_t *at;            /* items x (systems + 1): gold, then the systems */
    const char *const *system_names;
    const char *const *class_names; /* in the order of their numbers; unless binary */
    double highest;               /* highest score, if the threshold is in [0, 1] and no score is
                                     below 0; above 1, scores may be percentages; otherwise 0 */
    uint64_t bytes;               /* size of the file on disk */
    iv_texts notes;               /* which columns were chosen by their names */
    const iv_item_groups *groups; /* by column of groups */
    size_t grouping_count;
} iv_labels;

/*
 * Reads a table, as iv_csv_load() does, with a column for gold (see the options), one for
 * each system, and optionally id (or a first column without a name).  If predictions are in
 * another file, id is required.  IV_EPARSE for a missing column, an id that occurs twice, or
 * a missing or unknown label; IV_EARG for classes that are empty or occur twice.  Free *out
 * with iv_labels_free().
 */
IV_API IV_MUST_CHECK int iv_labels_load(iv_labels **out, const char *path,
                                        const iv_labels_options *options, const iv_work *work,
                                        iv_err *err);
IV_API IV_MUST_CHECK int iv_labels_parse(iv_labels **out, const char *name, const void *text,
                                         size_t len, const iv_labels_options *options,
                                         iv_err *err);
IV_API void iv_labels_free(iv_labels *l);

/* Automatic scores are stored as their quantile in the file, in this many parts. */
enum { IV_SCORE_PARTS = 1000 };

/*
 * Scores of any kind.  Each record has the score of a system on an item, and optionally a
 * repeat (such as a seed), a cluster of items, a set of items, and a weight.
 *
 * Scores come from arrays in memory or from files, whose format is detected from the content
 * (doc/formats.md): tables with a header (CSV, TSV), tables with systems or items as
 * columns, JSON lines, JSON arrays, logs of lm-evaluation-harness and Inspect, dictionaries
 * of pytrec_eval, ranx and BEIR, lines of trec_eval -q, and tables of this library.
 */

/* The role of a column. */
typedef enum iv_score_role {
    IV_ROLE_SYSTEM,  /* without this column, each file is a system */
    IV_ROLE_ITEM,    /* a question or topic */
    IV_ROLE_SCORE,
    IV_ROLE_MEASURE, /* if the file has several measures */
    IV_ROLE_REPEAT,  /* if an item has several scores: the seed or epoch */
    IV_ROLE_CLUSTER, /* items that belong together: questions of one document */
    IV_ROLE_SUITE,   /* the set that the item belongs to */
    IV_ROLE_WEIGHT,  /* of the item in its set */
    IV_ROLE_HUMAN,   /* what people say instead of the score, where they looked */
    IV_ROLE_STRATUM, /* from which the record was chosen for people */
    IV_ROLE_GROUP,   /* the group of the item, such as a language, whose means are compared */
    IV_ROLE_DATE,    /* a system on another date is another system, "DATE/SYSTEM" */
    IV_SCORE_ROLES
} iv_score_role;

/* What the rows of a table without a column of scores are; its columns are the other. */
typedef enum iv_score_rows {
    IV_ROWS_AUTO, /* topics if the first column has a name such as topic; otherwise systems */
    IV_ROWS_SYSTEMS,
    IV_ROWS_TOPICS
} iv_score_rows;

/* "auto", "systems", "topics", NULL. */
IV_API const char *const *iv_score_rows_names(void);

/* Files, or arrays of equal length; empty arrays are not given. */
typedef struct iv_score_source {
    iv_texts files;
    iv_texts columns; /* "system=model"; in JSON, a dot leads into an object;
                         "binary=correct": the score, which must be 0 or 1 */
    iv_score_rows rows; /* if not auto, files are tables without a column of scores */
    iv_reals score;
    iv_texts system, item, measure, repeat, cluster, suite, date;
    iv_reals weight;
    iv_reals human;   /* NaN: nobody looked */
    iv_texts stratum;
    iv_texts group;
    bool dated; /* a column or member date, night or day is the date */
    iv_texts scores;  /* of files without measures: columns that are a measure each, if there */
} iv_score_source;

/* Sorting of runs, judgments and other lines that begin with a topic, in limited memory. */

typedef struct iv_sorting {
    uint64_t memory;    /* bytes to use, at least 1 MB; 0: 256 MB */
    const char *folder; /* for temporary files, which have no names; NULL: /tmp */
} iv_sorting;

/* The result of sorting. */
typedef struct iv_sorted_lines {
    uint64_t lines, bytes;
    uint64_t topics;
    uint64_t parts;     /* parts that were sorted separately and then merged */
    bool sorted;        /* the lines were already in order */
} iv_sorted_lines;

/*
 * Tables of strata: columns stratum, N, n, r, and either `segment` (retrieved or
 * unretrieved) or a column for each run, which says whether the run retrieved the stratum
 * (1/0 or R/N).  The order of columns does not matter; other columns are ignored.
 */

typedef struct iv_strata_row {
    iv_str name;
    int64_t size, sampled, relevant; /* N, n, r */
    uint64_t line;                   /* line of the file, for messages; 0: none */
} iv_strata_row;

/* A table, read from a file or made by the caller. */
typedef struct iv_strata_table {
    const iv_strata_row *rows;
    const iv_str *runs;     /* a table with a column `segment` has one, "review" */
    const bool *retrieved;  /* for each run, one value for each row */
    size_t row_count, run_count;
    const char *path;       /* NULL: no file */
    uint64_t bytes;         /* size of the file on disk */
    const char *ignored;    /* names of other columns, quoted; "" or NULL: none */
    iv_str verdict;         /* of the judging session that it was exported from; empty: none */
} iv_strata_table;

/*
 * Reads `count` runs, many at a time; the caller frees out[0 ... count - 1].
 * On failure out is untouched, and the error is that of the first bad file.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_runs_load(iv_run **out, const char *const *paths,
                                                      size_t count,
                                      iv_run_format format, const iv_work *work, iv_err *err);

/*
 * Judgments and runs: in files, or in memory.  Files are read one at a time and
 * released as soon as they are scored.  Judgments in memory must outlive the result.
 */
typedef struct iv_source {
    const char *judgments; /* a file; "-" is standard input */
    iv_judgments_format judgments_format;
    const iv_judgments *judged; /* instead of the file */
    iv_texts runs;         /* files */
    iv_run_format run_format;
    const iv_run *const *ranked; /* instead of files */
    size_t ranked_count;
    /*
     * Files that are sorted by topic (all by bytes, or all by number) are scored some topics
     * at a time, with the same result.  0: this is done for large, plain, regular files;
     * others are read into memory.  Above 0 it is always done, with about this number of bytes
     * besides the scores that are kept, also for pipes; files that are
     * not sorted, packed or of sampled judgments are IV_EPARSE.
     */
    uint64_t memory;
    /* With memory (0: 256 MB), files are sorted first, into files without names in a folder
     * (NULL: /tmp); lines that messages name are then those of the sorted copy. */
    bool sort;
    const char *folder;
    /*
     * Files of iv_write_scores(), instead of judgments and runs: runs of one name are one run, and
     * a topic that a run has in one part and lacks in another it has.  How topics were scored
     * stands in them; options.measures chooses among theirs (none: all).  IV_EPARSE, with the
     * file's name: a part that is truncated, damaged, of another version, scored otherwise than the
     * first; a topic whose judgments or whose scores of a run differ from those of a part before
     * it, as when its lines were split over two.
     */
    iv_texts parts;
} iv_source;

/* Scores of any kind, as several questions take them. */

/* Whether the sets of a suite are fixed, or a sample of such sets. */
typedef enum iv_sets { IV_SETS_FIXED, IV_SETS_SAMPLED } iv_sets;

/* "fixed", "sampled", NULL. */
IV_API const char *const *iv_sets_names(void);

/* {0}: there are none. */
typedef struct iv_score_input {
    bool given;           /* the question is about these, not about judgments and runs */
    iv_score_source from;
    iv_sets sets;
    iv_texts set_weights; /* "SET=2.5"; other sets have weight 1 */
    bool binary;          /* scores must be 0 or 1 */
    const char *success;  /* "score >= 0.7": which attempts pass@k counts; NULL: those of 1 */
    iv_texts lower;       /* measures of which lower is better; none: those with such a name */
} iv_score_input;

IV_END_C

#endif /* INTERVALE_TREC_H */
