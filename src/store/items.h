/* SPDX-License-Identifier: Apache-2.0 */
/* Documents to judge: which is next, who has it, and its state. */
#ifndef IV_STORE_ITEMS_H
#define IV_STORE_ITEMS_H

#include "store/assessors.h"
#include "store/session.h"

/* Why an assessor gets an item. */
typedef enum iv_store_role {
    IV_ROLE_FIRST = 1,   /* nobody judged it */
    IV_ROLE_OVERLAP,     /* somebody else did, and it is to be judged twice */
    IV_ROLE_ADJUDICATION /* labels differ */
} iv_store_role;

/* State of an item, for one assessor or for all. */
typedef enum iv_store_state {
    IV_ITEM_ANY,
    IV_ITEM_OPEN,     /* needs a judgment */
    IV_ITEM_DONE,     /* judged, as often as it shall be */
    IV_ITEM_LATER,    /* put off */
    IV_ITEM_CANNOT,   /* somebody could not judge it */
    IV_ITEM_CONFLICT, /* labels differ, not adjudicated */
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
    const char *journal;   /* of a reference, as the next two; "" if none */
    const char *doi, *url; /* "10.1000/x"; "https://..." */
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

#endif
