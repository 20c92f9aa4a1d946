/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scores of any kind.  Each record has the score of a system on an item, and optionally a
 * repeat (such as a seed), a cluster of items, a set of items, and a weight.
 *
 * Scores come from arrays in memory or from files, whose format is detected from the content
 * (doc/formats.md): tables with a header (CSV, TSV), tables with systems or items as
 * columns, JSON lines, JSON arrays, logs of lm-evaluation-harness and Inspect, dictionaries
 * of pytrec_eval, ranx and BEIR, lines of trec_eval -q, and tables of this library.
 */
#ifndef INTERVALE_TREC_SCORE_SOURCES_H
#define INTERVALE_TREC_SCORE_SOURCES_H

#include "intervale/base.h"

IV_BEGIN_C

/* Automatic scores are stored as their quantile in the file, in this many parts. */
enum { IV_SCORE_PARTS = 1000 };

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

#endif
