/* SPDX-License-Identifier: Apache-2.0 */
/* A plan of a session, and the session made from it. */
#ifndef IV_STORE_BUILDER_H
#define IV_STORE_BUILDER_H

#include "base/err.h"
#include "base/memory.h"

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
    iv_texts queue;           /* runs: what they return, in the order of iv_judging_list(); of one
                                 run in its order; or references, in the order of the files */
    const char *ids;          /* a list of documents, one topic; families stay together */
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
    const char *assessors;    /* "anna,ben", the first is the owner; NULL: one, "assessor" */
    const char *adjudicator;  /* who decides disagreements and judges nothing; NULL: the owner */
    const char *assign;       /* a file of lines "topic assessor,assessor": who judges a topic;
                                 NULL, and topics that are not in it: all */
    double overlap;           /* share of items that two judge */
    iv_store_order order;
    double target;
    const char *stop;         /* "none", "plan:5", "anytime", "qbcb"; NULL: none */
    bool hide_interval;
    /* "wrong-design=0,privileged": offered beside a note, with a grade that they give or none;
     * NULL: none */
    const char *tags;
} iv_session_plan;

/* What was made. */
typedef struct iv_session_made {
    size_t items, topics, documents, missing, twice, judged_before, duplicates, skipped;
    size_t alike; /* records that resemble another, and stay */
    size_t labelled, renamed; /* records with a label, which is not stored; with another id */
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

#endif
