/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of making a session: its items, strata and queue. */
#ifndef IV_STORE_BUILDER_ITEMS_H
#define IV_STORE_BUILDER_ITEMS_H

#include <sqlite3.h>

#include "base/ids.h"
#include "base/memory.h"
#include "intervale/trec/relevance_judgments.h"
#include "intervale/trec/runs.h"
#include "store/bibliography.h"
#include "store/builder.h"
#include "store/session.h"

typedef struct iv_builder_item {
    uint32_t topic, document, stratum, block; /* stratum from 0 */
    bool twice;
} iv_builder_item;

typedef struct iv_builder_stratum {
    iv_str name;
    int64_t size;
    bool retrieved;
    iv_str *docnos;      /* its documents, in a random order ... */
    size_t count, judge; /* ... and how many of them are judged, the first */
    const char *path;    /* of the list */
} iv_builder_stratum;

typedef struct iv_builder {
    const iv_session_plan *plan;
    const iv_work *work;
    iv_arena memory;
    iv_session_made made;
    iv_store_kind kind;
    iv_ids topics, documents;
    iv_builder_item *items;
    size_t count, capacity;
    iv_builder_stratum *strata;
    size_t stratum_count;
    iv_str form;          /* what an export fills in */
    const char *grades;
    const char **assessors;
    size_t assessor_count;
    iv_store_stop stop;
    int64_t stop_number, level;
    iv_bibliography references;
    iv_run **runs;        /* of a queue */
    size_t run_count;
    iv_judgments *judged; /* that are there; NULL: none */
    char *known;          /* qbcb: of each document of the control, how many of the queue stand
                             before it in the run: of those in the session, in the order of
                             items, or of those that were judged before and are relevant */
    char *known_names;    /* their names */
    size_t known_count;   /* relevant ones that were judged before, ranked or not */
    const char *path;     /* of the session */
    sqlite3 *db;
    sqlite3_stmt *put, *keep;
} iv_builder;

/* What is to be judged, by what the plan names. */
IV_MUST_CHECK int iv_builder_design(iv_builder *m, iv_err *err);
IV_MUST_CHECK int iv_builder_queue(iv_builder *m, iv_err *err);
IV_MUST_CHECK int iv_builder_review(iv_builder *m, iv_err *err);

/* Checks options and completes them. */
IV_MUST_CHECK int iv_builder_options(iv_builder *m, iv_err *err);

/* A whole file, unpacked, in the arena. */
IV_MUST_CHECK int iv_store_text(iv_str *out, iv_arena *a, const char *path, const iv_work *work,
                                iv_err *err);

/* Its lines, a document each. */
IV_MUST_CHECK int iv_store_names(iv_str **out, size_t *count, iv_arena *a, const char *path,
                                 const iv_work *work, iv_err *err);

#endif
