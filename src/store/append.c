/* SPDX-License-Identifier: Apache-2.0 */
/* The log: judgments of several assessors in one durable transaction. */
#include "base/err.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "store/assessors.h"
#include "store/bibliography.h"
#include "store/db.h"
#include "store/entries.h"
#include "store/items.h"
#include "store/overview.h"
#include "store/queue.h"
#include "store/seal.h"
#include "store/session.h"
#include "store/store_open.h"

#include <math.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Who judges what next: the queue in memory. */

static uint64_t bit_of(int64_t assessor)
{
    return UINT64_C(1) << (assessor - 1);
}

/* An assessor by id, who may judge; NULL: there is none. */
static iv_assessor *queue_assessor(iv_store *s, int64_t id)
{
    if (id < 1 || (size_t)id > s->assessor_count || s->assessor[id - 1].revoked)
        return NULL;
    return &s->assessor[id - 1];
}

/* -------------------------------------------------------------- leases -- */

static void end_lease(iv_store *s, int64_t item, int64_t assessor)
{
    iv_queued *q = &s->items[item - 1];
    int64_t *leased = s->assessor[assessor - 1].leased;

    for (int k = 0; k < 2; k++)
        if (q->lease_by[k] == assessor)
            q->flags = (uint8_t)(q->flags & ~(IV_QUEUED_HELD << k));
    for (size_t i = 0; i < IV_LEASES; i++)
        if (leased[i] == item) { /* the others keep their order */
            memmove(leased + i, leased + i + 1, (IV_LEASES - 1 - i) * sizeof *leased);
            leased[IV_LEASES - 1] = 0;
        }
}

/* Has the assessor given a sign of life? */
static bool is_there(const iv_store *s, int64_t assessor, int64_t now)
{
    return s->assessor[assessor - 1].seen + s->hold > now;
}

/* Does place k of an item belong to somebody who is there? */
static bool held(const iv_store *s, const iv_queued *q, int k, int64_t now)
{
    return (q->flags & (IV_QUEUED_HELD << k)) && is_there(s, q->lease_by[k], now);
}

/* Does the assessor hold it? */
static bool holds(const iv_store *s, const iv_queued *q, int64_t assessor, int64_t now)
{
    return (q->lease_by[0] == assessor && held(s, q, 0, now))
        || (q->lease_by[1] == assessor && held(s, q, 1, now));
}

/* What is leased stands in the order in which it is shown.  An item that comes `again`, after an
 * undo, is shown first, and the last goes back if there are too many; otherwise the first. */
static void lease(iv_store *s, int64_t item, int64_t assessor, bool again)
{
    iv_queued *q = &s->items[item - 1];
    int64_t *leased = s->assessor[assessor - 1].leased;
    const int64_t now = s->assessor[assessor - 1].seen;
    const int k = (q->flags & IV_QUEUED_TWICE) && held(s, q, 0, now);
    size_t at = 0;

    if (q->flags & (IV_QUEUED_HELD << k))
        end_lease(s, item, q->lease_by[k]); /* who was gone holds it no longer */
    if (leased[IV_LEASES - 1] != 0)
        end_lease(s, leased[again ? IV_LEASES - 1 : 0], assessor);
    if (again)
        memmove(leased + 1, leased, (IV_LEASES - 1) * sizeof *leased);
    while (!again && leased[at] != 0)
        at++;
    leased[at] = item;
    q->lease_by[k] = (uint8_t)assessor;
    q->flags = (uint8_t)(q->flags | (IV_QUEUED_HELD << k));
}

size_t iv_queue_release(iv_store *s, int64_t assessor)
{
    const int64_t *leased = s->assessor[assessor - 1].leased;
    size_t count = 0;

    for (; leased[0] != 0; count++)
        end_lease(s, leased[0], assessor);
    return count;
}

size_t iv_store_release(iv_store *s, int64_t assessor)
{
    (void)pthread_mutex_lock(&s->lock_queue);
    const size_t count = assessor < 1 || (size_t)assessor > s->assessor_count ? 0
        : iv_queue_release(s, assessor);
    (void)pthread_mutex_unlock(&s->lock_queue);
    return count;
}

void iv_store_seen(iv_store *s, int64_t assessor, int64_t now)
{
    (void)pthread_mutex_lock(&s->lock_queue);
    iv_assessor *who = queue_assessor(s, assessor);
    if (who != NULL)
        who->seen = now;
    (void)pthread_mutex_unlock(&s->lock_queue);
}

void iv_store_hold_for(iv_store *s, int64_t seconds)
{
    (void)pthread_mutex_lock(&s->lock_queue);
    s->hold = seconds;
    (void)pthread_mutex_unlock(&s->lock_queue);
}

/* Is the topic of an item the assessor's? */
static bool assigned(const iv_store *s, const iv_queued *q, int64_t assessor)
{
    const uint64_t judges = s->judges[q->topic];

    return judges == 0 || (judges & bit_of(assessor)) != 0;
}

/* Is the item one that w asks about? */
static bool concerns(const iv_store *s, int64_t item, const iv_store_wish *w)
{
    const iv_queued *q = &s->items[item - 1];

    return !iv_queued_done(q) && (w->assessor == 0 || (!(q->judged & bit_of(w->assessor))
                                                         && assigned(s, q, w->assessor)))
        && (w->topic == 0 || q->topic == w->topic - 1);
}

size_t iv_store_holds(iv_store_hold out[IV_ASSESSORS_MOST * IV_LEASES], iv_store *s,
                      const iv_store_wish *w)
{
    size_t count = 0;

    (void)pthread_mutex_lock(&s->lock_queue);
    for (size_t i = 0; i < s->assessor_count; i++) {
        const iv_assessor *who = &s->assessor[i];
        if (who->id == w->assessor || !is_there(s, who->id, w->now))
            continue;
        for (size_t k = 0; k < IV_LEASES; k++)
            if (who->leased[k] != 0 && concerns(s, who->leased[k], w))
                out[count++] = (iv_store_hold){ who->id, who->leased[k],
                                                w->now - who->seen };
    }
    (void)pthread_mutex_unlock(&s->lock_queue);
    return count;
}

size_t iv_store_judged_by(iv_store *s, int64_t assessor)
{
    size_t count = 0;

    (void)pthread_mutex_lock(&s->lock_queue);
    for (size_t i = 0; i < s->about.items; i++)
        count += (s->items[i].judged & bit_of(assessor)) != 0;
    (void)pthread_mutex_unlock(&s->lock_queue);
    return count;
}

/* --------------------------------------------------------------- words -- */

static void recount(iv_store *s, const iv_queued *q, bool was, bool judged)
{
    const size_t at = s->place[q - s->items];
    iv_store_topic *t = &s->topics[q->topic];
    const bool is = iv_queued_done(q);

    t->judged += (size_t)(q->judged != 0 && !judged);
    t->judged -= (size_t)(q->judged == 0 && judged);
    if (is && !was)
        t->done++;
    if (was && !is) {
        t->done--;
        if (at < s->cursors[q->topic])
            s->cursors[q->topic] = at;
        if (at < s->cursors[s->about.topics])
            s->cursors[s->about.topics] = at;
    }
}

void iv_queue_word(iv_store *s, int64_t item, int64_t assessor, iv_store_reason reason)
{
    iv_queued *q = &s->items[item - 1];
    const bool was = iv_queued_done(q), judged = q->judged != 0;

    if (reason == IV_REASON_ADJUDICATED)
        return;
    end_lease(s, item, assessor);
    if (reason == IV_REASON_LATER || reason == IV_REASON_UNDO) {
        q->judged &= ~bit_of(assessor);
        q->flags = (uint8_t)(reason == IV_REASON_LATER ? q->flags | IV_QUEUED_LATER
                                                       : q->flags & ~IV_QUEUED_LATER);
    } else {
        q->judged |= bit_of(assessor);
        q->flags = (uint8_t)(q->flags & ~IV_QUEUED_LATER);
    }
    recount(s, q, was, judged);
}

void iv_queue_conflict(iv_store *s, int64_t item, bool conflict, bool adjudicated)
{
    iv_queued *q = &s->items[item - 1];
    const int both = IV_QUEUED_CONFLICT | IV_QUEUED_ADJUDICATED;
    const bool was = (q->flags & both) == IV_QUEUED_CONFLICT;

    q->flags = (uint8_t)((q->flags & ~both) | (conflict ? IV_QUEUED_CONFLICT : 0)
                         | (adjudicated ? IV_QUEUED_ADJUDICATED : 0));
    const bool is = (q->flags & both) == IV_QUEUED_CONFLICT;
    s->conflicts += (size_t)(is && !was);
    s->conflicts -= (size_t)(was && !is);
}

/* ---------------------------------------------------------------- next -- */

/* May the assessor judge it now?  What was put off comes when `late`. */
static bool offered(const iv_store *s, const iv_queued *q, const iv_store_wish *w, bool late)
{
    const unsigned need = q->flags & IV_QUEUED_TWICE ? 2 : 1;
    unsigned has = iv_queued_judged(q);

    if (q->judged & bit_of(w->assessor) || (!late && q->flags & IV_QUEUED_LATER)
        || !assigned(s, q, w->assessor))
        return false;
    for (int k = 0; k < 2; k++)
        has += q->lease_by[k] != w->assessor && held(s, q, k, w->now);
    return has < need;
}

/* The place of the first item that may be judged, of a topic or, in a queue, of all (about.topics);
 * SIZE_MAX: none. */
static size_t first_of(iv_store *s, size_t topic, const iv_store_wish *w, bool late)
{
    const bool queue = s->about.kind == IV_STORE_QUEUE, all = topic == s->about.topics;
    const size_t end = queue ? s->about.items : s->topics[topic].first + s->topics[topic].items;
    size_t *cursor = &s->cursors[topic];

    while (*cursor < end && (iv_queued_done(&s->items[s->order[*cursor]])
                             || (!all && s->items[s->order[*cursor]].topic != topic)))
        (*cursor)++;
    for (size_t i = *cursor; i < end; i++) {
        const iv_queued *q = &s->items[s->order[i]];
        if ((all || q->topic == topic) && (int64_t)s->order[i] + 1 != w->not_this
            && offered(s, q, w, late))
            return i;
    }
    return SIZE_MAX;
}

/* What the assessor has already and has not judged. */
static int64_t leased_before(const iv_store *s, const iv_store_wish *w)
{
    const int64_t *leased = s->assessor[w->assessor - 1].leased;

    for (size_t i = 0; i < IV_LEASES; i++) {
        if (leased[i] == 0 || leased[i] == w->not_this)
            continue;
        const iv_queued *q = &s->items[leased[i] - 1];
        if (holds(s, q, w->assessor, w->now) && offered(s, q, w, true)
            && (w->topic == 0 || iv_queue_topic_of(s, leased[i]) == w->topic - 1))
            return leased[i];
    }
    return 0;
}

/* Topic by topic, or from all in turn: the one whose first open item comes first. */
static int64_t choose(iv_store *s, const iv_store_wish *w, bool late)
{
    const bool queue = s->about.kind == IV_STORE_QUEUE;
    const size_t from = w->topic > 0 ? w->topic - 1 : queue ? s->about.topics : 0;
    const size_t end = w->topic > 0 || queue ? from + 1 : s->about.topics;
    size_t best = SIZE_MAX;
    int64_t item = 0;

    for (size_t t = from; t < end; t++) {
        const size_t first = queue ? 0 : s->topics[t].first;
        const size_t at = t < s->about.topics && s->topics[t].done == s->topics[t].items
            ? SIZE_MAX : first_of(s, t, w, late);
        if (at == SIZE_MAX || at - first >= best)
            continue;
        best = at - first;
        item = (int64_t)s->order[at] + 1;
        if (!s->about.interleaved || best == 0)
            break;
    }
    return item;
}

static int64_t choose_conflict(const iv_store *s, const iv_store_wish *w)
{
    const int both = IV_QUEUED_CONFLICT | IV_QUEUED_ADJUDICATED;

    for (size_t i = 0; s->conflicts > 0 && i < s->about.items; i++)
        if ((s->items[i].flags & both) == IV_QUEUED_CONFLICT && (int64_t)i + 1 != w->not_this
            && (w->topic == 0 || iv_queue_topic_of(s, (int64_t)i + 1) == w->topic - 1))
            return (int64_t)i + 1;
    return 0;
}

/* The item and why; 0: none is left. */
static int64_t take_next(iv_store_role *role, iv_store *s, const iv_store_wish *w)
{
    int64_t item;

    if (w->topic > s->about.topics)
        return 0;
    if (w->adjudicate) {
        *role = IV_ROLE_ADJUDICATION;
        return choose_conflict(s, w);
    }
    s->assessor[w->assessor - 1].seen = w->now;
    item = leased_before(s, w);
    if (item == 0)
        item = choose(s, w, false);
    if (item == 0)
        item = choose(s, w, true);
    if (item == 0)
        return 0;
    *role = s->items[item - 1].judged != 0 ? IV_ROLE_OVERLAP : IV_ROLE_FIRST;
    end_lease(s, item, w->assessor);
    lease(s, item, w->assessor, false);
    return item;
}

/* ---------------------------------------------------------------- items -- */

static bool starts(iv_str s, const char *with)
{
    return s.len >= strlen(with) && memcmp(s.ptr, with, strlen(with)) == 0;
}

/* Of a reference: where it was published, and where it is. */
static int read_reference(iv_store_item *out, iv_arena *a, iv_str source, iv_err *err)
{
    iv_str journal = iv_reference_field(a, source, "JO JF T2", true);
    const iv_str doi = iv_reference_key(a, iv_reference_field(a, source, "DO", true), true);
    const iv_str url = iv_reference_field(a, source, "UR L1 L2", true);
    const bool web = starts(url, "https://") || starts(url, "http://");

    if (journal.len == 0)
        journal = iv_reference_field(a, source, "J2 JA", true);
    out->journal = iv_arena_copy(a, iv_reference_text(a, journal));
    out->doi = iv_arena_copy(a, starts(doi, "10.") ? doi : iv_str_of(""));
    out->url = iv_arena_copy(a, web ? url : iv_str_of(""));
    return iv_taken(a, err);
}

static int read_text(iv_store_item *out, iv_arena *a, iv_store *s, iv_err *err)
{
    sqlite3_stmt *st = s->read_document;

    iv_db_bind(st, "i", out->item);
    const int rc = iv_db_step(st, s->path, err);
    if (rc != IV_OK)
        return rc == IV_NO_ROW ? iv_fail_at(err, IV_ENODATA, s->path, 0, "no item %lld",
                                            (long long)out->item) : rc;
    out->docno = iv_db_text(a, st, 0);
    out->title = iv_db_text(a, st, 1);
    out->missing = sqlite3_column_type(st, 2) == SQLITE_NULL;
    iv_str text = { "", 0 };
    int said = read_reference(out, a, iv_db_str(st, 4), err);
    if (said == IV_OK && !out->missing)
        said = iv_store_unpack(&text, a, iv_db_str(st, 2), sqlite3_column_int(st, 3) != 0, err);
    (void)sqlite3_reset(st);
    out->text = text.ptr;
    out->text_bytes = text.len;
    if (out->title == NULL)
        out->title = "";
    return said == IV_OK && out->docno == NULL ? iv_no_memory(err) : said;
}

static int read_said(iv_store_item *out, iv_arena *a, iv_store *s, int64_t assessor, bool all,
                     iv_err *err)
{
    iv_store_word *words = iv_take(a, 2 * IV_ASSESSORS_MOST, sizeof *words);
    int rc = words == NULL ? iv_no_memory(err) : IV_OK;
    sqlite3_stmt *st = s->read_words;

    iv_db_bind(st, "i", out->item);
    while (iv_db_next(st, &rc, s->path, err)) {
        if (!iv_store_knows(s, out->item, sqlite3_column_int64(st, 2)))
            rc = iv_fail_at(err, IV_EPARSE, s->path, 0, "the database is damaged: a judgment is "
                            "of no known kind");
        const char *note = iv_db_text(a, st, 5);
        const iv_store_word w = {
            sqlite3_column_int64(st, 0), sqlite3_column_int64(st, 1),
            (iv_store_reason)sqlite3_column_int(st, 2),
            sqlite3_column_type(st, 3) == SQLITE_NULL ? -1 : sqlite3_column_int(st, 3),
            iv_db_text(a, st, 4), note == NULL ? "" : note };
        if (w.assessor == assessor && w.reason != IV_REASON_ADJUDICATED)
            out->mine = w;
        if (all && out->other_count < 2 * IV_ASSESSORS_MOST)
            words[out->other_count++] = w;
    }
    out->others = words;
    return rc == IV_NO_ROW ? IV_OK : rc;
}

static int read_item(iv_store_item *out, iv_arena *a, iv_store *s, int64_t assessor, bool all,
                     iv_err *err)
{
    (void)pthread_mutex_lock(&s->read_lock);
    int rc = read_text(out, a, s, err);
    if (rc == IV_OK)
        rc = read_said(out, a, s, assessor, all, err);
    (void)pthread_mutex_unlock(&s->read_lock);
    return rc;
}

int iv_store_next(iv_store_item *out, iv_arena *a, iv_store *s, const iv_store_wish *wish,
                  iv_err *err)
{
    iv_store_item it = { 0 };
    bool known = false, may = false;

    (void)pthread_mutex_lock(&s->lock_queue);
    const iv_assessor *who = queue_assessor(s, wish->assessor);
    if (who != NULL) {
        known = true;
        may = !wish->adjudicate || who->adjudicates;
        if (wish->adjudicate ? may : who->judges)
            it.item = take_next(&it.role, s, wish);
    }
    (void)pthread_mutex_unlock(&s->lock_queue);
    if (!may)
        return iv_fail(err, IV_EARG, known ? "only the adjudicator decides disagreements"
                       : "assessor %lld, expected one who may judge", (long long)wish->assessor);
    if (it.item == 0)
        return iv_fail(err, IV_ENODATA, "nothing is left to judge");
    it.topic = iv_queue_topic_of(s, it.item);
    IV_TRY(read_item(&it, a, s, wish->assessor, wish->adjudicate, err));
    *out = it;
    return IV_OK;
}

int iv_store_item_at(iv_store_item *out, iv_arena *a, iv_store *s, int64_t item,
                     int64_t assessor, iv_err *err)
{
    iv_store_item it = { .item = item, .role = IV_ROLE_FIRST };
    bool all = false, theirs = false;

    if (item < 1 || (size_t)item > s->about.items)
        return iv_fail(err, IV_ENODATA, "no item %lld", (long long)item);
    (void)pthread_mutex_lock(&s->lock_queue);
    const iv_assessor *who = queue_assessor(s, assessor);
    const iv_queued *q = &s->items[item - 1];
    if (who != NULL) {
        const bool decides = who->adjudicates && (q->flags & IV_QUEUED_CONFLICT);
        all = who->owner || decides;
        theirs = all || q->lease_by[0] == assessor || q->lease_by[1] == assessor
            || (q->judged & bit_of(assessor));
        if (q->judged & ~bit_of(assessor))
            it.role = IV_ROLE_OVERLAP;
        if (decides)
            it.role = IV_ROLE_ADJUDICATION;
    }
    (void)pthread_mutex_unlock(&s->lock_queue);
    it.topic = iv_queue_topic_of(s, item);
    IV_TRY(read_item(&it, a, s, assessor, all, err));
    if (!theirs && it.mine.seq == 0)
        return iv_fail(err, IV_ENODATA, "no item %lld of this assessor", (long long)item);
    *out = it;
    return IV_OK;
}

enum { FIND, INSERT, KEEP, DROP, LAST, WORDS, NAME };

static const char *const statements[] = {
    [FIND] = "SELECT seq, item, assessor, grade, reason, note FROM judgment WHERE uuid = ?",
    [INSERT] = "INSERT INTO judgment(uuid, item, assessor, grade, reason, replaces, active_ms,"
        " away_ms, at, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?,"
        " strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), ?)",
    [KEEP] = "INSERT INTO current(item, assessor, final, seq, grade, reason)"
        " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
        " seq = excluded.seq, grade = excluded.grade, reason = excluded.reason",
    [DROP] = "DELETE FROM current WHERE item = ? AND assessor = ? AND final = ?",
    [LAST] = "SELECT seq, final FROM current WHERE item = ? AND assessor = ?"
        " ORDER BY seq DESC LIMIT 1",
    [WORDS] = "SELECT coalesce(" IV_SQL_DIFFER ", 0), coalesce(max(final), 0) FROM current"
        " WHERE item = ?",
    [NAME] = "SELECT 1 FROM item i JOIN document d ON d.id = i.document"
        " WHERE i.id = ? AND d.docno = ?"
};

/* What an entry did, to be told to the queue behind the commit; 0: nothing. */
enum { TOLD = 1, OF_FINAL = 2, CONFLICT = 4, ADJUDICATED = 8 };

static bool is_file(const char *path, const struct stat *file)
{
    struct stat named;

    return stat(path, &named) == 0 && named.st_ino == file->st_ino
        && named.st_dev == file->st_dev;
}

/* Fails, and lets the store refuse from then on, unless the file that is written will be found
 * by its name again. */
static int still_there(iv_store *s, iv_err *err)
{
    struct stat file;
    const char *log = sqlite3_filename_wal(sqlite3_db_filename(s->db, "main"));

    if (fstat(s->file, &file) == 0 && is_file(s->path, &file) && is_file(log, &s->log))
        return IV_OK;
    s->broken = true;
    return iv_fail_at(err, IV_EIO, s->path, 0, "was removed or replaced while it was open: "
                      "the judgment may not be stored; stop the server and put the file back");
}

static int refuse(iv_store_entry *e, iv_store_fate how, const char *why)
{
    e->stored = how;
    (void)snprintf(e->why, sizeof e->why, "%s", why);
    return IV_OK;
}

/* ------------------------------------------------------------- checking -- */

bool iv_is_uuid(const char *uuid)
{
    for (size_t i = 0; i < IV_UUID_SIZE - 1; i++) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? uuid[i] != '-' : strchr("0123456789abcdef", uuid[i]) == NULL || uuid[i] == '\0')
            return false;
    }
    return uuid[IV_UUID_SIZE - 1] == '\0';
}

static bool is_text(const char *note)
{
    const iv_str s = iv_str_of(note);
    uint32_t code;

    for (size_t at = 0, width; at < s.len; at += width)
        if ((width = iv_utf8_next(&code, s, at)) == 0)
            return false;
    return true;
}

static bool has_grade(iv_store_reason reason)
{
    return reason == IV_REASON_JUDGED || reason == IV_REASON_IMPORTED
        || reason == IV_REASON_ADJUDICATED;
}

bool iv_store_has_grade(const iv_store *s, int32_t grade)
{
    for (size_t i = 0; i < s->about.grade_count; i++)
        if (s->about.grades[i] == grade)
            return true;
    return false;
}

/* Why it cannot be stored; NULL: it can. */
static const char *wrong_with(iv_store *s, const iv_store_entry *e)
{
    (void)pthread_mutex_lock(&s->lock_queue);
    const iv_assessor *who = queue_assessor(s, e->assessor);
    const bool known = who != NULL, adjudicates = known && who->adjudicates;
    const bool judges = known && who->judges;
    (void)pthread_mutex_unlock(&s->lock_queue);

    if (!iv_is_uuid(e->uuid))
        return "uuid, expected 36 characters, lower case";
    if (e->item < 1 || (size_t)e->item > s->about.items)
        return "item, expected one of the session";
    if (!known)
        return "assessor, expected one who may judge";
    if (e->reason > IV_REASON_ADJUDICATED)
        return "unknown reason";
    if (e->reason == IV_REASON_ADJUDICATED && !adjudicates)
        return "only the adjudicator decides disagreements";
    if (e->reason != IV_REASON_ADJUDICATED && e->reason != IV_REASON_UNDO && !judges)
        return "the adjudicator judges nothing else";
    if (has_grade(e->reason) && !iv_store_has_grade(s, e->grade))
        return "grade, expected one of the session's grades";
    if (e->note != NULL && strlen(e->note) > IV_NOTE_BYTES)
        return "note, expected at most 8192 bytes";
    if (e->note != NULL && !is_text(e->note))
        return "note, expected UTF-8";
    return NULL;
}

/* ------------------------------------------------------------- storing -- */

/* Was it stored before?  Says so in the entry. */
static int find_before(bool *found, iv_store *s, iv_store_entry *e, iv_err *err)
{
    sqlite3_stmt *st = s->append_st[FIND];

    iv_db_bind(st, "t", e->uuid);
    const int rc = iv_db_step(st, s->path, err);
    *found = rc == IV_OK;
    if (rc != IV_OK)
        return rc == IV_NO_ROW ? IV_OK : rc;
    const bool graded = sqlite3_column_type(st, 3) != SQLITE_NULL;
    const char *kept = (const char *)sqlite3_column_text(st, 5);
    e->seq = sqlite3_column_int64(st, 0);
    e->stored = IV_STORED_BEFORE;
    if (sqlite3_column_int64(st, 1) != e->item || sqlite3_column_int64(st, 2) != e->assessor
        || sqlite3_column_int64(st, 4) != (int64_t)e->reason || graded != has_grade(e->reason)
        || (graded && sqlite3_column_int64(st, 3) != e->grade)
        || strcmp(e->note == NULL ? "" : e->note, kept == NULL ? "" : kept) != 0)
        (void)refuse(e, IV_STORED_OTHER, "that uuid exists with other content");
    (void)sqlite3_reset(st);
    return IV_OK;
}

/* Has the item the document that was judged? */
static int is_of_item(bool *named, iv_store *s, const iv_store_entry *e, iv_err *err)
{
    sqlite3_stmt *st = s->append_st[NAME];

    if (e->docno == NULL)
        return IV_OK;
    iv_db_bind(st, "it", e->item, e->docno);
    const int rc = iv_db_step(st, s->path, err);
    *named = rc == IV_OK;
    (void)sqlite3_reset(st);
    return rc == IV_NO_ROW ? IV_OK : rc;
}

/* The word that an undo takes back. */
static int find_last(int64_t *seq, bool *final, iv_store *s, const iv_store_entry *e, iv_err *err)
{
    sqlite3_stmt *st = s->append_st[LAST];

    iv_db_bind(st, "ii", e->item, e->assessor);
    const int rc = iv_db_step(st, s->path, err);
    *seq = 0;
    if (rc == IV_OK) {
        *seq = sqlite3_column_int64(st, 0);
        *final = sqlite3_column_int(st, 1) != 0;
        (void)sqlite3_reset(st);
    }
    return rc == IV_NO_ROW ? IV_OK : rc;
}

static int64_t within_a_day(int64_t ms)
{
    const int64_t day = 86400000;

    return ms < 0 ? 0 : ms > day ? day : ms;
}

/* INT64_MIN: it has none. */
static int64_t grade_of(const iv_store_entry *e)
{
    return has_grade(e->reason) ? e->grade : INT64_MIN;
}

static int insert(iv_store *s, iv_store_entry *e, int64_t replaces, iv_err *err)
{
    sqlite3_stmt *st = s->append_st[INSERT];
    iv_db_bind(st, "tiiiiiiit", e->uuid, e->item, e->assessor, grade_of(e), (int64_t)e->reason,
               replaces == 0 ? INT64_MIN : replaces, within_a_day(e->active_ms),
               within_a_day(e->away_ms), e->note != NULL && *e->note == '\0' ? NULL : e->note);
    IV_TRY(iv_db_run(st, s->path, "store a judgment", err));
    e->seq = sqlite3_last_insert_rowid(s->db);
    e->stored = IV_STORED_NEW;
    return IV_OK;
}

/* The last words follow the log. */
static int follow(iv_store *s, const iv_store_entry *e, bool final, uint8_t *effect, iv_err *err)
{
    sqlite3_stmt *st = s->append_st[e->reason == IV_REASON_UNDO ? DROP : KEEP];

    if (e->reason == IV_REASON_UNDO) {
        iv_db_bind(st, "iii", e->item, e->assessor, (int64_t)final);
    } else {
        iv_db_bind(st, "iiiiii", e->item, e->assessor, (int64_t)final, e->seq, grade_of(e),
                   (int64_t)e->reason);
    }
    IV_TRY(iv_db_run(st, s->path, "store a judgment", err));
    st = s->append_st[WORDS];
    iv_db_bind(st, "i", e->item);
    IV_TRY(iv_db_step(st, s->path, err));
    *effect = (uint8_t)(TOLD | (final ? OF_FINAL : 0)
                        | (sqlite3_column_int(st, 0) != 0 ? CONFLICT : 0)
                        | (sqlite3_column_int(st, 1) != 0 ? ADJUDICATED : 0));
    (void)sqlite3_reset(st);
    return IV_OK;
}

static int store_one(iv_store *s, iv_store_entry *e, uint8_t *effect, iv_err *err)
{
    const char *wrong = wrong_with(s, e);
    bool before = false, named = true, final = e->reason == IV_REASON_ADJUDICATED;
    int64_t replaces = 0;

    e->seq = 0;
    e->why[0] = '\0';
    if (wrong != NULL)
        return refuse(e, IV_STORED_REFUSED, wrong);
    IV_TRY(is_of_item(&named, s, e, err));
    if (!named)
        return refuse(e, IV_STORED_REFUSED, "item, expected the document of that name");
    IV_TRY(find_before(&before, s, e, err));
    if (before)
        return IV_OK;
    if (e->reason == IV_REASON_UNDO) {
        IV_TRY(find_last(&replaces, &final, s, e, err));
        if (replaces == 0 || (e->replaces != 0 && e->replaces != replaces))
            return refuse(e, IV_STORED_REFUSED, "that is not the latest judgment of the item");
    }
    IV_TRY(insert(s, e, replaces, err));
    return follow(s, e, final, effect, err);
}

/* ------------------------------------------------------- the transaction -- */

static int prepare(iv_store *s, iv_err *err)
{
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (s->append_st[i] == NULL)
            IV_TRY(iv_db_prepare(&s->append_st[i], s->db, s->path, statements[i], err));
    return IV_OK;
}

/* A disk that could not synchronise may have anything: nothing more is promised. */
static int commit(iv_store *s, iv_err *err)
{
    if (sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK)
        return still_there(s, err);
    if ((sqlite3_errcode(s->db) & 0xff) == SQLITE_IOERR)
        s->broken = true;
    return iv_db_fail(err, s->db, s->path, "store a judgment");
}

static void tell_queue(iv_store *s, const iv_store_entry *entries, const uint8_t *effects,
                       size_t count)
{
    (void)pthread_mutex_lock(&s->lock_queue);
    for (size_t i = 0; i < count; i++) {
        const iv_store_entry *e = &entries[i];
        if (effects[i] == 0)
            continue;
        if (!(effects[i] & OF_FINAL))
            iv_queue_word(s, e->item, e->assessor, e->reason);
        if (e->reason == IV_REASON_UNDO && !(effects[i] & OF_FINAL))
            lease(s, e->item, e->assessor, true); /* it is on the screen again */
        iv_queue_conflict(s, e->item, effects[i] & CONFLICT, effects[i] & ADJUDICATED);
        if (e->seq > s->seq)
            __atomic_store_n(&s->seq, e->seq, __ATOMIC_RELEASE);
    }
    (void)pthread_mutex_unlock(&s->lock_queue);
}

static int append_all(iv_store *s, iv_store_entry *entries, uint8_t *effects, size_t count,
                      iv_err *err)
{
    IV_TRY(prepare(s, err));
    IV_TRY(iv_db_exec(s->db, s->path, "BEGIN IMMEDIATE", err));
    int rc = IV_OK;
    for (size_t i = 0; i < count && rc == IV_OK; i++)
        rc = store_one(s, &entries[i], &effects[i], err);
    if (rc == IV_OK && s->version > 1)
        rc = iv_seal_log(s->db, s->path, s->seq, err);
    if (rc == IV_OK)
        rc = commit(s, err);
    else if ((sqlite3_errcode(s->db) & 0xff) == SQLITE_IOERR)
        s->broken = true;
    if (rc != IV_OK && sqlite3_get_autocommit(s->db) == 0)
        (void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

int iv_store_append(iv_store *s, iv_store_entry *entries, size_t count, iv_err *err)
{
    if (s->db == NULL)
        return iv_fail_at(err, IV_EIO, s->path, 0, "is open for reading only");
    uint8_t *effects = calloc(count + 1, 1);
    if (effects == NULL)
        return iv_no_memory(err);
    (void)pthread_mutex_lock(&s->write_lock);
    int rc = s->broken
        ? iv_fail_at(err, IV_EIO, s->path, 0, "a judgment could not be stored before; restart, "
                     "and what was not acknowledged can be sent again")
        : append_all(s, entries, effects, count, err);
    if (rc == IV_OK)
        tell_queue(s, entries, effects, count);
    (void)pthread_mutex_unlock(&s->write_lock);
    free(effects);
    return rc;
}
