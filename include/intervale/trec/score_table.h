/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scores of any kind, one a record: of a system on an item, perhaps the repeat of one,
 * perhaps an item of a cluster, of a suite's set, with a weight.
 *
 * Read from files: tables with a header (CSV, TSV), JSON lines, JSON arrays, the samples
 * of lm-evaluation-harness and of Inspect, dictionaries of pytrec_eval, ranx and BEIR,
 * trec_eval's -q lines, this library's own tables; told by content (doc/formats.md).
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

/* Files, or else arrays of one length; those that are empty are not there. */
typedef struct iv_score_source {
    iv_texts files;
    iv_texts columns; /* of files: "system=model"; in JSON a dot goes into an object;
                         "binary=correct" is the score, declared to be 0 or 1 */
    iv_reals score;
    iv_texts system, item, measure, repeat, cluster, suite;
    iv_reals weight;
} iv_score_source;

/* A score, by numbers of names. */
typedef struct iv_one_score {
    uint32_t measure, system, item, repeat;
    double score;
} iv_one_score;

/* All of them; arrays are borrowed. */
typedef struct iv_score_view {
    const char *const *systems, *const *measures, *const *repeats, *const *clusters,
        *const *suites; /* as they first come */
    const iv_str *items; /* with suites "suite/item" */
    size_t system_count, measure_count, item_count;
    size_t repeat_count;  /* names of repeats; 0: there is no such column */
    size_t cluster_count; /* 0: no such column; items without one are one each */
    size_t suite_count;   /* 0: no such column */
    const uint32_t *cluster, *suite; /* by item; NULL: none */
    const double *weight;            /* by item; NULL: none */
    const iv_one_score *scores;         /* by measure, system, item, repeat, each once */
    size_t count;
    iv_texts files;             /* that were read, with those of folders */
    const uint64_t *file_bytes; /* by file, as they are kept */
    bool binary;         /* a column was declared so */
    const char *columns; /* "system = model, item = doc_id"; "" if all are named like their roles */
    size_t empty;        /* records without a score, left out ... */
    const char *first_empty; /* ... the first of them, FILE:LINE: whose; "" */
} iv_score_view;

typedef struct iv_score_table iv_score_table;

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_TREC_SCORE_TABLE_H */
