/* SPDX-License-Identifier: Apache-2.0 */
/* Judgments as entries of a log to which lines are only added. */
#ifndef IV_STORE_ENTRIES_H
#define IV_STORE_ENTRIES_H

#include "store/items.h"
#include "store/session.h"

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
    const char *docno;       /* of the document that was seen; NULL: item tells */
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

#endif
