/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of items in memory: who has which, and what is done. */
#ifndef IV_STORE_QUEUE_H
#define IV_STORE_QUEUE_H

#include <math.h>
#include <pthread.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "base/ids.h"
#include "base/memory.h"
#include "store/assessors.h"
#include "store/items.h"
#include "store/session.h"

enum {
    IV_QUEUED_TWICE = 1,       /* two assessors shall judge it */
    IV_QUEUED_LATER = 2,       /* somebody put it off */
    IV_QUEUED_CONFLICT = 4,    /* labels differ ... */
    IV_QUEUED_ADJUDICATED = 8, /* ... and the owner has said a last word */
    IV_QUEUED_HELD = 16,       /* lease_by[0] has it, as long as that assessor is there ... */
    IV_QUEUED_HELD_TOO = 32    /* ... and lease_by[1] */
};

/* An item in memory: 16 bytes, item id - 1 is its place.  Two may hold one that two shall judge:
 * each needs a place of its own, or a third would get it too. */
typedef struct iv_queued {
    uint64_t judged;      /* a bit an assessor, from id 1 */
    uint8_t lease_by[2];  /* who have it or had it last; 0: nobody */
    uint8_t flags;
    uint16_t topic;
} iv_queued;

enum { IV_TOPICS_MOST = UINT16_MAX };

/* SQL, of rows of `current` of one item: do first labels differ?  A grade differs from "cannot
 * judge", too, unless the owner gave it where one judgment was wanted. */
#define IV_SQL_DIFFER "min(" IV_SQL_LABEL ") <> max(" IV_SQL_LABEL ")"
#define IV_SQL_LABEL                                                                         \
    "iif(final, NULL, iif(reason = 1, (SELECT 'x' FROM item t WHERE t.id = item AND (t.twice" \
    " OR NOT EXISTS (SELECT 1 FROM current o WHERE o.item = t.id AND o.assessor = 1"          \
    " AND o.grade IS NOT NULL))), grade))"

/* SQL, tables: first, the label that each person had stored when a second one had judged the
 * document too (of one person alone, the last): it cannot follow a decision.  began: its first. */
#define IV_SQL_FIRSTS                                                                         \
    "began AS (SELECT item, assessor, min(seq) AS seq FROM judgment WHERE reason IN (0, 1, 4)" \
    " GROUP BY item, assessor), second AS (SELECT item, seq FROM (SELECT item, seq,"           \
    " row_number() OVER (PARTITION BY item ORDER BY seq) AS n FROM began) WHERE n = 2),"       \
    " first AS (SELECT j.item, j.assessor, max(j.seq) AS seq, j.grade, j.reason, 0 AS final,"  \
    " b.seq AS began FROM judgment j JOIN began b USING (item, assessor) LEFT JOIN second s"   \
    " USING (item) WHERE j.reason IN (0, 1, 3, 4) AND (s.seq IS NULL"                          \
    " OR j.seq <= max(b.seq, s.seq)) GROUP BY j.item, j.assessor)"

/* SQL, of a row of `judgment`: was it made elsewhere?  A decision that took no time, too.  Its time
 * is that of the import. */
#define IV_SQL_ELSEWHERE "(reason = 4 OR (reason = 5 AND coalesce(active_ms, 0) = 0))"

struct iv_store {
    char *path;
    int file;            /* the database, held by flock() if locked; -1: none */
    bool locked;
    bool as_it_stands;   /* nobody writes it, nor can this process */
    int64_t version;     /* of its format */
    bool ending;         /* queries end at once; atomic */
    char identity[IV_TOKEN_SIZE]; /* "" in version 1 */
    struct stat log;     /* of SQLite's log when it was opened for writing */
    sqlite3 *db;         /* reads and writes; NULL in a store that reads only */
    sqlite3 *reads;      /* never waits for the disk */
    sqlite3_stmt *append_st[7];
    sqlite3_stmt *read_document, *read_words;
    pthread_mutex_t write_lock, read_lock, lock_queue;
    bool broken;         /* a synchronisation failed */
    iv_arena memory;
    iv_store_about about;
    iv_store_topic *topics;
    size_t *cursors;     /* of each topic, and of all: none before this place needs a judgment */
    uint64_t *judges;    /* of each topic, a bit an assessor; 0: all */
    iv_ids topic_ids;
    iv_queued *items;
    uint32_t *order, *place; /* items in the order of judging, and the place of each in it */
    iv_assessor assessor[IV_ASSESSORS_MOST];
    size_t assessor_count;
    size_t conflicts;
    int64_t hold;        /* seconds that a lease outlives the last request */
    int64_t seq;
};

/* Ends the transaction of a change of settings, which rc is of: seals and commits, or takes back.
 * With write_lock held. */
IV_MUST_CHECK int iv_store_commit_settings(iv_store *s, int rc, iv_err *err);

/* As iv_store_value_put(), with write_lock held and inside of a transaction that
 * iv_store_commit_settings() ends. */
IV_MUST_CHECK int iv_store_meta_put(iv_store *s, const char *key, const char *text, iv_err *err);

/* How many have judged it: 0, 1, or 2 for more, since none needs a third. */
static inline unsigned iv_queued_judged(const iv_queued *q)
{
    return (unsigned)(q->judged != 0) + (unsigned)((q->judged & (q->judged - 1)) != 0);
}

/* How many judgments the item still needs. */
static inline unsigned iv_queued_open(const iv_queued *q)
{
    const unsigned need = q->flags & IV_QUEUED_TWICE ? 2 : 1;
    const unsigned has = iv_queued_judged(q);

    return has < need ? need - has : 0;
}

static inline bool iv_queued_done(const iv_queued *q)
{
    return iv_queued_open(q) == 0;
}

/* The queue hears of a word of an assessor, and of what an item's words are now (with
 * lock_queue held). */
void iv_queue_word(iv_store *s, int64_t item, int64_t assessor, iv_store_reason reason);
void iv_queue_conflict(iv_store *s, int64_t item, bool conflict, bool adjudicated);

/* Gives back what an assessor holds (with lock_queue held); how many items these were. */
size_t iv_queue_release(iv_store *s, int64_t assessor);

/* Is it text that a name of an assessor may be? */
bool iv_assessor_name_is(const char *name);

/* IV_EARG for what is no name of an assessor. */
IV_MUST_CHECK int iv_assessor_name_check(const char *name, iv_err *err);

/* Is there such an item, and such a reason? */
static inline bool iv_store_knows(const iv_store *s, int64_t item, int64_t reason)
{
    return item >= 1 && (size_t)item <= s->about.items && reason >= 0
        && reason <= IV_REASON_ADJUDICATED;
}

/* The topic of an item. */
static inline size_t iv_queue_topic_of(const iv_store *s, int64_t item)
{
    return s->items[item - 1].topic;
}

#endif
