/* SPDX-License-Identifier: Apache-2.0 */
/* Inside a store. */
#ifndef IV_STORE_STORE_PARTS_H
#define IV_STORE_STORE_PARTS_H

#include <pthread.h>
#include <sys/stat.h>

#include "base/ids.h"
#include "intervale/trec.h"
#include "store/db.h"
#include "store/store.h"

/* "iv" and the format: other programs' files are told by it. */
enum { IV_STORE_APPLICATION = 0x69766a64, IV_STORE_VERSION = 1 };

/* Tables, triggers, and what the header of the file says. */
extern const char iv_store_schema[];

/* ----------------------------------------------------------- the queue -- */

enum {
    IV_QUEUED_TWICE = 1,       /* two assessors shall judge it */
    IV_QUEUED_LATER = 2,       /* somebody put it off */
    IV_QUEUED_CONFLICT = 4,    /* grades differ ... */
    IV_QUEUED_ADJUDICATED = 8, /* ... and the owner has said a last word */
    IV_QUEUED_HELD = 16        /* lease_by has it, as long as that assessor is there */
};

/* An item in memory: 16 bytes, item id - 1 is its place. */
typedef struct iv_queued {
    uint64_t judged;      /* a bit an assessor, from id 1 */
    uint8_t lease_by, flags; /* lease_by: who has it or had it last; 0: nobody */
    uint16_t topic;
} iv_queued;

enum { IV_TOPICS_MOST = UINT16_MAX };

/* A stretch of items in the order of judging: a topic's, or of all topics. */
typedef struct iv_lane {
    size_t first, count;
    size_t cursor; /* those before it need no judgment */
} iv_lane;

typedef struct iv_queued_assessor {
    iv_assessor is;
    char token_sha256[65]; /* "" if there is none */
    int64_t leased[IV_LEASES]; /* items, as they are shown; 0: none */
    int64_t seen;              /* when the last request came, of the clock of iv_store_wish */
} iv_queued_assessor;

struct iv_store {
    char *path;
    int file;            /* the database, held by flock() if locked; -1: none */
    bool locked;
    struct stat log;     /* of SQLite's log when it was opened for writing */
    sqlite3 *db;         /* reads and writes; NULL in a store that reads only */
    sqlite3 *reads;      /* never waits for the disk */
    sqlite3_stmt *append_st[6];
    sqlite3_stmt *read_document, *read_words;
    pthread_mutex_t write_lock, read_lock, lock_queue;
    bool broken;         /* a synchronisation failed */
    iv_arena memory;
    iv_store_about about;
    iv_store_topic *topics;
    iv_lane *lanes;      /* one a topic; a queue has one */
    size_t lane_count;
    size_t *cursors;     /* of topics, in a lane of all: none of its own before it needs one */
    iv_ids topic_ids;
    iv_queued *items;
    uint32_t *order, *place; /* items in the order of judging, and the place of each in it */
    iv_queued_assessor assessor[IV_ASSESSORS_MOST];
    iv_assessor listed[IV_ASSESSORS_MOST];
    size_t assessor_count;
    size_t conflicts;
    int64_t hold;        /* seconds that a lease outlives the last request */
    int64_t seq;
};

/* Keeps a value of table meta; with write_lock held. */
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

/* IV_EARG for what is no name of an assessor. */
IV_MUST_CHECK int iv_assessor_name_check(const char *name, iv_err *err);

/* The topic of an item. */
static inline size_t iv_queue_topic_of(const iv_store *s, int64_t item)
{
    return s->items[item - 1].topic;
}

/* ------------------------------------------------------------ documents -- */

/* A text as it is kept: packed when it is long.  *zipped says so. */
IV_MUST_CHECK int iv_store_pack(iv_str *out, bool *zipped, iv_arena *a, iv_str text, iv_err *err);
IV_MUST_CHECK int iv_store_unpack(iv_str *out, iv_arena *a, iv_str kept, bool zipped, iv_err *err);

/* The value of a key of table meta, copied; NULL: none. */
IV_MUST_CHECK int iv_store_meta(const char **out, size_t *len, iv_arena *a, sqlite3 *db,
                                const char *path, const char *key, iv_err *err);

/* ---------------------------------------------------------- the form -- */

/* Would eval take the design when all of it is judged?  IV_EPARSE, with the line, if not. */
IV_MUST_CHECK int iv_store_design_read(const iv_judgments *j, const char *name, iv_err *err);

/* The judgments of a sample or a queue, in a format that is of that kind. */
IV_MUST_CHECK int iv_store_form_read(iv_judgments **out, iv_store_kind kind, iv_str form,
                                     const char *name, iv_err *err);

/* As iv_store_strata_check(), of a table that was read before and is called so in messages. */
IV_MUST_CHECK int iv_store_strata_read(iv_store *s, iv_str form, const char *name, iv_err *err);

/* -------------------------------------------------------------- opening -- */

/* The name of a file system that other machines share, by its number; NULL: none. */
const char *iv_network_file_system(long kind);

/* IV_EIO for a path on a network file system. */
IV_MUST_CHECK int iv_store_refuse_network(const char *path, iv_err *err);

/* Opens SQLite's connection. */
IV_MUST_CHECK int iv_store_connect(sqlite3 **out, const char *path, int flags, iv_err *err);

#endif /* IV_STORE_STORE_PARTS_H */
