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
#ifndef IV_STORE_STORE_H
#define IV_STORE_STORE_H

#include "intervale/base.h"

typedef struct iv_store iv_store;
typedef struct iv_arena iv_arena;

/* ------------------------------------------------------------- opening -- */

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

/* ------------------------------------------------------------- session -- */

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
    const char *tags;             /* offered for notes, with commas between; "" if there are none */
    double target;                /* 0: none */
    iv_store_stop stop;
    int64_t stop_number;
    bool interleaved;             /* items of all topics in turn; else topic by topic */
    bool hide_interval;           /* assessors do not see the live numbers */
    size_t items, topics, documents, strata;
} iv_store_about;

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

/* ----------------------------------------------------------- assessors -- */

enum { IV_ASSESSORS_MOST = 64, IV_TOKEN_SIZE = 33 }; /* 32 hexadecimal digits and an end */

/* An assessor holds at most IV_LEASES items, the one on the screen and the next, until
 * IV_HOLD_SECONDS after the last request. */
enum { IV_LEASES = 2, IV_HOLD_SECONDS = 120 };

typedef struct iv_assessor {
    int64_t id;   /* from 1, in the order they were added */
    const char *name;
    bool owner;   /* sees the overview, adjudicates, exports */
    bool revoked;
    bool script;  /* a program: its token is used without a page, and may export and rank */
    char token_sha256[65];     /* "" if there is none */
    int64_t leased[IV_LEASES]; /* items, as they are shown; 0: none */
    int64_t seen;              /* when the last request came, of the clock of iv_store_wish */
} iv_assessor;

/* All, in the order they were added; returns how many.  The first is the owner.  Borrowed: id,
 * name and owner never change. */
size_t iv_store_assessors(const iv_assessor **out, iv_store *s);

/* The assessor of that id, copied as it is now; false: no such.  By any thread. */
bool iv_store_assessor(iv_assessor *out, iv_store *s, int64_t id);

/* Adds one (IV_EARG: the name is taken, is none, or there are too many). */
IV_MUST_CHECK int iv_store_assessor_add(int64_t *id, iv_store *s, const char *name, iv_err *err);

/* Takes an assessor's right to judge; the judgments stay.  IV_ENODATA: no such. */
IV_MUST_CHECK int iv_store_assessor_revoke(iv_store *s, const char *name, iv_err *err);

/* A new token of an assessor, from the system's random numbers; only its SHA-256 is kept, so
 * that the token can be had here and never again; an older one is void. */
IV_MUST_CHECK int iv_store_token_new(char out[IV_TOKEN_SIZE], iv_store *s, int64_t assessor,
                                     iv_err *err);

/* A new token for a script of that name, which becomes an assessor if it is none. */
IV_MUST_CHECK int iv_store_script_token(char out[IV_TOKEN_SIZE], iv_store *s, const char *name,
                                        iv_err *err);

/* A token: 32 hexadecimal digits from the system's random numbers. */
IV_MUST_CHECK int iv_token_random(char out[IV_TOKEN_SIZE], iv_err *err);

/* Are two SHA-256 in hexadecimal digits the same?  In constant time. */
bool iv_same_digest(const char *a, const char *b);

/* Whose token is it?  Compared in constant time; the assessor's id, or 0. */
int64_t iv_store_token_owner(iv_store *s, iv_str token);

/* --------------------------------------------------------------- items -- */

/* Why an assessor gets an item. */
typedef enum iv_store_role {
    IV_ROLE_FIRST = 1,   /* nobody judged it */
    IV_ROLE_OVERLAP,     /* somebody else did, and it is to be judged twice */
    IV_ROLE_ADJUDICATION /* two grades differ */
} iv_store_role;

/* State of an item, for one assessor or for all. */
typedef enum iv_store_state {
    IV_ITEM_ANY,
    IV_ITEM_OPEN,     /* needs a judgment */
    IV_ITEM_DONE,     /* judged, as often as it shall be */
    IV_ITEM_LATER,    /* put off */
    IV_ITEM_CANNOT,   /* somebody could not judge it */
    IV_ITEM_CONFLICT, /* grades differ, not adjudicated */
    IV_ITEM_NOTED     /* has a note */
} iv_store_state;
const char *const *iv_store_state_names(void); /* "any", "open", "done", "later", ... NULL */

/* Why a judgment was written. */
typedef enum iv_store_reason {
    IV_REASON_JUDGED,
    IV_REASON_CANNOT,     /* no grade: "cannot judge"; exported as -1 */
    IV_REASON_LATER,      /* no grade: comes again when nothing else is left */
    IV_REASON_UNDO,       /* takes the assessor's last word on the item back */
    IV_REASON_IMPORTED,
    IV_REASON_ADJUDICATED /* the owner's last word on a conflict */
} iv_store_reason;
const char *const *iv_store_reason_names(void);

/* What somebody said of an item: the last word. */
typedef struct iv_store_word {
    int64_t seq;      /* 0: nothing */
    int64_t assessor;
    iv_store_reason reason;
    int32_t grade;    /* below 0: none */
    const char *at;   /* ISO 8601, UTC */
    const char *note; /* or "" */
    int64_t active_ms; /* in lists */
} iv_store_word;

typedef struct iv_store_item {
    int64_t item;
    size_t topic;          /* from 0 */
    iv_store_role role;
    const char *docno;     /* of the caller's arena, as all texts here */
    const char *title;     /* plain text, "" if none */
    const char *text;      /* plain text, tags taken out, UTF-8 */
    size_t text_bytes;
    bool missing;          /* the collection lacked it: only its id can be shown */
    iv_store_word mine;    /* of the assessor who asks */
    const iv_store_word *others; /* with IV_ROLE_ADJUDICATION or for the owner: all words */
    size_t other_count;
} iv_store_item;

/* What to hand out. */
typedef struct iv_store_wish {
    int64_t assessor;
    size_t topic;       /* + 1; 0: any */
    bool adjudicate;    /* items in conflict; the owner's */
    int64_t not_this;   /* an item that is being shown, for prefetching; 0: none */
    int64_t now;        /* seconds of any clock that does not go back; holds count by it */
} iv_store_wish;

/*
 * The next item for an assessor, who holds it until it is judged or no request has come for
 * IV_HOLD_SECONDS (asking again gives the same).  IV_ENODATA: there is none for this assessor
 * now; iv_store_holds() tells what others hold.  O(1) but for the document, which is read from
 * the file.
 */
IV_MUST_CHECK int iv_store_next(iv_store_item *out, iv_arena *a, iv_store *s,
                                const iv_store_wish *wish, iv_err *err);

/* Any request of an assessor: what they hold stays theirs. */
void iv_store_seen(iv_store *s, int64_t assessor, int64_t now);

/* Holds end so many seconds after the last request, in place of IV_HOLD_SECONDS. */
void iv_store_hold_for(iv_store *s, int64_t seconds);

/* Gives back what an assessor holds; returns how many items these were. */
size_t iv_store_release(iv_store *s, int64_t assessor);

typedef struct iv_store_hold {
    int64_t assessor, item;
    int64_t idle; /* seconds since the assessor's last request */
} iv_store_hold;

/* Items that are held at w->now, by assessor: with w->assessor > 0 only those that others hold
 * and that this assessor could judge, of w->topic.  Returns how many. */
size_t iv_store_holds(iv_store_hold out[IV_ASSESSORS_MOST * IV_LEASES], iv_store *s,
                      const iv_store_wish *w);

/* An item as an assessor sees it, without a lease.  IV_ENODATA: no such item, or the
 * assessor may not see it (not the owner, and it was never theirs). */
IV_MUST_CHECK int iv_store_item_at(iv_store_item *out, iv_arena *a, iv_store *s, int64_t item,
                                   int64_t assessor, iv_err *err);

/* Items without their texts, each with a word as `mine`: an assessor's own words (assessor 0:
 * everybody's), newest first, below seq `before` (0:
 * all), at most `most`. */
IV_MUST_CHECK int iv_store_history(const iv_store_item **out, size_t *count, iv_arena *a,
                                   iv_store *s, int64_t assessor, int64_t before, size_t most,
                                   iv_err *err);

/* Items in a state, as seen by an assessor (0: by all), from item `from` on (0: the first); with
 * `text` those that have it in id, title, text or note, in any case of letters. */
IV_MUST_CHECK int iv_store_items(const iv_store_item **out, size_t *count, iv_arena *a,
                                 iv_store *s, int64_t assessor, iv_store_state state,
                                 const char *text, int64_t from, size_t most, iv_err *err);

/* ----------------------------------------------------------- judgments -- */

enum { IV_UUID_SIZE = 37, IV_NOTE_BYTES = 8192 };

/* Is the text one, in lower case, 8-4-4-4-12? */
bool iv_is_uuid(const char *text);

/* What became of an entry. */
typedef enum iv_store_fate {
    IV_STORED_NEW,     /* it is on the disk */
    IV_STORED_BEFORE,  /* it was already, the same */
    IV_STORED_OTHER,   /* that uuid is there with another content: refused (409) */
    IV_STORED_REFUSED  /* no such item, grade, assessor; see why (422) */
} iv_store_fate;

typedef struct iv_store_entry {
    char uuid[IV_UUID_SIZE]; /* lower case, 8-4-4-4-12 */
    int64_t item, assessor;
    iv_store_reason reason;
    int32_t grade;           /* with JUDGED, IMPORTED and ADJUDICATED */
    int64_t replaces;        /* UNDO: the seq that is taken back; 0: the last word on item */
    int64_t active_ms, away_ms; /* capped to a day; below 0: 0 */
    const char *note;        /* NULL: none; at most IV_NOTE_BYTES of UTF-8 */
    /* Filled in: */
    iv_store_fate stored;
    int64_t seq;             /* of STORED_NEW and BEFORE */
    char why[120];           /* of STORED_OTHER and REFUSED */
} iv_store_entry;

/*
 * Appends `count` entries, of one or several assessors, as one durable transaction.  IV_OK: each
 * entry says what became of it, and what is stored is on the disk.  On failure nothing is
 * stored (as far as anybody can know) and nothing may be acknowledged.
 */
IV_MUST_CHECK int iv_store_append(iv_store *s, iv_store_entry *entries, size_t count,
                                  iv_err *err);

/* The number of the last judgment: a version of everything that is judged.  Cheap. */
int64_t iv_store_seq(const iv_store *s);

/* ------------------------------------------------------------ overview -- */

typedef struct iv_store_counts {
    size_t items, judged, open, later, cannot, conflicts, settled, twice;
    /* conflicts: documents whose grades differ; settled: those by the owner's last word; later:
     * documents put off that need a judgment; open: judgments that are to come, two of a document
     * that two shall judge; twice: documents judged by two */
    int64_t judgments; /* in the log */
} iv_store_counts;

IV_MUST_CHECK int iv_store_count(iv_store_counts *out, iv_store *s, iv_err *err);

/* What memory knows of them: all but later and cannot. */
iv_store_counts iv_store_count_queue(iv_store *s);

/* Documents that the assessor has judged, also as "cannot judge". */
size_t iv_store_judged_by(iv_store *s, int64_t assessor);

/* How an assessor is doing. */
typedef struct iv_assessor_row {
    int64_t id;
    const char *name;
    bool revoked;
    int64_t judged, relevant, cannot, later, undone; /* cannot: of those judged;
                                                      * later: that still need a judgment */
    double median_ms;   /* of the active time of a judgment; NaN: none */
    int64_t timed;      /* judgments that it is of */
    const char *last;   /* when, or NULL */
    double seconds;     /* the median, to a tenth */
    const char *may;    /* "judge" or "revoked" */
} iv_assessor_row;
IV_MUST_CHECK int iv_store_assessor_rows(const iv_assessor_row **out, size_t *count,
                                         iv_arena *a, iv_store *s, iv_err *err);

/* -------------------------------------------------------------- export -- */

typedef enum iv_store_form {
    IV_EXPORT_USUAL,  /* the form it was made from */
    IV_EXPORT_PRELS,  /* the design, filled in */
    IV_EXPORT_QRELS,
    IV_EXPORT_STRATA, /* stratum, N, n, r */
    IV_EXPORT_LOG,    /* review: stratum, relevant, block in their order; else every word */
    IV_EXPORT_LABELS, /* item, assessor, label: what `agree` reads */
    IV_EXPORT_RIS,    /* id, title, abstract and label of each document, as ASReview reads it */
    IV_EXPORT_CSV     /* the same as a table */
} iv_store_form;
const char *const *iv_store_form_names(void); /* "usual", "prels", "qrels", "strata", "log",
                                                 "labels", "ris", "csv", NULL */

typedef struct iv_export_options {
    iv_store_form form;
    const char *combine; /* "last", "majority", "median", "adjudicated" or an assessor's name;
                            NULL: "adjudicated", where there is no word of the owner the last */
    bool or_others;      /* where that assessor has said nothing, as adjudicated */
    bool partial;        /* not all is judged: what the judged prefix of the order tells */
} iv_export_options;

/* Relevant control documents without which the rule qbcb demonstrates no such recall (95 %). */
size_t iv_store_control_least(double target);

/* What the reader of an export must know. */
typedef struct iv_exported {
    size_t written, unjudged, cannot, undecided; /* undecided: no majority */
    size_t topics_left_out; /* partial: nothing can be told of them yet */
    size_t control; /* references: judged before, and not among those written */
} iv_exported;

/* Writes what is judged.  IV_ENODATA when something is not judged and partial is not asked;
 * IV_EPARSE when the last words are not those of the log, which itself is
 * written nevertheless, or an item's document is not of the form. */
IV_MUST_CHECK int iv_store_export(iv_exported *done, FILE *out, iv_store *s,
                                  const iv_export_options *o, iv_err *err);

/* --------------------------------------------------------- maintenance -- */

/* A whole copy of the file, beside it and then renamed; by the thread that appends. */
IV_MUST_CHECK int iv_store_backup(iv_store *s, const char *to, iv_err *err);

/* Is the file whole: SQLite's own check, that what is derived from the log equals it, that packed
 * texts can be unpacked and that the design can be read.  IV_EPARSE with the first thing that is
 * wrong. */
IV_MUST_CHECK int iv_store_check(iv_store *s, iv_err *err);

/* Texts under keys: what a session is about and, with keys that begin with "set:", what a server
 * keeps beside judgments: keys, visits, its port. */

/* The text kept under a key, terminated, of the arena; ptr NULL: none. */
IV_MUST_CHECK int iv_store_value(iv_str *out, iv_arena *a, iv_store *s, const char *key,
                                 iv_err *err);

/* Keeps a text, durably, in place of the one before.  By the thread that appends. */
IV_MUST_CHECK int iv_store_value_put(iv_store *s, const char *key, const char *text,
                                     iv_err *err);

/* Has a synchronisation failed, so that only a restart helps? */
bool iv_store_refuses(iv_store *s);

typedef struct iv_imported {
    size_t found, stored, others; /* judgments of the session's documents; of those, new ones;
                                     judgments of other documents, which are excluded */
    size_t changed;               /* of those stored: another grade counted before */
    size_t undecided;             /* records whose reviewers in Rayyan did not agree */
} iv_imported;

/*
 * Judgments of a file as the words of an assessor (NULL: the owner), in one transaction; a
 * grade that the assessor's last word has is not stored again.  IV_ENODATA when no document is
 * the session's, IV_EPARSE for a grade that the session does not have.
 */
IV_MUST_CHECK int iv_store_import(iv_imported *out, iv_store *s, const char *path,
                                  const char *assessor, const iv_work *work, iv_err *err);

/* What a ranking names. */
typedef struct iv_ranked {
    size_t named, placed; /* all documents, and those that are left to judge */
    size_t control;       /* control documents that were not found and that it does not name */
    size_t judged, relevant; /* documents that are judged by now */
} iv_ranked;

/*
 * Puts what is left to judge into the order of a ranking: documents by name, the best first; those
 * that it does not name stay behind, in their order.  A control sample stays in front, and its
 * documents get new places among the others.  A
 * file is a list, a run, or references such as a project of ASReview.  IV_EARG: the session is
 * judged in a random order; IV_ENODATA: none of the documents is left.
 */
IV_MUST_CHECK int iv_store_rank(iv_ranked *out, iv_store *s, const iv_str *names, size_t count,
                                iv_err *err);
IV_MUST_CHECK int iv_store_rank_file(iv_ranked *out, iv_store *s, const char *path,
                                     const iv_work *work, iv_err *err);

/* What is left to judge in a random order: the first of it are then a sample of it. */
IV_MUST_CHECK int iv_store_rank_random(iv_ranked *out, iv_store *s, const iv_work *work,
                                       iv_err *err);

/* The documents of the session that a file of references names, in its order; of the arena. */
IV_MUST_CHECK int iv_store_find_references(iv_str **out, size_t *count, iv_arena *a,
                                           iv_store *s, const char *path, const iv_work *work,
                                           iv_err *err);

#endif /* IV_STORE_STORE_H */
