/* SPDX-License-Identifier: Apache-2.0 */
/* Runs: the ranked lists of a system, one for each topic. */
#ifndef INTERVALE_TREC_RUNS_H
#define INTERVALE_TREC_RUNS_H

#include "intervale/base.h"

IV_BEGIN_C

/* No such topic, no such index. */
#define IV_NONE SIZE_MAX

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

/*
 * Reads `count` runs, many at a time; the caller frees out[0 ... count - 1].
 * On failure out is untouched, and the error is that of the first bad file.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_runs_load(iv_run **out, const char *const *paths,
                                                      size_t count,
                                      iv_run_format format, const iv_work *work, iv_err *err);

IV_END_C

#endif
