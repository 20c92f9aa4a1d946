/* SPDX-License-Identifier: Apache-2.0 */
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
#ifndef INTERVALE_TREC_SCORE_TABLE_H
#define INTERVALE_TREC_SCORE_TABLE_H

#include "intervale/base.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_TREC_SCORE_TABLE_H */
