/* SPDX-License-Identifier: Apache-2.0 */
/* Making a session: what is judged, in which order, and the texts that people see. */
#ifndef IV_STORE_BUILDER_H
#define IV_STORE_BUILDER_H

#include "base/ids.h"
#include "base/memory.h"
#include "store/bibliography.h"
#include "store/db.h"
#include "store/documents.h"
#include "store/store.h"
#include "intervale/trec.h"

/* What to do about a document or a topic of the queue that no file has. */
typedef enum iv_missing {
    IV_MISSING_REFUSE,
    IV_MISSING_SHOW_ID /* people see its id */
} iv_missing;
const char *const *iv_missing_names(void); /* "refuse", "show-id", NULL */

typedef enum iv_store_order { IV_ORDER_TOPIC, IV_ORDER_INTERLEAVED } iv_store_order;
const char *const *iv_store_order_names(void); /* "topic", "interleaved", NULL */

/* One of design, queue and strata says what is judged. */
typedef struct iv_session_plan {
    const char *design;       /* judgments to fill in: a sample, or qrels with grades of -1 */
    iv_texts queue;           /* runs: what they return, in the order of iv_inquiry_list(); of one
                                 run in its order; or references, in the order of the files */
    const char *judged;       /* with queue: qrels that are there */
    size_t control;           /* of the queue: documents drawn at random and judged first, by
                                 which the rule qbcb stops; 0: none */
    size_t count, depth;      /* of the queue: documents in all, ranks of a run; 0: all */
    const char *strata;       /* a table of strata, n of each to judge (all 0: all) ... */
    const char *lists;        /* ... and a folder with a file of documents for each */
    iv_texts documents;
    const char *topics;
    iv_missing missing;
    const char *grades;       /* "0:not relevant,1:relevant"; NULL: that */
    int64_t level;            /* lowest relevant grade; 0: 1, IV_ZERO: 0 */
    const char *guidelines;   /* a file */
    iv_texts assessors;       /* none: one, "assessor"; the first is the owner */
    double overlap;           /* share of items that two judge */
    iv_store_order order;
    double target;
    const char *stop;         /* "none", "plan:5", "anytime", "qbcb"; NULL: none */
    bool hide_interval;
    /* "wrong-design,wrong-population": offered beside a note; NULL: none */
    const char *tags;
} iv_session_plan;

/* What was made. */
typedef struct iv_session_made {
    size_t items, topics, documents, missing, twice, judged_before, duplicates, skipped;
    bool references;
    char skipped_at[400]; /* the first of them */
} iv_session_made;

/*
 * Makes a session; the file appears whole or not at all.  IV_EIO when it is there already, for
 * a network file system or a full disk; IV_EPARSE, with file and line, for what cannot be read;
 * IV_ENODATA when nothing is to be judged or a document is nowhere found.
 */
IV_MUST_CHECK int iv_session_make(iv_session_made *out, const char *path,
                                  const iv_session_plan *plan, const iv_work *work, iv_err *err);

/* ------------------------------------------------------------ the parts -- */

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
    const char *path;     /* of the session, which is written as: */
    char *temporary;
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
IV_MUST_CHECK int iv_builder_text(iv_str *out, iv_builder *m, const char *path, iv_err *err);

#endif /* IV_STORE_BUILDER_H */
