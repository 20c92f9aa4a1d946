/* SPDX-License-Identifier: Apache-2.0 */
/*
 * store -- a judging session in one SQLite file: topics, the documents that are to be
 * judged with their texts, the order in which they come, who judges, and every judgment
 * ever made.
 *
 * What was acknowledged is on the disk: iv_store_append() returns when the transaction is
 * synchronised.  The log is append-only; a judgment is known by its uuid, so that it may be
 * sent again.  Exactly one process holds a file for writing (a lock on the file itself).
 *
 * Threads: one iv_store may be used by many.  iv_store_append() is for one thread at a
 * time and is the only function that waits for the disk; iv_store_next() and everything that
 * reads does not wait for it.  Texts in structs are borrowed until the store is closed
 * unless it says otherwise; those in an iv_arena of the caller live as long as that.
 *
 * Errors are one line in iv_err.  IV_EIO: the disk refused, it is full, or the file is held
 * by another process; after a failed synchronisation the store refuses every append
 * (IV_EIO, "restart") since nobody can know what the disk has.  IV_EARG: what was asked cannot be.
 * IV_ENODATA: there is none.
 */
#ifndef IV_STORE_SESSION_H
#define IV_STORE_SESSION_H

#include "intervale/base.h"

typedef struct iv_store iv_store;
typedef struct iv_arena iv_arena;

typedef enum iv_store_mode {
    IV_STORE_READ,  /* beside a process that writes; sees what is committed */
    IV_STORE_WRITE  /* the one that writes */
} iv_store_mode;

/*
 * Opens a session.  IV_EPARSE: no such database, another program's, or one of a newer
 * version.  IV_EIO: it is held by another process (IV_STORE_WRITE), lies on a network file
 * system, or the system refuses.
 */
IV_MUST_CHECK int iv_store_open(iv_store **out, const char *path, iv_store_mode mode,
                                iv_err *err);

/* Folds the log of SQLite into the file and closes it.  NULL is fine. */
void iv_store_close(iv_store *s);

/* Folds the log of SQLite into the file: when nothing was asked for a second.  Waits for the
 * disk; by the thread that appends. */
IV_MUST_CHECK int iv_store_checkpoint(iv_store *s, iv_err *err);

/* What is judged. */
typedef enum iv_store_kind {
    IV_STORE_SAMPLE, /* a sample with its design, a file of `sample` */
    IV_STORE_QUEUE,  /* a list of documents in an order, of `next` or a run */
    IV_STORE_REVIEW  /* strata of a review, for recall */
} iv_store_kind;
const char *const *iv_store_kind_names(void); /* "sample", "queue", "review", NULL */

/* How may it be ended? */
typedef enum iv_store_stop {
    IV_STORE_STOP_NONE,
    IV_STORE_STOP_PLAN,    /* planned looks, stop_number of them */
    IV_STORE_STOP_ANYTIME, /* when the guaranteed limit is at the target */
    IV_STORE_STOP_QBCB     /* ranked review with a control sample: the first stop_number items,
                              or (0) documents that were judged before */
} iv_store_stop;
const char *const *iv_store_stop_names(void); /* "none", "plan", "anytime", "qbcb", NULL */

typedef struct iv_store_about {
    iv_store_kind kind;
    const int32_t *grades;        /* from 0, rising ... */
    const char *const *words;     /* ... and what each is called: "not", "partly" */
    size_t grade_count;
    int32_t level;                /* the lowest grade that is relevant */
    const char *guidelines;       /* plain text; "" if there are none */
    const char *tags;             /* offered for notes, with commas between and perhaps =GRADE
                                     behind; "" if there are none */
    double target;                /* 0: none */
    iv_store_stop stop;
    int64_t stop_number;
    bool interleaved;             /* items of all topics in turn; else topic by topic */
    bool hide_interval;           /* assessors do not see the live numbers */
    double overlap;               /* proportion of the documents that two judge */
    size_t items, topics, documents, strata;
} iv_store_about;

/* The identity of a session, made by judge new: 32 hexadecimal digits, "" in a session of 0.2 or
 * 0.3 that is only read.  Copies have the same. */
const char *iv_store_identity(const iv_store *s);

/* What does not change while it is judged; borrowed. */
const iv_store_about *iv_store_about_of(const iv_store *s);

/* A topic, from 0; name is its id in files, text what is asked, "" if not given. */
typedef struct iv_store_topic {
    const char *name, *text;
    size_t first, items; /* where its items begin in the order; in that of a queue others are among
                            them */
    size_t done;   /* items that need no further judgment, now */
    size_t judged; /* items that somebody has judged */
} iv_store_topic;
iv_store_topic iv_store_topic_at(iv_store *s, size_t topic);

#endif
