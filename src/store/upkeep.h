/* SPDX-License-Identifier: Apache-2.0 */
/* Backup, check, import and ranking of a session. */
#ifndef IV_STORE_UPKEEP_H
#define IV_STORE_UPKEEP_H

#include "store/session.h"

/* A whole copy of the file, beside it and then renamed; by the thread that appends. */
IV_MUST_CHECK int iv_store_backup(iv_store *s, const char *to, iv_err *err);

/* What a restore did; kept: the name of the session before, "" if there was none. */
typedef struct iv_restored {
    char kept[4096];
    int64_t judgments;
} iv_restored;

/*
 * Puts a copy of `backup` in the place of the session `to`, which stays under another name together
 * with its log.  IV_EPARSE: the backup is damaged.  IV_EIO: `to` is in use.  IV_EARG: it is another
 * session and `force` is not given.
 */
IV_MUST_CHECK int iv_store_restore(iv_restored *out, const char *backup, const char *to, bool force,
                                   iv_err *err);

/* Is the file whole: SQLite's own check, that what is derived from the log equals it, that packed
 * texts can be unpacked and that the design can be read.  IV_EPARSE with the first thing that is
 * wrong. */
IV_MUST_CHECK int iv_store_check(iv_store *s, iv_err *err);

/* How closely a session is looked at. */
typedef enum iv_check {
    IV_CHECK_LOG,  /* judgments and what they are about, by their seals */
    IV_CHECK_FAST, /* also settings, and that the last words of assessors are those of the log */
    IV_CHECK_ALL   /* also texts, and SQLite's own check of every page */
} iv_check;

/* The same without the design, so closely, by a connection of its own: beside other work. */
IV_MUST_CHECK int iv_store_check_as(iv_store *s, iv_check how, iv_err *err);

/* The last checksum of the log, which is of all judgments before it; "" in a session of 0.2 or 0.3
 * that was not written since. */
enum { IV_CHECKSUM_SIZE = 65 };
IV_MUST_CHECK int iv_store_checksum(char out[IV_CHECKSUM_SIZE], iv_store *s, iv_err *err);

/* Ends every query that reads, and each that comes after: IV_ECANCELLED.  By any thread. */
void iv_store_end_reads(iv_store *s);

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
    size_t reviewers, maybe;      /* reviewers of Rayyan in the file; their votes "Maybe" */
    bool each;                    /* they are assessors of the session: each has their own labels */
    char names[200];              /* theirs: "Al, Jo" */
} iv_imported;

/*
 * Judgments of a file as the words of an assessor (NULL: the owner), in one transaction; a
 * grade that the assessor's last word has is not stored again.  IV_ENODATA when no document is
 * the session's, IV_EPARSE for a grade that the session does not have.
 */
IV_MUST_CHECK int iv_store_import(iv_imported *out, iv_store *s, const char *path,
                                  const char *assessor, const iv_work *work, iv_err *err);

struct iv_store_input;

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
 * judged in a random order; IV_ENODATA: none of the documents is left.  Where it is from becomes an
 * input of the session; NULL: it is that of before.
 */
IV_MUST_CHECK int iv_store_rank(iv_ranked *out, iv_store *s, const iv_str *names, size_t count,
                                const struct iv_store_input *from, iv_err *err);
IV_MUST_CHECK int iv_store_rank_file(iv_ranked *out, iv_store *s, const char *path,
                                     const iv_work *work, iv_err *err);

/* What is left to judge in a random order: the first of it are then a sample of it. */
IV_MUST_CHECK int iv_store_rank_random(iv_ranked *out, iv_store *s, const iv_work *work,
                                       iv_err *err);

/* The documents of the session that a file of references names, in its order; of the arena. */
IV_MUST_CHECK int iv_store_find_references(iv_str **out, size_t *count, iv_arena *a,
                                           iv_store *s, const char *path, const iv_work *work,
                                           iv_err *err);

#endif
